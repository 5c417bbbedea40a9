"""The installed console script of the operators."""

import os
import subprocess

from local.places import VENV_BIN
from local.stack import Stack

SCRIPT = str(VENV_BIN / "orderdesk")


def environment(stack: Stack) -> dict[str, str]:
    """Return the environment variables: AWS_ENDPOINT_URL is the only AWS one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {**kept, "AWS_ENDPOINT_URL": stack.endpoint_url}


def orderdesk(
    stack: Stack, *words: str, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run a command."""
    return subprocess.run(
        [SCRIPT, *words],
        env=environment(stack),
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
