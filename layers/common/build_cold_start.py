"""Stores what Python compiles from text, so that a cold start need not compile it again.

The layer's build runs it in an interpreter of its own, which sees the layer alone: `python -I -S -B
build_cold_start.py LAYER FILE`. It imports what the functions import, and stores the regular
expressions and dataclass methods that are compiled on the way. `orderdesk.cold_start` reads the
file; its docstring has the reason.
"""

import _sre
import dataclasses
import marshal
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from re import _compiler
from typing import Any

LIBRARIES = (
    "aws_lambda_powertools.logging",
    "aws_lambda_powertools.metrics",
    "pydantic.types",
    "segno",
)


def main(layer: str, file: str) -> None:
    """Import everything, and write to `file` what was compiled on the way."""
    methods: dict[str, bytes] = {}

    def execute(text: str, names: dict[str, Any], found: dict[str, Any]) -> None:
        code = compile(text, "<string>", "exec")
        methods[text] = marshal.dumps(code)  # singly: a function loads what it needs
        exec(code, names, found)  # noqa: S102 - dataclasses' own call

    dataclasses.exec = execute  # type: ignore[attr-defined]
    sys.path[:0] = [layer]
    for name in (*LIBRARIES, *our_modules()):
        import_module(name)
    session = import_module("botocore.session").Session()
    session.create_client("dynamodb", region_name="us-east-1")
    cache = re._cache  # noqa: SLF001
    patterns = [(pattern, int(flags), compiled(pattern, int(flags))) for _, pattern, flags in cache]
    compilers = (MAGIC_NUMBER, _sre.MAGIC, _sre.CODESIZE)
    Path(file).write_bytes(marshal.dumps((compilers, patterns, methods)))


def our_modules() -> Iterator[str]:
    """Yield every module of the package except Tencent's and `cold_start`, which reads the file."""
    package = import_module("orderdesk")
    for module in pkgutil.walk_packages(package.__path__, "orderdesk."):
        if module.name != "orderdesk.cold_start" and "tencent" not in module.name:
            yield module.name


def compiled(pattern: str | bytes, flags: int) -> tuple[Any, ...]:
    """Return the arguments that `re`'s compiler passes to its engine for a pattern."""
    asked: list[tuple[Any, ...]] = []
    engine = _sre.compile
    _sre.compile = lambda *arguments: asked.append(arguments)
    try:
        _compiler.compile(pattern, flags)
    finally:
        _sre.compile = engine
    ((source, all_flags, code, groups, names, by_index),) = asked
    return source, int(all_flags), [int(word) for word in code], groups, dict(names), by_index


if __name__ == "__main__":
    main(*sys.argv[1:])
