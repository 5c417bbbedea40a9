"""SnapStart restores a function's initialised memory in every container."""

from pathlib import Path

import pytest

from tests.infra.conftest import probed
from tests.support.template import template

RESOURCES = template()["Resources"]
RESTORED = [name for name, each in RESOURCES.items() if "SnapStart" in each.get("Properties", ())]

# Forks after the import: both children have the same memory, as restored containers have.
PROBE = """
import json, os, sys
job = json.load(sys.stdin)
os.environ.clear()
os.environ.update(job["environment"])
sys.path[:0] = job["path"]
import app
from orderdesk.adapters.system import SystemChance
def links():
    for number in os.listdir("/proc/self/fd"):
        try:
            yield os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:
            pass
connections = [link for link in links() if link.startswith("socket:")]
drawn = []
for _ in range(2):
    reading, writing = os.pipe()
    if os.fork() == 0:
        chance = getattr(app, "chance", None) or SystemChance()
        text = json.dumps([chance.token(), chance.below(1 << 62)])
        os.write(writing, text.encode())
        os._exit(0)
    os.wait()
    drawn.append(json.loads(os.read(reading, 4096)))
json.dump({"drawn": drawn, "connections": connections}, sys.stdout)
"""


@pytest.mark.parametrize("function", RESTORED)
def test_two_containers_of_one_snapshot_share_no_chance_and_no_connection(
    layer: Path, function: str
) -> None:
    started = probed(PROBE, function, layer)
    (first, second), connections = started["drawn"], started["connections"]
    assert not set(first) & set(second)
    assert connections == []
