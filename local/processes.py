"""Child processes that end with this process, and the signals that end it."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from local.places import REPOSITORY

GRACE_SECONDS = 5
STOPS = (signal.SIGINT, signal.SIGTERM)


def start(command: Sequence[str], env: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start a command in its own process group; it ends when this process ends."""
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "local.child", *command],
            env=dict(env),
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: SIGTERM, then SIGKILL after a grace period."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


@contextmanager
def until_stopped() -> Iterator[None]:
    """End the block on SIGINT or SIGTERM, even if they were inherited as ignored or blocked.

    The block receives KeyboardInterrupt. A second signal does not interrupt its clean-up.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for each in STOPS:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in STOPS:
        signal.signal(number, interrupt)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    with contextlib.suppress(KeyboardInterrupt):
        yield


def free_port() -> int:
    """Return a port that is free now.

    It is below those that the system assigns to connections and to servers without a port of their
    own, so none of these takes it before it is used.
    """
    while is_port_taken(port := 20_000 + secrets.randbelow(12_000)):
        pass
    return port


def is_port_taken(port: int) -> bool:
    """Return whether a server cannot listen on a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False
