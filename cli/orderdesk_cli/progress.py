"""A bar on stderr for answers that come in parts; it is removed at the end."""

import sys
from collections.abc import Iterator, Mapping

from orderdesk_cli.sheets.sheet import Json, value_at

_OF_PARTS = frozenset({"next", "progress"})


def last_part(parts: Iterator[Mapping[str, Json]], *, is_drawn: bool) -> dict[str, Json]:
    """Read parts until the last, which is the whole answer; draw how far each says it is."""
    read = _drawn(parts) if is_drawn and sys.stderr.isatty() else parts
    *_, last = read
    return {name: value for name, value in last.items() if name not in _OF_PARTS}


def _drawn(parts: Iterator[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    """Draw the `progress` of each part: `done`, `of`, and perhaps a `text`."""
    from rich.console import Console  # noqa: PLC0415 Rich is loaded only to draw
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415 as above

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=None)
        for part in parts:
            done, total = value_at(part, "progress.done"), value_at(part, "progress.of")
            text = value_at(part, "progress.text") or "Reading"
            if isinstance(done, int) and isinstance(total, int):
                bar.update(task, description=str(text), completed=done, total=total)
            yield part
