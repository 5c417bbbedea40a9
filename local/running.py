"""The stack that `make run` started, found by the file that it writes."""

import json
from pathlib import Path
from typing import Any

from local import processes
from local.progress import LocalError
from local.run import STACK_FILE


def running_stack(work: Path) -> dict[str, Any]:
    """Read what stack.json says of the stack that runs. Raises: LocalError where none does."""
    try:
        description: dict[str, Any] = json.loads((work / STACK_FILE).read_text("utf-8"))
    except FileNotFoundError:
        raise LocalError("no local stack runs: start `make run` first") from None
    port = port_of(description)
    if not processes.is_port_taken(port):
        raise LocalError(f"nothing answers on port {port}: start `make run` first")
    return description


def port_of(description: dict[str, Any]) -> int:
    """Give the port that a stack answers on."""
    return int(description["endpoint_url"].rpartition(":")[2])
