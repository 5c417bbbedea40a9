"""Renders the blocks of a sheet as HTML, for the console.

Names link to their pages and carry the id, which is shown on hover and by a button that copies it.
The caller's templates bring the styles of `facts`, `fold`, `chip` and `number`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.layout import Block, Cell
from orderdesk_cli.sheets.sheet import Kind

type LinkTo = Callable[[Cell], str | None]
"""Returns the address of a cell's page; None where it has none, or the caller may not see it."""

COPIED = frozenset(
    {Kind.CODE, Kind.ORDER, Kind.CALLBACK, Kind.PROPOSAL, Kind.MERCHANT, Kind.TRADER}
)
"""Kinds whose value has a button that copies it."""


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
    made.globals |= {"COPIED": COPIED, "Kind": Kind}
    return made


def rendered(blocks: Iterable[Block], link_to: LinkTo, copy_label: str) -> Markup:
    """Render blocks one after the other."""
    every: Sequence[Block] = list(blocks)
    template = environment().get_template("blocks.html")
    return Markup(  # noqa: S704 a template that escapes every value
        template.render(blocks=every, link_to=link_to, copy_label=copy_label)
    )


def without_controls(value: object) -> object:
    """Replace control and bidirectional characters in texts of merchants, payers and traders."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, kept="\n")
    return value
