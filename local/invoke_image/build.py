"""`make invoke-image`: an image for `sam local invoke`, created from this machine's Python.

For machines that cannot pull AWS's image. It contains this environment's interpreter, its standard
library, the shared libraries they need, AWS's runtime interface client (the only download, a Python
package), and the commands of sam's build step (sh, mv, chmod, cp, rm).
"""

import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from local import docker
from local.places import REPOSITORY, VENV_BIN, WORK
from local.progress import LocalError, say, step

IMAGE = "orderdesk-invoke:latest"
HERE = Path(__file__).parent
TOOLS = ("sh", "mv", "chmod", "cp", "rm")
LANGUAGE, RUNTIME = "var/lang", "var/runtime"
# Linux wheels may also need these (PEP 600); the layer's native code is not inspected.
ASSUMED = ("libdl.so.2", "libgcc_s.so.1", "libpthread.so.0", "librt.so.1", "libstdc++.so.6")
LIBRARY_LINE_ARROW = "=>"
_PATTERNS = (
    "__pycache__ site-packages test idlelib tkinter turtledemo ensurepip config-* _tkinter.* "
    "_curses* readline.*"
)
NEVER_IMPORTED = tuple(_PATTERNS.split())


def build_image() -> None:
    """Collect the files and import them into the Docker engine. Raises: LocalError."""
    if sys.platform != "linux":
        raise LocalError("the image contains this machine's files, so it needs Linux")
    docker.check()
    label = f"orderdesk.inputs={_fingerprint()}"
    if docker.ask("image", "ls", "--quiet", "--filter", f"label={label}", IMAGE):
        say(f"{IMAGE} exists already")
        return
    WORK.mkdir(exist_ok=True)
    with step(f"image {IMAGE}"), tempfile.TemporaryDirectory(dir=WORK) as folder:
        root = Path(folder)
        _put_python(root)
        _put_runtime(root)
        _put_tools(root)
        _put_libraries(root)
        _put_system_files(root)
        _import(root, label)


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{sys.version} {sys.base_prefix}".encode())
    for path in sorted(path for path in HERE.iterdir() if path.is_file()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _put_python(root: Path) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (root / LANGUAGE / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), root / LANGUAGE / "bin" / version)
    library = root / LANGUAGE / "lib" / version
    ignored = shutil.ignore_patterns(*NEVER_IMPORTED)
    for name in ("stdlib", "platstdlib"):
        shutil.copytree(sysconfig.get_path(name), library, ignore=ignored, dirs_exist_ok=True)


def _put_runtime(root: Path) -> None:
    command = [str(VENV_BIN / "uv"), "pip", "install", "--quiet", "--python", sys.executable]
    command += ["--target", str(root / RUNTIME), "--require-hashes"]
    command += ["--requirement", str(HERE / "requirements.txt")]
    if subprocess.run(command, cwd=REPOSITORY, check=False).returncode != 0:
        raise LocalError("the runtime interface client cannot be installed")
    shutil.copy(HERE / "bootstrap", root / RUNTIME / "bootstrap")


def _put_tools(root: Path) -> None:
    (root / "bin").mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found is None:
            raise LocalError(f"{name} is missing on this machine")
        shutil.copy(Path(found).resolve(), root / "bin" / name)


def _put_libraries(root: Path) -> None:
    """Copy every needed shared library to the folder where the loader searches it."""
    programs = [path for path in root.rglob("*") if path.is_file() and _is_elf(path)]
    needed = set(_libraries(programs))
    assumed = {library.with_name(name) for library in needed for name in ASSUMED}
    needed |= set(_libraries([library for library in assumed if library.is_file()])) | assumed
    for library in sorted(filter(Path.is_file, needed)):
        of_python = library.is_relative_to(sys.base_prefix) and sys.base_prefix != "/usr"
        place = root / LANGUAGE / "lib" / library.name
        target = place if of_python else root / library.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library.resolve(), target)


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _libraries(programs: Iterable[Path]) -> Iterator[Path]:
    for program in programs:
        done = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            words = line.partition(LIBRARY_LINE_ARROW)[2].split() or line.split()
            if words and words[0].startswith("/"):
                yield Path(words[0])


def _put_system_files(root: Path) -> None:
    for folder in ("etc", "opt", "var/task", "var/rapid", "tmp"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/:/bin/sh\n")
    (root / "etc" / "nsswitch.conf").write_text("hosts: files dns\n")


def _import(root: Path, label: str) -> None:
    env = {
        "LD_LIBRARY_PATH": f"/{LANGUAGE}/lib",
        "LANG": "C.UTF-8",
        "LAMBDA_TASK_ROOT": "/var/task",
    }
    changes = ["WORKDIR /var/task", f"LABEL {label}"]
    changes += [f"ENV {name}={value}" for name, value in env.items()]
    options = [word for change in changes for word in ("--change", change)]
    root.chmod(0o755)
    archive = ["tar", "--create", "--owner=0", "--group=0", "--numeric-owner", "-C", str(root), "."]
    with subprocess.Popen(archive, stdout=subprocess.PIPE) as tar:
        done = subprocess.run(
            ["docker", "import", *options, "-", IMAGE],
            stdin=tar.stdout,
            check=False,
            stdout=subprocess.DEVNULL,
        )
    if done.returncode != 0 or tar.returncode != 0:
        raise LocalError("docker import failed")
