"""Decode a file in a separate process, so a malicious file can only crash that process."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from orderdesk.domain.receipts.files import ReceiptProblem, ReceiptType, UnfitReceipt
from orderdesk.services.orders.render_receipt import Pictures

# The process limits its own CPU time; this limits a process that only waits.
_SECONDS_MAX = 14
# The script's exit statuses.
_DRAWN = 0
_PROBLEMS = {
    10: ReceiptProblem.DAMAGED,
    11: ReceiptProblem.TOO_COMPLEX,
    12: ReceiptProblem.NO_CODE,
    13: ReceiptProblem.SEVERAL_CODES,
    14: ReceiptProblem.BLANK,
}
# Needed for Python's libraries on Lambda; the process gets no credentials.
_PASSED_ON = ("LD_LIBRARY_PATH", "PATH")


class DrawingProcess:
    """Run the script that draws its standard input; the decoders never run in this process."""

    def __init__(self, script: Path) -> None:
        self._command = [sys.executable, "-E", "-s", "-B", str(script)]
        self._environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}

    def draw(self, content: bytes, kind: ReceiptType) -> Pictures:
        return _parsed(self._run(content, kind.value), _pictures, "drawing failed: no pictures")

    def read_code(self, content: bytes, kind: ReceiptType) -> str:
        output = self._run(content, kind.value, "code")
        return _parsed(
            output, lambda answer: str(answer["text"]), "reading the code failed: no text"
        )

    def _run(self, content: bytes, *arguments: str) -> bytes:
        """Return the script's output. Raises: UnfitReceipt, RuntimeError."""
        try:
            done = subprocess.run(  # noqa: S603 - our own script; the file is its input only
                [*self._command, *arguments],
                input=content,
                capture_output=True,
                env=self._environment,
                timeout=_SECONDS_MAX,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UnfitReceipt(ReceiptProblem.TOO_COMPLEX) from None
        if done.returncode in _PROBLEMS:
            raise UnfitReceipt(_PROBLEMS[done.returncode])
        if done.returncode < 0:  # ended by the system
            raise UnfitReceipt(ReceiptProblem.TOO_COMPLEX)
        if done.returncode != _DRAWN:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise RuntimeError(f"drawing failed: {done.returncode} {last}")
        return done.stdout


def _pictures(answer: Mapping[str, Any]) -> Pictures:
    pages = tuple(base64.b64decode(page) for page in answer["pages"])
    if not pages:
        raise ValueError
    return Pictures(pages, base64.b64decode(answer["preview"]))


def _parsed[T](output: bytes, parse: Callable[[Any], T], missing: str) -> T:
    """Parse the script's output. Raises: RuntimeError, which never quotes the output."""
    try:
        return parse(json.loads(output))
    except (ValueError, LookupError, TypeError, RecursionError):
        raise RuntimeError(missing) from None
