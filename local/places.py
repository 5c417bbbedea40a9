"""Paths of the repository."""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
WORK = REPOSITORY / ".local"
BUILD = REPOSITORY / ".aws-sam" / "build"
SAM_BIN = REPOSITORY / "tools" / "sam" / ".venv" / "bin"
STACK_FILE = "stack.json"  # in WORK while a stack runs
VENV_BIN = Path(sys.executable).parent
