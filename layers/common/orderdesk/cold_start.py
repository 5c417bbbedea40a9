"""Imported before all else by every function: it makes the rest of a cold start cheaper.

What a cold start pays for is importing, and a third of that buys nothing:

- Compiling what was known when the layer was built. Modules come as bytecode, but regular
  expressions (urllib3's alone take a tenth of the time) and the methods of dataclasses are text
  that Python compiles anew in every process. The build keeps what the compilers made of them
  (build_cold_start.py); here `re` gets the one into its cache, and `dataclasses` the other in
  place of text. Both are found by that very text, so what is not known is compiled as ever; and
  another Python than the build's takes nothing. The worst case is a start as slow as without.
- Collecting garbage while modules load, which leave next to none. It is off until `over()`, which
  also puts what was loaded out of the collector's sight for good.

Only inside Lambda: a test or a tool that imports a function goes on as it was.
"""

import _sre
import dataclasses
import gc
import marshal
import os
import re
from importlib._bootstrap_external import MAGIC_NUMBER
from typing import Any

IN_LAMBDA = "LAMBDA_TASK_ROOT" in os.environ
COMPILED = __file__.removesuffix("cold_start.py") + "compiled.marshal"
COMPILERS = (MAGIC_NUMBER, _sre.MAGIC, _sre.CODESIZE)

_methods: dict[str, bytes] = {}


def over() -> None:
    """End the cold start: collect garbage again, but nothing that exists now."""
    if IN_LAMBDA:
        gc.freeze()
        gc.enable()


def know(file: str) -> bool:
    """Take what a build compiled, if it is there and this Python's; tell whether."""
    try:
        with open(file, "rb") as kept:  # noqa: PTH123 - pathlib would be most of the time
            # Read whole: marshal asks a file for every few bytes.
            compilers, patterns, methods = marshal.loads(kept.read())  # noqa: S302 - our own
    except FileNotFoundError:
        return False
    if compilers != COMPILERS:
        return False
    # There is no public way in. The keys are what `re` looks up.
    cache = re._cache  # type: ignore[attr-defined]  # noqa: SLF001
    for pattern, flags, compiled in patterns:
        cache[type(pattern), pattern, flags] = _sre.compile(*compiled)
    _methods.update(methods)
    dataclasses.exec = _execute  # type: ignore[attr-defined] # before the built-in of that name
    return True


def _execute(text: str, names: dict[str, Any], found: dict[str, Any]) -> None:
    kept = _methods.get(text)
    code = text if kept is None else marshal.loads(kept)  # noqa: S302 - our own, read-only
    exec(code, names, found)  # noqa: S102 - dataclasses' own call


if IN_LAMBDA:
    gc.disable()
    know(COMPILED)
