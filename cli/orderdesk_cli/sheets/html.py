"""Renders the blocks of a sheet as HTML, for the console.

Names link to their pages and carry the id, which is shown on hover and by a button that copies it.
The caller's templates bring the styles of `facts`, `fold`, `chip` and `number`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.layout import Block, Cell, grouped
from orderdesk_cli.sheets.sheet import UNFOLDED, Kind

type LinkTo = Callable[[Cell], str | None]
"""Returns the address of a cell's page; None where it has none, or the caller may not see it."""

_COPIED = frozenset(
    {Kind.CODE, Kind.ORDER, Kind.CALLBACK, Kind.PROPOSAL, Kind.MERCHANT, Kind.TRADER}
)
_NAMED = frozenset({Kind.PERSON, Kind.SUBJECT})
# A command, an event's type or a kind of finding; ids, which may have letters only, are longer.
_WORD = re.compile(r"[a-z]+([._-][a-z]+)+\Z|[a-z]{1,11}\Z")

_LARGE = re.compile(r"[+-]?[0-9]{4,}(\.[0-9]+)?\Z")
_ACROSS_MAX = 10
_WORD_LENGTH_MAX = 20


@cache
def environment() -> Environment:
    """Return the templates' environment; every value is escaped and shown without controls."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=without_controls,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "Kind": Kind,
        "WHOLE": UNFOLDED | {Kind.SUBJECT},
        "arranged": arranged,
        "is_any": is_any,
        "is_long": is_long,
        "to_copy": to_copy,
        "written": written,
    }
    return made


def rendered(blocks: Iterable[Block], link_to: LinkTo, copy_label: str) -> Markup:
    """Render blocks one after the other."""
    every: Sequence[Block] = list(blocks)
    template = environment().get_template("blocks.html")
    return Markup(  # noqa: S704 a template that escapes every value
        template.render(blocks=every, link_to=link_to, copy_label=copy_label)
    )


def written(cell: Cell) -> str:
    """Return a cell's text, a large number with a comma before each three digits."""
    is_large = cell.kind is Kind.NUMBER and _LARGE.match(cell.text) is not None
    return grouped(cell.text) if is_large else cell.text


def to_copy(cell: Cell) -> str:
    """Return what a cell's button copies; empty if it has none."""
    value = cell.value if isinstance(cell.value, str) else ""
    if is_long(cell):
        return value
    if cell.kind in _NAMED:
        return value if value != cell.text else ""
    return value if cell.kind in _COPIED and _WORD.match(value) is None else ""


def is_long(cell: Cell) -> bool:
    """Return whether a table shows only the beginning of a cell: one long word, as UUIDs are."""
    return cell.kind is Kind.TEXT and len(cell.text) > _WORD_LENGTH_MAX and " " not in cell.text


def arranged(block: Block) -> tuple[Sequence[int], Sequence[int]]:
    """Return which columns a table has, and which are written below each row.

    Empty wide columns are left out, and so are wide columns for which there is no place.
    """
    across: list[int] = []
    below: list[int] = []
    for index, column in enumerate(block.columns):
        if column.kind is Kind.ASIDE:
            below.append(index)
        elif not column.wide or (
            len(across) < _ACROSS_MAX and any(row[index].text for row in block.rows)
        ):
            across.append(index)
    return across, below


def is_any(row: Sequence[Cell], indexes: Sequence[int]) -> bool:
    """Return whether a row has a text in any of the columns."""
    return any(row[index].text for index in indexes)


def without_controls(value: object) -> object:
    """Replace control and bidirectional characters in texts of merchants, payers and traders."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, kept="\n")
    return value
