"""`sam build` and `sam deploy`, the same commands that a real account gets."""

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
    """Give this machine's architecture, which the emulator runs functions on, in Lambda's words."""
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def logical_id(folder: str) -> str:
    """Give the template's name for what is built from a folder: of a function, or of the layer."""
    if folder == LAYER:
        return "CommonLayer"
    return PurePosixPath(folder).name.title().replace("_", "") + "Function"


def build(log: Path) -> Sources:
    """Build what changed, and give the sources that the build is made of. Raises: LocalError.

    Where only code changed, its built folders are brought up to date here: `sam build` takes
    seconds to start, and installs the requirements of every function anew.
    """
    BUILD.parent.mkdir(exist_ok=True)
    stamp = BUILD.parent / STAMP
    with (BUILD.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # `make run` and `make test` may build at the same time
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
                    _bring_up_to_date(file)
        else:
            overrides = f"Architecture={host_architecture()}"
            command = [*SAM, "build", "--parameter-overrides", overrides]
            run(command, environment(None), log)
        stamp.write_text(sources.to_text(now))
    return now


def _is_built(folder: str) -> bool:
    """Tell whether a folder was built, and so belongs to the template."""
    return (BUILD / logical_id(folder)).is_dir()


def _build_layer(log: Path) -> None:
    """Build the layer as `sam build` does: by its makefile, in a copy of its folder."""
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


def _bring_up_to_date(file: str) -> None:
    """Do to a function's built folder what was done to a file of its code."""
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
    """Run a command with its output in a log. Raises: LocalError with the log's last lines."""
    log.write_bytes(b"")
    process = processes.start(command, env, log)
    try:
        failed = process.wait()
    finally:
        processes.stop(process)  # interrupted, it would leave pip and make behind
    if failed:
        lines = log.read_text(encoding="utf-8").strip().splitlines()[-LAST_LINES:]
        name = " ".join([Path(command[0]).name, command[1]])
        raise LocalError("\n".join([*lines, f"{name} failed; its log: {log}"]))


def environment(endpoint_url: str | None) -> dict[str, str]:
    """Give the environment for sam: its own tools come first in PATH.

    AWS is the emulator at `endpoint_url`; None is no AWS at all.
    """
    env = client_env(endpoint_url or "")
    env |= {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"}  # asks every 5 s otherwise
    env["PATH"] = f"{SAM_BIN}{os.pathsep}{env['PATH']}"  # sam build wants python3.13 there
    if endpoint_url is None:
        del env["AWS_ENDPOINT_URL"]
    return env
