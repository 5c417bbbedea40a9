"""Programs that end by themselves: run one, and read what it printed."""

import subprocess
from pathlib import Path
from typing import Any

from tests.support.template import ROOT


def ended(*words: str | Path, cwd: Path = ROOT, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program until it has ended. `more`: for example `env`, and `input` as a text."""
    command = [*map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, **more)


def printed(*words: str | Path, cwd: Path = ROOT, **more: Any) -> str:
    """Run a program that must succeed; return its standard output."""
    done = ended(*words, cwd=cwd, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
