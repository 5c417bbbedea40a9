"""The built layer, which several files examine."""

from pathlib import Path

import pytest

from local import sam
from local.places import BUILD, WORK


@pytest.fixture(scope="session")
def layer() -> Path:
    """Build the current code; return the layer's folder."""
    WORK.mkdir(exist_ok=True)
    sam.build(WORK / "sam-build.log")
    return BUILD / "CommonLayer" / "python"
