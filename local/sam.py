"""`sam build` and `sam deploy`, the same commands as for a real account."""

import fcntl
import os
import platform
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from local import processes, sources
from local.emulator import client_env
from local.places import BUILD, REPOSITORY, SAM_BIN
from local.progress import LocalError
from local.sources import LAYER, Sources

STACK_NAME = "orderdesk"
BUCKET = "orderdesk-artifacts"
SAM = (str(SAM_BIN / "sam"),)
LAST_LINES = 12
STAMP = "sources.json"


def host_architecture() -> str:
    """Return this machine's architecture as Lambda names it."""
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def logical_id(folder: str) -> str:
    """Return the logical id of the function or layer that is built from a folder."""
    if folder == LAYER:
        return "CommonLayer"
    return PurePosixPath(folder).name.title().replace("_", "") + "Function"


def build(log: Path) -> Sources:
    """Build what changed; return the sources of the build. Raises: LocalError.

    If only code changed, its built folders are updated without `sam build`, which takes seconds
    to start and reinstalls the requirements of every function.
    """
    BUILD.parent.mkdir(exist_ok=True)
    stamp = BUILD.parent / STAMP
    with (BUILD.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # `make run` and `make test` may build concurrently
        before = sources.from_text(stamp.read_text()) if stamp.is_file() else {}
        now = sources.read(host_architecture())
        is_built = (BUILD / "template.yaml").is_file()
        if is_built and before == now:
            return now
        stamp.unlink(missing_ok=True)
        folders = sources.changed_code(before, now)
        if is_built and folders is not None and all(map(_is_built, folders)):
            if LAYER in folders:
                _build_layer(log)
            for file in sources.changed_files(before, now):
                if not file.startswith(LAYER):
                    _update(file)
        else:
            overrides = f"Architecture={host_architecture()}"
            command = [*SAM, "build", "--parameter-overrides", overrides]
            run(command, environment(None), log)
        stamp.write_text(sources.to_text(now))
    return now


def _is_built(folder: str) -> bool:
    """Return whether a folder is in the build, and therefore in the template."""
    return (BUILD / logical_id(folder)).is_dir()


def _build_layer(log: Path) -> None:
    """Build the layer as `sam build` does: with its makefile, in a copy of its folder."""
    with tempfile.TemporaryDirectory(dir=BUILD.parent) as scratch:
        source, built = Path(scratch) / "source", Path(scratch) / "built"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / LAYER, source, ignore=ignored)
        built.mkdir()
        name = logical_id(LAYER)
        env = environment(None) | {"ARTIFACTS_DIR": str(built)}
        run(["make", f"build-{name}", "--directory", str(source)], env, log)
        shutil.rmtree(BUILD / name)
        built.rename(BUILD / name)


def _update(file: str) -> None:
    """Copy a changed file to a function's built folder, or delete it there."""
    functions, folder, *rest = PurePosixPath(file).parts
    built = BUILD.joinpath(logical_id(f"{functions}/{folder}"), *rest)
    built.unlink(missing_ok=True)
    if (REPOSITORY / file).is_file():
        built.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / file, built)


def deploy(endpoint_url: str, parameters: Mapping[str, str], log: Path) -> None:
    """Deploy the built template to the emulator."""
    overrides = [f"{name}={value}" for name, value in parameters.items()]
    options = ("--config-env", "local", "--no-progressbar", "--parameter-overrides", *overrides)
    run([*SAM, "deploy", *options], environment(endpoint_url), log)


def run(command: Sequence[str], env: dict[str, str], log: Path) -> None:
    """Run a command with its output in a log. Raises: LocalError, with the log's last lines."""
    log.write_bytes(b"")
    process = processes.start(command, env, log)
    try:
        failed = process.wait()
    finally:
        processes.stop(process)  # after an interrupt, pip and make would go on
    if failed:
        lines = log.read_text(encoding="utf-8").strip().splitlines()[-LAST_LINES:]
        name = " ".join([Path(command[0]).name, command[1]])
        raise LocalError("\n".join([*lines, f"{name} failed; its log: {log}"]))


def environment(endpoint_url: str | None) -> dict[str, str]:
    """Return the environment variables for sam, with its own tools first in PATH.

    AWS is the emulator at `endpoint_url`; None: no AWS at all.
    """
    env = client_env(endpoint_url or "")
    env |= {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"}  # default: 5 s
    env["PATH"] = f"{SAM_BIN}{os.pathsep}{env['PATH']}"  # sam build needs python3.13 there
    if endpoint_url is None:
        del env["AWS_ENDPOINT_URL"]
    return env
