"""Bar charts of a day's figures, as numbers for an SVG; a table beside it has the values."""

from collections.abc import Iterator, Mapping, Sequence

from orderdesk_cli.language import Language
from orderdesk_cli.sheets.layout import duration_text
from orderdesk_cli.sheets.ledger import CHARTS
from orderdesk_cli.sheets.sheet import Json, value_at

WIDTH, HEIGHT = 360, 110
_TICKS_MAX = 8


def charts_of(data: Json, language: Language) -> Iterator[Mapping[str, object]]:
    """Yield the charts of a day's live orders.

    Each has a name, the largest value, bars (label, value, height), the width of a bar's place, and
    the step between the bars whose label is written below.
    """
    ends = value_at(data, "figures.live.confirm_class_seconds")
    for name, label in CHARTS.items():
        values = value_at(data, f"figures.live.{name}")
        if not isinstance(values, Sequence) or not any(map(_size, values)):
            continue
        labels = [f"{hour:02}" for hour in range(len(values))]
        if name == "confirmed_by_class" and isinstance(ends, Sequence):
            texts = [duration_text(int(str(end)), language) for end in ends]
            labels = [*(f"≤{text}" for text in texts), f">{texts[-1]}"]
        largest = max(map(_size, values))
        heights = [_size(value) * HEIGHT // largest for value in values]
        yield {
            "name": label[language],
            "largest": str(max(values, key=_size)),
            "bars": list(zip(labels, values, heights, strict=True)),
            "place": WIDTH // len(values),
            "step": -(-len(values) // _TICKS_MAX),
        }


def _size(value: Json) -> int:
    """Return a count, or an amount in its smallest unit."""
    return int(str(value).replace(".", ""))
