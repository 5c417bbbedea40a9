"""Shorten a cold start. Every function imports this module first.

Importing takes most of a cold start. More than a third of that time is saved:

- Compiling text that was known when the layer was built. Modules come as bytecode, but regular
  expressions (urllib3's alone take a tenth of the time) and the methods of dataclasses are compiled
  from text in every process. The build stores the compiled results (build_cold_start.py). This
  module puts the expressions into the cache of `re`, and replaces `exec` in `dataclasses`. Both are
  private, so `make bench` measures what that saves (docs/benchmarks.md). All are looked up by their
  text, and an unknown text is compiled as usual. If the file was built by another Python, nothing
  of it is used.
- Garbage collection while modules load, which finds almost nothing. It is off until `over()`,
  which also excludes everything loaded so far from later collections.

Outside Lambda the module does nothing, so it does not affect tests or tools.
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
    """End the cold start: enable garbage collection for objects that are created from now on."""
    if IN_LAMBDA:
        gc.freeze()
        gc.enable()


def load(file: str) -> bool:
    """Load what a build compiled. Return False if there is no file, or it is another Python's."""
    try:
        with open(file, "rb") as kept:  # noqa: PTH123 - pathlib would be most of the time
            # Read at once, because marshal reads a file a few bytes at a time.
            compilers, patterns, methods = marshal.loads(kept.read())  # noqa: S302 - our own
    except FileNotFoundError:
        return False
    if compilers != COMPILERS:
        return False
    # `re` has no public API for this. The keys are those that it looks up.
    cache = re._cache  # type: ignore[attr-defined]  # noqa: SLF001
    for pattern, flags, compiled in patterns:
        cache[type(pattern), pattern, flags] = _sre.compile(*compiled)
    _methods.update(methods)
    # A module's own name is found before the built-in function of that name.
    dataclasses.exec = _execute  # type: ignore[attr-defined]
    return True


def _execute(text: str, names: dict[str, Any], found: dict[str, Any]) -> None:
    kept = _methods.get(text)
    code = text if kept is None else marshal.loads(kept)  # noqa: S302 - our own, read-only
    exec(code, names, found)  # noqa: S102 - dataclasses' own call


if IN_LAMBDA:
    gc.disable()
    load(COMPILED)
