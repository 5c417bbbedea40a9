"""`sam build` and `sam deploy`, the same commands that a real account gets."""

import fcntl
import os
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from local import processes, sources
from local.emulator import client_env
from local.places import BUILD, REPOSITORY, SAM_BIN
from local.progress import LocalError
from local.sources import Sources

STACK_NAME = "orderdesk"
BUCKET = "orderdesk-artifacts"
LAST_LINES = 12
STAMP = "sources.json"


def host_architecture() -> str:
    """Give this machine's architecture, which the emulator runs functions on, in Lambda's words."""
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


def function_id(folder: str) -> str:
    """Give the logical id of the function whose code is in a folder of `functions/`."""
    return folder.title().replace("_", "") + "Function"


def is_function(folder: str) -> bool:
    """Tell whether a folder of `functions/` was built, and so is a function of the template."""
    return (BUILD / function_id(folder)).is_dir()


def build(log: Path) -> Sources:
    """Build what changed, and give the sources that the build is made of. Raises: LocalError.

    Where nothing but functions' own code changed, their built folders are brought up to date here:
    `sam build` takes seconds to start, and installs the requirements of every function anew.
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
        folders = sources.changed_functions(before, now)
        if is_built and folders is not None and all(map(is_function, folders)):
            for file in sources.changed_files(before, now):
                _bring_up_to_date(file)
        else:
            overrides = f"Architecture={host_architecture()}"
            _sam("build", "--parameter-overrides", overrides, env=environment(None), log=log)
        stamp.write_text(sources.to_text(now))
    return now


def _bring_up_to_date(file: str) -> None:
    """Do to a function's built folder what was done to a file of its code."""
    _functions, folder, *rest = PurePosixPath(file).parts
    built = BUILD.joinpath(function_id(folder), *rest)
    built.unlink(missing_ok=True)
    if (REPOSITORY / file).is_file():
        built.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / file, built)


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
    """Give the environment for sam: its own tools come first in PATH.

    AWS is the emulator at `endpoint_url`; None is no AWS at all.
    """
    env = client_env(endpoint_url or "")
    env |= {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"}  # asks every 5 s otherwise
    env["PATH"] = f"{SAM_BIN}{os.pathsep}{env['PATH']}"  # sam build wants python3.13 there
    if endpoint_url is None:
        del env["AWS_ENDPOINT_URL"]
    return env
