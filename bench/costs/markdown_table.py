"""Tables and numbers as the page shows them."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Write a Markdown table, line by line, and an empty line behind it."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def usd(amount: Decimal) -> str:
    """Write dollars to the cent."""
    return f"{amount:,.2f}"


def count(quantity: Decimal) -> str:
    """Write a quantity: whole, or with two decimals."""
    return f"{quantity:,.0f}" if quantity == quantity.to_integral_value() else f"{quantity:,.2f}"
