"""Processes of the local stack end with it; SIGINT and SIGTERM always end it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from local import processes
from local.places import REPOSITORY
from tests.support.programs import ended
from tests.support.waiting import runs, wait_until

WAIT = [sys.executable, "-c", "import signal; signal.pause()"]
FAMILY = [sys.executable, "-c", f"import subprocess; subprocess.run({WAIT!r}, check=False)"]
PARENT = f"""
import os, signal, sys
from pathlib import Path
from local import processes
child = processes.start({WAIT!r}, os.environ, Path(sys.argv[1]))
print(child.pid, flush=True)
signal.pause()
"""

UNTIL_STOPPED = """
import os, signal, time
from local import processes
with processes.until_stopped():
    try:
        print("started", flush=True)
        while True:  # a signal just before a sleep is handled after it
            time.sleep(0.01)
    finally:
        os.kill(os.getpid(), signal.SIGINT)  # a second signal does not interrupt the clean-up
        os.kill(os.getpid(), signal.SIGTERM)
        print("cleaned up", flush=True)
print("ended")
"""


def test_stopping_ends_the_grandchildren_too(tmp_path: Path) -> None:
    process = processes.start(FAMILY, os.environ, tmp_path / "log")
    family = psutil.Process(process.pid)
    (grandchild,) = wait_until(family.children)
    processes.stop(process)
    wait_until(lambda: not runs(family) and not runs(grandchild))


def test_a_killed_parent_takes_its_child_along(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        wait_until(lambda: "signal.pause" in " ".join(child.cmdline()[1:3]))
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: not runs(child))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("inherited", ["handled", "ignored", "blocked"])
def test_a_signal_ends_the_block_whatever_the_parent_left(
    number: signal.Signals, inherited: str
) -> None:
    """`nohup make run &` starts with SIGINT ignored; then Python installs no handler for it."""
    prepare = {
        "handled": lambda: None,
        "ignored": lambda: signal.signal(number, signal.SIG_IGN),
        "blocked": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [number]),
    }[inherited]
    with subprocess.Popen(
        [sys.executable, "-c", UNTIL_STOPPED],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        preexec_fn=prepare,  # noqa: PLW1509 - the child has one thread
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        process.send_signal(number)
        try:
            printed, _ = process.communicate()
        finally:
            process.kill()
    assert (process.returncode, printed) == (0, b"cleaned up\nended\n")


def test_a_taken_port_is_one_line_and_exit_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = ended(sys.executable, "-m", "local", "run", "--port", str(port))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"error: port {port} is taken: stop what listens there or choose PORT=…"
    ]
