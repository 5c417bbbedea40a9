"""Plain `sam build` and `sam deploy`, the same commands a real account gets."""

import fcntl
import hashlib
import os
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path

from local import processes
from local.emulator import client_env
from local.places import BUILD, REPOSITORY, SAM_BIN
from local.progress import LocalError

STACK_NAME = "orderdesk"
BUCKET = "orderdesk-artifacts"
LAST_LINES = 12


def host_architecture() -> str:
    """Of this machine, in Lambda's words: the emulator runs functions on it directly."""
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def build(log: Path) -> bool:
    """Build what changed; False where the last build still stands."""
    BUILD.parent.mkdir(exist_ok=True)
    stamp = BUILD.parent / "inputs.sha256"
    with (BUILD.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # `make run` and `make test` may build at the same time
        inputs = _fingerprint()
        if stamp.is_file() and stamp.read_text() == inputs and (BUILD / "template.yaml").is_file():
            return False
        stamp.unlink(missing_ok=True)
        overrides = f"Architecture={host_architecture()}"
        _sam("build", "--parameter-overrides", overrides, env=environment(None), log=log)
        stamp.write_text(inputs)
    return True


def deploy(endpoint_url: str, parameters: Mapping[str, str], log: Path) -> None:
    """Deploy the built template to the emulator."""
    overrides = [f"{name}={value}" for name, value in parameters.items()]
    _sam(
        "deploy",
        *("--config-env", "local", "--no-progressbar", "--parameter-overrides", *overrides),
        env=environment(endpoint_url),
        log=log,
    )


def _sam(*arguments: str, env: dict[str, str], log: Path) -> None:
    log.write_bytes(b"")
    process = processes.start([str(SAM_BIN / "sam"), *arguments], env, log)
    try:
        failed = process.wait()
    finally:
        processes.stop(process)  # interrupted, it would leave pip and make behind
    if failed:
        lines = log.read_text(encoding="utf-8").strip().splitlines()[-LAST_LINES:]
        raise LocalError("\n".join([*lines, f"sam {arguments[0]} failed; its log: {log}"]))


def environment(endpoint_url: str | None) -> dict[str, str]:
    """Give what sam runs in: its own tools first, the emulator or nobody as AWS."""
    env = client_env(endpoint_url or "")
    env |= {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"}  # asks every 5 s otherwise
    env["PATH"] = f"{SAM_BIN}{os.pathsep}{env['PATH']}"  # sam build wants python3.13 there
    if endpoint_url is None:
        del env["AWS_ENDPOINT_URL"]
    return env


def _fingerprint() -> str:
    digest = hashlib.sha256(host_architecture().encode())
    for path in sorted(_inputs()):
        digest.update(str(path.relative_to(REPOSITORY)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _inputs() -> Iterator[Path]:
    yield from (REPOSITORY / "template.yaml", REPOSITORY / "samconfig.toml")
    for folder in ("functions", "layers"):
        for path in (REPOSITORY / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
