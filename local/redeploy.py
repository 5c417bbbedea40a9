"""`make deploy`: puts the code as it is now on the running local stack."""

import json
from pathlib import Path
from typing import Any

from local import processes, sam, stack
from local.progress import LocalError, say, step
from local.run import STACK_FILE

API_FAILED = "update: [Api]"


def redeploy(work: Path) -> None:
    """Build what changed and deploy it."""
    running = _running(work / STACK_FILE)
    port = int(running["endpoint_url"].rpartition(":")[2])
    if not processes.is_port_taken(port):
        raise LocalError(f"nothing answers on port {port}: start `make run` first")
    with step("sam build"):
        changed = sam.build(work / "sam-build.log")
    if not changed:
        say("nothing has changed since the last build")
    try:
        stack.deploy(port, work)
    except LocalError as error:
        if API_FAILED in str(error):
            raise LocalError(
                "the API's routes have changed, and the emulator cannot change those of an API "
                "that runs: end `make run` and start it again"
            ) from None
        raise
    say("deployed")


def _running(file: Path) -> dict[str, Any]:
    try:
        description: dict[str, Any] = json.loads(file.read_text())
    except FileNotFoundError:
        raise LocalError("no local stack runs: start `make run` first") from None
    return description
