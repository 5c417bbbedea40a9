"""Markdown tables."""

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = f"|{'---|' * len(heads)}"
    first, *rest = (f"| {' | '.join(row)} |" for row in (heads, *rows))
    return "\n".join([first, rule, *rest])
