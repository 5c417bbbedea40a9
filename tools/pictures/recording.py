"""A terminal command as an animated SVG: each line appears when the command printed it."""

import subprocess
import time
from collections.abc import Sequence
from html import escape
from itertools import pairwise

COLUMNS = 104
PAUSE_SECONDS_MAX = 0.8  # a longer pause is shortened
LINE_HEIGHT, CHARACTER_WIDTH, MARGIN = 18, 7.83, 16
PROMPT = "$ make demo"
STEP = (2, 12, 59)  # the first columns of a step, as local/demo/steps.py prints it
# The animation only hides a line: without animations the whole text is there.
STYLE = """
svg { font: 13px ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
rect { fill: #10191a; }
text { fill: #d5e0de; }
.title { fill: #62d2b4; font-weight: 700; }
tspan:first-child { fill: #7fb6ff; }
.line { animation: hidden 0s step-end; }
@keyframes hidden { from, to { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .line { animation: none; } }
"""

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
    width = round(COLUMNS * CHARACTER_WIDTH) + 2 * MARGIN
    height = (len(lines) + 1) * LINE_HEIGHT + 2 * MARGIN
    rows = [(0.0, PROMPT), *lines]
    texts = [_text(number, *row) for number, row in enumerate(rows) if row[1]]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{PROMPT[2:]}">\n'
        f"<style>{STYLE}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8"/>\n' + "\n".join(texts) + "\n</svg>\n"
    )


def _text(number: int, seconds: float, text: str) -> str:
    """Return one line; a step has three columns: actor, action, outcome."""
    y = MARGIN + (number + 1) * LINE_HEIGHT - 5
    if text.startswith("  "):
        parts = (text[start:end].strip() for start, end in pairwise((*STEP, len(text))))
        content = "".join(
            f'<tspan x="{MARGIN + round(start * CHARACTER_WIDTH)}">{_content(part, start)}</tspan>'
            for start, part in zip(STEP, parts, strict=True)
        )
    else:
        content = _content(text, 0)
    title = "" if text.startswith(("  ", "$")) else " title"
    return (
        f'<text class="line{title}" style="animation-duration:{seconds:.2f}s" '
        f'x="{MARGIN}" y="{y}">{content}</text>'
    )


def _content(text: str, start: int) -> str:
    room = COLUMNS - start
    return escape(text if len(text) <= room else text[: room - 1] + "…", quote=False)
