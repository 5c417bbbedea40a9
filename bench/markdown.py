"""Markdown tables, as the pages of docs have them."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table."""
    rule = f"|{'---|' * len(heads)}"
    first, *rest = (f"| {' | '.join(row)} |" for row in (heads, *rows))
    return "\n".join([first, rule, *rest])
