"""Draws many files as `functions/render_receipt/draw.py` does, without starting Python for each.

As a program it loads the decoders once. Then a forked process draws each file with the script's
`main` and the script's limits. A line on standard input is a file, a line on standard output its
result.
"""

import base64
import importlib.util
import io
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

SCRIPT = Path(__file__).parents[2] / "functions" / "render_receipt" / "draw.py"
_FAILED = 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """The result of a file: `status` as in `subprocess`, `answer` from standard output."""

    status: int
    cpu_seconds: float
    errors: str
    answer: str = field(repr=False)


class Drawer:
    """Sends files to the program below."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def draw(self, content: bytes, media_type: str) -> Drawn:
        """Draw one file."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        text = base64.b64encode(content).decode("ascii")
        asked.write(json.dumps({"content": text, "type": media_type}) + "\n")
        asked.flush()
        return Drawn(**json.loads(answers.readline()))


@contextmanager
def open_drawer() -> Iterator[Drawer]:
    """Start the program; end it after the block."""
    command = [sys.executable, __file__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Drawer(process)
        finally:
            process.kill()


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _serve(script: ModuleType) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        drawn = _in_a_process(script, base64.b64decode(asked["content"]), asked["type"])
        sys.stdout.write(json.dumps(drawn) + "\n")
        sys.stdout.flush()


def _in_a_process(script: ModuleType, content: bytes, media_type: str) -> dict[str, Any]:
    answers, answer_end = os.pipe()
    errors, error_end = os.pipe()
    if (process := os.fork()) == 0:
        os._exit(_draw(script, content, media_type, answer_end, error_end))
    os.close(answer_end)
    os.close(error_end)
    with os.fdopen(answers, "rb") as written, os.fdopen(errors, "rb") as said:
        answer, error = written.read(), said.read()
    _, status, used = os.wait4(process, 0)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "errors": error.decode("utf-8", "replace"),
        "answer": answer.decode("ascii"),
    }


def _draw(
    script: ModuleType, content: bytes, media_type: str, answer_end: int, error_end: int
) -> int:
    script.bound()
    os.dup2(error_end, 1)
    os.dup2(error_end, 2)
    sys.stdin = io.TextIOWrapper(io.BytesIO(content))
    try:
        status = int(script.main(answer_end, media_type))
    except BaseException:  # noqa: BLE001 - as at the end of a script
        traceback.print_exc()
        return _FAILED
    return status


if __name__ == "__main__":
    _serve(_load())
