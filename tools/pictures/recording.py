"""A terminal command as an animated SVG: each line appears when the command printed it."""

import subprocess
import time
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

from tools.templates import templates

COLUMNS = 104
PAUSE_SECONDS_MAX = 0.8  # a longer pause is shortened
LINE_HEIGHT, CHARACTER_WIDTH, MARGIN = 18, 7.83, 16
PROMPT = "$ make demo"
STEP = (2, 12, 59)  # the first columns of a step, as local/demo/steps.py prints it
_TEMPLATE = templates(Path(__file__).parent).get_template("recording.svg.jinja")

type Line = tuple[float, str]
"""Seconds since the start, and the text."""


def record(command: Sequence[str]) -> str:
    """Run a command and return its recording as SVG. Raises: CalledProcessError if it fails."""
    lines: list[Line] = []
    at = last = time.monotonic()
    shown = 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for text in process.stdout:
            at = time.monotonic()
            shown += min(at - last, PAUSE_SECONDS_MAX)
            last = at
            lines.append((shown, text.rstrip("\n")))
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    return drawn(lines)


def drawn(lines: Sequence[Line]) -> str:
    """Return lines as SVG. The animation only hides a line: without it the whole text is there."""
    rows = [(0.0, PROMPT), *lines]
    return _TEMPLATE.render(
        name=PROMPT[2:],
        width=round(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN,
        height=len(rows) * LINE_HEIGHT + 2 * MARGIN,
        margin=MARGIN,
        rows=[_row(number, *row) for number, row in enumerate(rows) if row[1]],
    )


def _row(number: int, seconds: float, text: str) -> tuple[str, float, int, list[tuple[int, str]]]:
    """Return a line's class, time, place and parts; a step has three: actor, action, outcome."""
    is_step = text.startswith("  ")
    starts = STEP if is_step else (0,)
    parts = [
        (MARGIN + round(start * CHARACTER_WIDTH), _cut(text[start:end].strip(), start))
        for start, end in pairwise((*starts, len(text)))
    ]
    look = "line" if is_step or text.startswith("$") else "line title"
    return look, seconds, MARGIN + (number + 1) * LINE_HEIGHT - 5, parts


def _cut(text: str, start: int) -> str:
    room = COLUMNS - start
    return escape(text if len(text) <= room else text[: room - 1] + "…", quote=False)
