"""The AWS emulator: ministack as a process, with IAM enabled."""

import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from local import processes
from local.progress import LocalError

REGION = "us-east-1"
LOG = "emulator.log"
SCRATCH = "tmp"
START_SECONDS_MAX = 30


@dataclass(frozen=True)
class Emulator:
    """A running ministack."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def endpoint_url(self) -> str:
        """The address for AWS clients."""
        return f"http://localhost:{self.port}"

    def check(self) -> None:
        """Raise LocalError if the process has ended."""
        if self.process.poll() is not None:
            raise LocalError(f"the emulator has ended; its log: {self.log}")

    def stop(self) -> None:
        """End the process and its Lambda workers, and delete their unpacked files."""
        processes.stop(self.process)
        shutil.rmtree(self.log.parent / SCRATCH, ignore_errors=True)


def client_env(endpoint_url: str) -> dict[str, str]:
    """Return the environment variables of this process, with the emulator as the only AWS."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return kept | {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ENDPOINT_URL": endpoint_url,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def start(port: int, work: Path) -> Emulator:
    """Start the emulator and wait until it accepts connections; `work` is for log and files."""
    if processes.is_port_taken(port):
        raise LocalError(f"port {port} is taken: stop what listens there or choose PORT=…")
    scratch = work / SCRATCH  # unpacked functions and layers, also of a killed run
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    log = work / LOG
    log.write_bytes(b"")
    endpoint_url = f"http://localhost:{port}"
    env = client_env(endpoint_url) | {
        "AUTH": "true",
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "MINISTACK_REGION": REGION,
        "TMPDIR": str(scratch),
    }
    process = processes.start([sys.executable, "-m", "local.emulator_process"], env, log)
    emulator = Emulator(process, port, log)
    try:
        _wait_until_it_answers(emulator)
    except BaseException:
        emulator.stop()
        raise
    return emulator


def _wait_until_it_answers(emulator: Emulator) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < deadline:
        emulator.check()
        try:
            with socket.create_connection(("127.0.0.1", emulator.port), timeout=1):
                return  # it listens when it is ready
        except OSError:
            time.sleep(0.05)
    raise LocalError(f"the emulator does not answer; its log: {emulator.log}")
