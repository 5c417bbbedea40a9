"""The running stack, found by the file that `make run` writes."""

import json
from pathlib import Path
from typing import Any

from local import live, processes
from local.places import STACK_FILE
from local.progress import LocalError
from local.stack import Stack


def running_stack(work: Path) -> dict[str, Any]:
    """Read stack.json of the running stack. Raises: LocalError if none runs."""
    return described_in(work / STACK_FILE)


def described_in(file: Path) -> dict[str, Any]:
    """Read the description of a running stack. Raises: LocalError if it does not run."""
    try:
        description: dict[str, Any] = json.loads(file.read_text("utf-8"))
        port = port_of(description)
    except FileNotFoundError:
        raise LocalError("no local stack runs: start `make run` first") from None
    except (ValueError, KeyError, TypeError):
        raise LocalError(f"{file} does not describe a stack: start `make run` again") from None
    if not processes.is_port_taken(port):
        raise LocalError(f"nothing answers on port {port}: start `make run` first")
    return description


def port_of(description: dict[str, Any]) -> int:
    """Return the port of a stack."""
    return int(description["endpoint_url"].rpartition(":")[2])


def require_deployed(running: Stack) -> None:
    """Check that the last deploy to a stack succeeded. Raises: LocalError."""
    if not live.read(running.client("s3")):
        raise LocalError("the last deploy failed or has not ended: run `make deploy` first")
