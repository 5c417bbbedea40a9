"""Where things are in the repository."""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
WORK = REPOSITORY / ".local"
BUILD = REPOSITORY / ".aws-sam" / "build"
SAM_BIN = REPOSITORY / "tools" / "sam" / ".venv" / "bin"
VENV_BIN = Path(sys.executable).parent
