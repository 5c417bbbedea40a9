"""Many things, shown while they are read: nothing is kept of those that are shown.

People get tables of a page each, at a terminal in a pager, which asks for the next page when it is
wanted. Programs get one JSON array, or CSV.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import batched, chain

from orderdesk.domain.csv_cells import csv_lines
from orderdesk_cli.confirmation import is_at_terminal
from orderdesk_cli.output import Json, json_text, listing
from orderdesk_cli.terminal import console

ROWS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Listed[T]:
    """What a command found, one by one: `data` of each for programs, `row` of each for people.

    With `csv_row` it is shown as CSV, whose columns are `csv_columns`.
    """

    items: Iterator[T]
    data: Callable[[T], Json]
    columns: Sequence[str]
    row: Callable[[T], Sequence[str]]
    empty: str
    csv_columns: Sequence[str] = ()
    csv_row: Callable[[T], Sequence[str]] | None = None


def show_listed[T](listed: Listed[T], *, as_json: bool) -> None:
    """Print a listing. What goes wrong before the first page is read leaves stdout empty."""
    pages = batched(listed.items, ROWS_A_PAGE, strict=False)
    first = next(pages, ())
    texts = _texts(listed, chain((first,), pages) if first else iter(()), as_json=as_json)
    if is_at_terminal() and len(first) == ROWS_A_PAGE and not as_json and listed.csv_row is None:
        _to_pager(texts)
        return
    for text in texts:
        print(text, end="", flush=True)


def _texts[T](listed: Listed[T], pages: Iterator[tuple[T, ...]], *, as_json: bool) -> Iterator[str]:
    if as_json:
        return _json_pages(listed, pages)
    if listed.csv_row is not None:
        return _csv_pages(listed.csv_columns, listed.csv_row, pages)
    return _tables(listed, pages)


def _json_pages[T](listed: Listed[T], pages: Iterator[tuple[T, ...]]) -> Iterator[str]:
    before = "["
    for page in pages:
        parts = []
        for item in page:
            parts.append(f"{before}\n{json_text(listed.data(item))}")
            before = ","
        yield "".join(parts)
    yield "[]\n" if before == "[" else "\n]\n"


def _csv_pages[T](
    columns: Sequence[str], row: Callable[[T], Sequence[str]], pages: Iterator[tuple[T, ...]]
) -> Iterator[str]:
    yield csv_lines([columns])
    for page in pages:
        yield csv_lines(row(item) for item in page)


def _tables[T](listed: Listed[T], pages: Iterator[tuple[T, ...]]) -> Iterator[str]:
    is_empty = True
    for page in pages:
        yield _drawn(listed, page)
        is_empty = False
    if is_empty:
        yield f"{listed.empty}\n"


def _drawn[T](listed: Listed[T], page: Sequence[T]) -> str:
    made = console()
    with made.capture() as drawn:
        made.print(listing(listed.columns, [listed.row(item) for item in page], listed.empty))
    return drawn.get()


def _to_pager(texts: Iterator[str]) -> None:
    """Write pages to PAGER, or `less`; the pipe is small, so pages are read as they are wanted."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    found = shutil.which(command[0]) if command else None
    if found is None:
        for text in texts:
            print(text, end="", flush=True)
        return
    environment = {"LESS": "FRX", **os.environ}
    words = [found, *command[1:]]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, text=True) as pager:  # noqa: S603 the operator's own pager
        assert pager.stdin is not None
        # Whoever has seen enough leaves the pager before the last page.
        with suppress(BrokenPipeError), pager.stdin:
            for text in texts:
                pager.stdin.write(text)
                pager.stdin.flush()
