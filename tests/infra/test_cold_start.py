"""What the layer's build compiles ahead is what Python would have compiled, and is used."""

import _sre
import json
import marshal
import re
import subprocess
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from bench.artifacts import OURS, Artifact
from local import sam
from local.places import BUILD, WORK
from orderdesk import cold_start
from tests.support.built_functions import settings_of

# Runs before the function, in an interpreter of its own: counts what is still compiled from text.
PROBE = """
import json, os, re, sys
from re import _compiler
job = json.load(sys.stdin)
os.environ.clear()
os.environ.update(job["environment"])
sys.path[:0] = job["path"]
patterns, compiled = [], _compiler.compile
def counting(pattern, flags=0):
    patterns.append(str(pattern))
    return compiled(pattern, flags)
_compiler.compile = counting
from orderdesk import cold_start
texts, known = [], cold_start._methods.get
class Counting(dict):
    def get(self, text, default=None):
        if text not in self:
            texts.append(text)
        return super().get(text, default)
cold_start._methods = Counting(cold_start._methods)
import gc
was_collecting = gc.isenabled()
import app
json.dump({"patterns": patterns, "texts": texts, "methods": len(cold_start._methods),
    "was_collecting": was_collecting, "collects": gc.isenabled(), "frozen": gc.get_freeze_count()},
    sys.stdout)
"""
STANDARD_LIBRARYS_OWN = 6  # compiled by the modules that cold_start itself stands on


@pytest.fixture(scope="module")
def layer() -> Path:
    """Build as it is now, and give the layer."""
    WORK.mkdir(exist_ok=True)
    sam.build(WORK / "sam-build.log")
    return BUILD / "CommonLayer" / "python"


@pytest.fixture(scope="module")
def compiled_file(layer: Path) -> Path:
    """Give what the build compiled."""
    return layer / "orderdesk" / "compiled.marshal"


def read(file: Path) -> tuple[Any, list[Any], dict[str, bytes]]:
    """Give the compilers, the patterns and the methods."""
    compilers, patterns, methods = marshal.loads(file.read_bytes())
    return compilers, patterns, methods


def test_a_pattern_is_what_re_makes_of_it(compiled_file: Path) -> None:
    _, patterns, _ = read(compiled_file)
    assert len(patterns) > 100
    for pattern, flags, compiled in patterns:
        assert _sre.compile(*compiled) == re.compile(pattern, flags)


def test_a_dataclass_gets_the_methods_that_python_makes(compiled_file: Path) -> None:
    _, _, methods = read(compiled_file)
    assert len(methods) > 100
    for text, kept in methods.items():
        code = marshal.loads(kept)
        assert isinstance(code, CodeType)
        assert code == compile(text, "<string>", "exec")


@pytest.mark.parametrize("place", range(3))
def test_another_python_takes_nothing(place: int, compiled_file: Path, tmp_path: Path) -> None:
    compilers, patterns, methods = read(compiled_file)
    other = [b"other" if n == place else compiler for n, compiler in enumerate(compilers)]
    file = tmp_path / "compiled.marshal"
    file.write_bytes(marshal.dumps((tuple(other), patterns, methods)))
    assert cold_start.load(str(file)) is False


def test_no_file_no_gain_no_harm(tmp_path: Path) -> None:
    assert cold_start.load(str(tmp_path / "compiled.marshal")) is False


@pytest.mark.parametrize("function", ["CreateOrderFunction", "MerchantApiFunction"])
def test_a_cold_start_compiles_nothing_that_the_build_knew(layer: Path, function: str) -> None:
    artifact = Artifact(OURS, function, (BUILD / function, layer), settings_of(function))
    job = {"path": [str(p) for p in artifact.path], "environment": dict(artifact.environment)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", PROBE],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["texts"] == []
    assert told["methods"] > 100
    assert len(told["patterns"]) <= STANDARD_LIBRARYS_OWN, told["patterns"]
    assert (told["was_collecting"], told["collects"]) == (False, True)
    assert told["frozen"] > 10_000
