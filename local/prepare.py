"""`python3 local/prepare.py`: installs everything, starting from a bare Python.

It uses the standard library only, and the syntax of Python 3.7, so that an older `python3` can
print that it is too old.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
VENV = REPOSITORY / ".venv"
WANTED = (3, 13)


def main() -> None:
    """Create both environments: the project's and the SAM CLI's."""
    python = find_python()
    began = time.monotonic()
    own_python, uv = VENV / "bin" / "python", VENV / "bin" / "uv"
    if not own_python.exists():
        say("creating .venv …")
        call(python, "-m", "venv", str(VENV))
    if not uv.exists():
        say("installing uv …")
        call(str(own_python), "-m", "pip", "install", "--quiet", locked_uv())
    say("installing the project's packages …")
    sync = (str(uv), "sync", "--frozen", "--quiet", "--python", python)
    call(*sync, "--compile-bytecode")  # so that commands do not compile their imports
    say("installing the SAM CLI …")
    call(*sync, "--project", str(REPOSITORY / "tools" / "sam"))
    npm = shutil.which("npm")
    if npm is None:
        say("no npm: the accessibility tests will be skipped")
    else:
        say("installing axe-core and standardwebhooks …")
        call(npm, "ci", "--silent", "--prefix", str(REPOSITORY / "tests" / "browser"))
    say(f"installed: {time.monotonic() - began:.0f} s")


def find_python() -> str:
    """Return this interpreter if it has the right version, else the one found by name."""
    if sys.version_info[:2] == WANTED:
        return sys.executable
    found = shutil.which("python{}.{}".format(*WANTED))
    if found is None:
        is_now = sys.version.split()[0]
        sys.exit(f"error: orderdesk needs Python 3.13 on PATH; python3 here is {is_now}")
    return found


def locked_uv() -> str:
    """Return the project's pinned requirement of uv."""
    lines = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    return next(line.split('"')[1] for line in lines if '"uv==' in line)


def call(*command: str) -> None:
    """Run one command; exit if it fails, because it has printed the reason."""
    if subprocess.call(command, cwd=str(REPOSITORY)) != 0:
        sys.exit(f"error: this failed: {' '.join(command)}")


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
