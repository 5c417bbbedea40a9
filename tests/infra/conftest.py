"""The built layer, which several files examine."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from local import sam
from local.places import BUILD, WORK
from tests.support.built_functions import settings_of
from tests.support.programs import printed


@pytest.fixture(scope="session")
def layer() -> Path:
    """Build the current code; return the layer's folder."""
    WORK.mkdir(exist_ok=True)
    sam.build(WORK / "sam-build.log")
    return BUILD / "CommonLayer" / "python"


def probed(code: str, function: str, layer: Path) -> dict[str, Any]:
    """Run code in a new interpreter that can import a built function; return its JSON output."""
    places = [str(BUILD / function), str(layer)]
    job = json.dumps({"path": places, "environment": settings_of(function)})
    answer = printed(sys.executable, "-I", "-S", "-B", "-c", code, input=job)
    result: dict[str, Any] = json.loads(answer)
    return result
