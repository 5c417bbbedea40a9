"""Hands long lists to the operator's pager."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress


def to_pager(texts: Iterator[str]) -> None:
    """Write texts to PAGER, or `less`; the pipe is small, so pages are read as they are wanted."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    found = shutil.which(command[0]) if command else None
    if found is None:
        for text in texts:
            print(text, end="", flush=True)
        return
    environment = {"LESS": "FRX", **os.environ}
    words = [found, *command[1:]]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, text=True) as pager:  # noqa: S603 the operator's own pager
        assert pager.stdin is not None
        # The operator may leave the pager before the last page.
        with suppress(BrokenPipeError), pager.stdin:
            for text in texts:
                pager.stdin.write(text)
                pager.stdin.flush()
