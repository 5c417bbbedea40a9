"""Makes a cold start cheaper; every function imports this module first.

Importing takes most of a cold start, and a third of that time has no use:

- Compiling text that was known when the layer was built. Modules come as bytecode, but regular
  expressions (urllib3's alone take a tenth of the time), the methods of dataclasses and the
  annotations of typed dictionaries (pydantic_core has 556) are compiled from text in every
  process. The build stores the compiled results (build_cold_start.py). This module puts the
  expressions into the cache of `re`, and replaces `exec` in `dataclasses` and `compile` in
  `typing`. All are looked up by their text, and an unknown text is compiled as usual. If the file
  was built by another Python, nothing of it is used.
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
import typing
from importlib._bootstrap_external import MAGIC_NUMBER

IN_LAMBDA = "LAMBDA_TASK_ROOT" in os.environ
COMPILED = __file__.removesuffix("cold_start.py") + "compiled.marshal"
COMPILERS = (MAGIC_NUMBER, _sre.MAGIC, _sre.CODESIZE)

_methods: dict[str, bytes] = {}
_annotations: dict[str, bytes] = {}


def over() -> None:
    """End the cold start: turn garbage collection on, without the objects that exist now."""
    if IN_LAMBDA:
        gc.freeze()
        gc.enable()


def know(file: str) -> bool:
    """Load what a build compiled. Return False if there is no file, or it is another Python's."""
    try:
        with open(file, "rb") as kept:  # noqa: PTH123 - pathlib would be most of the time
            # Read at once, because marshal reads a file a few bytes at a time.
            compilers, patterns, methods, annotations = marshal.loads(kept.read())  # noqa: S302 - our own
    except FileNotFoundError:
        return False
    if compilers != COMPILERS:
        return False
    # There is no public API. The keys are those that `re` looks up.
    cache = re._cache  # type: ignore[attr-defined]  # noqa: SLF001
    for pattern, flags, compiled in patterns:
        cache[type(pattern), pattern, flags] = _sre.compile(*compiled)
    _methods.update(methods)
    _annotations.update(annotations)
    # A module's own name is found before the built-in function of that name.
    dataclasses.exec = _execute  # type: ignore[attr-defined]
    typing.compile = _compile  # type: ignore[attr-defined]
    return True


def _execute(text: str, names: dict[str, typing.Any], found: dict[str, typing.Any]) -> None:
    kept = _methods.get(text)
    code = text if kept is None else marshal.loads(kept)  # noqa: S302 - our own, read-only
    exec(code, names, found)  # noqa: S102 - dataclasses' own call


def _compile(text: str, file: str, mode: str) -> typing.Any:
    kept = _annotations.get(text)
    return compile(text, file, mode) if kept is None else marshal.loads(kept)  # noqa: S302 - same


if IN_LAMBDA:
    gc.disable()
    know(COMPILED)
