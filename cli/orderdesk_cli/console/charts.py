"""Bar charts as numbers for an SVG; the same numbers stand in a table beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 360
HEIGHT = 110
LABELS = 20
TICKS_MAX = 8
_BAR_TENTHS = 7  # of its place


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, in the units of its SVG; `value` is the text of its size, `tick` its label below."""

    x: int
    y: int
    width: int
    height: int
    label: str
    tick: str
    value: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart; `unit` says what the values are."""

    name: str
    unit: str
    bars: Sequence[Bar]
    width: int = WIDTH
    height: int = HEIGHT + LABELS
    base: int = HEIGHT


def bar_chart(
    name: str, unit: str, sizes: Sequence[tuple[str, int, str]], *, full: int = 0
) -> Chart:
    """Draw bars of (label, size, text of the size); sizes are 0 or more.

    The largest bar, or a size of `full` if that is more, is as high as the chart. Of many bars only
    some have their label below.
    """
    largest = max(full, 1, *(size for _, size, _ in sizes))
    place = WIDTH // len(sizes)
    width = place * _BAR_TENTHS // 10
    step = -(-len(sizes) // TICKS_MAX)
    bars = []
    for index, (label, size, value) in enumerate(sizes):
        height = size * HEIGHT // largest
        x = index * place + (place - width) // 2
        tick = "" if index % step else label
        bars.append(Bar(x, HEIGHT - height, width, height, label, tick, value))
    return Chart(name, unit, bars)
