"""Bar charts of a day's figures, as numbers for an SVG; a table beside it has the values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orderdesk_cli.sheets.layout import Language, duration_text
from orderdesk_cli.sheets.ledger import CHARTS
from orderdesk_cli.sheets.sheet import Json, value_at

WIDTH, HEIGHT, LABELS = 360, 110, 20
_TICKS_MAX = 8
_BAR_TENTHS = 7  # of its place


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in the units of its SVG, its label, and its value as text."""

    x: int
    y: int
    width: int
    height: int
    label: str
    tick: str
    value: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart."""

    name: str
    bars: Sequence[Bar]
    width: int = WIDTH
    height: int = HEIGHT + LABELS
    base: int = HEIGHT


def charts_of(data: Json, language: Language) -> Iterator[Chart]:
    """Yield the charts of a day's live orders."""
    ends = value_at(data, "figures.live.confirm_class_seconds")
    for name, label in CHARTS:
        values = value_at(data, f"figures.live.{name}")
        if not isinstance(values, Sequence) or not any(map(_size, values)):
            continue
        labels = [f"{hour:02}" for hour in range(len(values))]
        if name == "confirmed_by_class" and isinstance(ends, Sequence):
            texts = [duration_text(int(str(end)), language) for end in ends]
            labels = [*(f"≤{text}" for text in texts), f">{texts[-1]}"]
        yield Chart(label[language], list(_bars(labels, values)))


def _bars(labels: Sequence[str], values: Sequence[Json]) -> Iterator[Bar]:
    """Yield bars, the largest as high as the chart; of many only some have a tick."""
    largest, place = max(map(_size, values)), WIDTH // len(values)
    width, step = place * _BAR_TENTHS // 10, -(-len(values) // _TICKS_MAX)
    for index, (label, value) in enumerate(zip(labels, values, strict=True)):
        height, x = _size(value) * HEIGHT // largest, index * place + (place - width) // 2
        tick = "" if index % step else label
        yield Bar(x, HEIGHT - height, width, height, label, tick, str(value))


def _size(value: Json) -> int:
    """Return a count, or an amount in its smallest unit."""
    return int(str(value).replace(".", ""))
