"""Bar charts as numbers for an SVG; the same numbers stand in a table beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 120
BAR_WIDTH = 24
GAP = 6
LABELS = 28
TOP = 16


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, in the units of its SVG; `value` is the text of its size."""

    x: int
    y: int
    height: int
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart; `unit` says what the values are."""

    name: str
    unit: str
    bars: Sequence[Bar]
    width: int
    height: int = HEIGHT + LABELS + TOP
    base: int = HEIGHT + TOP
    bar_width: int = BAR_WIDTH


def bar_chart(name: str, unit: str, sizes: Sequence[tuple[str, int, str]]) -> Chart:
    """Draw bars of (label, size, text of the size), as high as their sizes; sizes are 0 or more."""
    largest = max((size for _, size, _ in sizes), default=0) or 1
    bars = []
    for index, (label, size, value) in enumerate(sizes):
        height = size * HEIGHT // largest
        bars.append(Bar(index * (BAR_WIDTH + GAP), TOP + HEIGHT - height, height, label, value))
    return Chart(name, unit, bars, max(len(sizes) * (BAR_WIDTH + GAP) - GAP, 1))
