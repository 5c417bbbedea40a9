"""Makes a cold start cheaper; every function imports this module first.

Importing takes most of a cold start, and a third of that time has no use:

- Compiling what was known when the layer was built. Modules come as bytecode, but regular
  expressions (urllib3's alone take a tenth of the time) and the methods of dataclasses are text
  that Python compiles again in every process. The build stores the compiled results
  (build_cold_start.py). This module puts the expressions into the cache of `re`, and gives
  `dataclasses` the compiled methods. Both are found by their text, so an unknown text is compiled
  as usual. A Python other than the build's uses nothing of the file. In the worst case a start is
  as slow as without it.
- Collecting garbage while modules load, although they leave almost none. Collection is off until
  `over()`, which also excludes everything loaded so far from later collections.

It has an effect only inside Lambda, so a test or a tool that imports a function is unchanged.
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
    """End the cold start: turn garbage collection on, without the objects that exist now."""
    if IN_LAMBDA:
        gc.freeze()
        gc.enable()


def know(file: str) -> bool:
    """Load what a build compiled, if the file exists and fits this Python; tell whether it did."""
    try:
        with open(file, "rb") as kept:  # noqa: PTH123 - pathlib would be most of the time
            # Read at once, because marshal reads a file a few bytes at a time.
            compilers, patterns, methods = marshal.loads(kept.read())  # noqa: S302 - our own
    except FileNotFoundError:
        return False
    if compilers != COMPILERS:
        return False
    # There is no public API. The keys are those that `re` looks up.
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
