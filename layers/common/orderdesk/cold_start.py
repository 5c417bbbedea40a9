"""Shorten a cold start. Every function imports this module first.

Importing takes most of a cold start. A third of that time can be saved:

- Compiling text that was known when the layer was built. Modules come as bytecode, but regular
  expressions (urllib3's alone take a tenth of the time), the methods of dataclasses and the
  annotations of typed dictionaries (pydantic_core has 556) are compiled from text in every
  process. The build stores the compiled results (build_cold_start.py). This module puts the
  expressions into the cache of `re`, and replaces `exec` in `dataclasses` and `compile` in
  `typing`. All are looked up by their text, and an unknown text is compiled as usual. If the file
  was built by another Python, nothing of it is used.
- pyOpenSSL. Where it is installed, botocore imports it, only to find Python's own SSLContext.
- pydantic's search for plugins among the installed distributions; there are none.
- importlib.metadata, of which urllib3 and pydantic then only import functions. With zipfile, which
  it needs, it is a fiftieth of the time. A stand-in loads it on the first call.
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
import sys
import types
import typing
from collections.abc import Callable
from importlib import import_module
from importlib._bootstrap_external import MAGIC_NUMBER

METADATA = "importlib.metadata"
IN_LAMBDA = "LAMBDA_TASK_ROOT" in os.environ
COMPILED = __file__.removesuffix("cold_start.py") + "compiled.marshal"
COMPILERS = (MAGIC_NUMBER, _sre.MAGIC, _sre.CODESIZE)

_methods: dict[str, bytes] = {}
_annotations: dict[str, bytes] = {}


class Later(types.ModuleType):
    """A module whose functions import the module of this name when they are called."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("__"):
            raise AttributeError(name)

        def called(*values: object, **named: object) -> object:
            self.end()
            return getattr(import_module(self.__name__), name)(*values, **named)

        return called

    def end(self) -> None:
        """Remove the stand-in, so that the next import finds the real module."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]


_metadata = Later(METADATA)


def over() -> None:
    """End the cold start: enable garbage collection for objects that are created from now on."""
    if IN_LAMBDA:
        _metadata.end()
        gc.freeze()
        gc.enable()


def load(file: str) -> bool:
    """Load what a build compiled. Return False if there is no file, or it is another Python's."""
    try:
        with open(file, "rb") as kept:  # noqa: PTH123 - pathlib would be most of the time
            # Read at once, because marshal reads a file a few bytes at a time.
            compilers, patterns, methods, annotations = marshal.loads(kept.read())  # noqa: S302 - our own
    except FileNotFoundError:
        return False
    if compilers != COMPILERS:
        return False
    # `re` has no public API for this. The keys are those that it looks up.
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
    sys.modules.setdefault("urllib3.contrib.pyopenssl", None)  # type: ignore[arg-type]
    sys.modules.setdefault(METADATA, _metadata)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    load(COMPILED)
