"""The build's compiled patterns and methods equal those of Python, and functions use them."""

import _sre
import marshal
import re
from pathlib import Path
from types import CodeType

import pytest

from orderdesk import cold_start
from tests.infra.conftest import probed

# Runs before the function, in a new interpreter: counts the texts that are still compiled.
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
texts = []
class Counting(dict):
    def get(self, text, default=None):
        if text not in self:
            texts.append(text)
        return super().get(text, default)
cold_start._methods = Counting(cold_start._methods)
import gc
was_collecting = gc.isenabled()
import app
json.dump({"patterns": patterns, "texts": texts, "known": len(cold_start._methods),
    "was_collecting": was_collecting, "collects": gc.isenabled(), "frozen": gc.get_freeze_count()},
    sys.stdout)
"""
STANDARD_LIBRARYS_OWN = 6  # compiled by the modules that cold_start imports


@pytest.fixture(scope="module")
def compiled_file(layer: Path) -> Path:
    return layer / "orderdesk" / "compiled.marshal"


def test_a_pattern_is_what_re_makes_of_it(compiled_file: Path) -> None:
    _, patterns, _ = marshal.loads(compiled_file.read_bytes())
    assert len(patterns) > 100
    for pattern, flags, compiled in patterns:
        assert _sre.compile(*compiled) == re.compile(pattern, flags)


def test_a_text_has_the_code_that_python_compiles(compiled_file: Path) -> None:
    _, _, methods = marshal.loads(compiled_file.read_bytes())
    assert len(methods) > 100
    for text, kept in methods.items():
        code = marshal.loads(kept)
        assert isinstance(code, CodeType)
        assert code == compile(text, "<string>", "exec")


@pytest.mark.parametrize("place", range(3))
def test_another_python_takes_nothing(place: int, compiled_file: Path, tmp_path: Path) -> None:
    compilers, *compiled = marshal.loads(compiled_file.read_bytes())
    other = [b"other" if n == place else compiler for n, compiler in enumerate(compilers)]
    file = tmp_path / "compiled.marshal"
    file.write_bytes(marshal.dumps((tuple(other), *compiled)))
    assert cold_start.load(str(file)) is False


def test_a_missing_file_is_ignored(tmp_path: Path) -> None:
    assert cold_start.load(str(tmp_path / "compiled.marshal")) is False


@pytest.mark.parametrize("function", ["CreateOrderFunction", "MerchantApiFunction"])
def test_a_cold_start_compiles_nothing_that_the_build_knew(layer: Path, function: str) -> None:
    result = probed(PROBE, function, layer)
    assert result["texts"] == []
    assert result["known"] > 100
    assert len(result["patterns"]) <= STANDARD_LIBRARYS_OWN, result["patterns"]
    assert (result["was_collecting"], result["collects"]) == (False, True)
    assert result["frozen"] > 10_000
