"""SnapStart restores a function's initialised memory in every container."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.artifacts import OURS, Artifact
from local.places import BUILD
from tests.support.built_functions import settings_of

ANSWERS_HTTP = (
    "CreateOrderFunction",
    "MerchantApiFunction",
    "PayPageFunction",
    "IdentityPageFunction",
    "TraderDeskFunction",
)

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


@pytest.mark.parametrize("function", ANSWERS_HTTP)
def test_two_containers_of_one_snapshot_share_no_chance_and_no_connection(
    layer: Path, function: str
) -> None:
    started = started_twice(
        Artifact(OURS, function, (BUILD / function, layer), settings_of(function))
    )
    (first, second), connections = started["drawn"], started["connections"]
    assert not set(first) & set(second)
    assert connections == []


def started_twice(artifact: Artifact) -> dict[str, Any]:
    """Import a function once, fork twice; return the random values of both children."""
    job = {"path": [str(p) for p in artifact.path], "environment": dict(artifact.environment)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", PROBE],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result
