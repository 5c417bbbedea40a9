"""The contract's table of moves (docs/contract.md, section 6), from the transition table."""

import re
from collections.abc import Iterator
from pathlib import Path

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Transition
from tools.markdown import table
from tools.openapi.document import ROOT

CONTRACT: Path = ROOT / "docs" / "contract.md"
_HEADS = ("Type", "Move", "From", "To", "By", "The money that the order holds")
_TABLE = re.compile(rf"\| {re.escape(' | '.join(_HEADS))} \|\n(?:\|.*\n)+")
_DAY, _HOUR = 86_400, 3600


def contract(text: str) -> str:
    """Return the contract with the table of moves as the code has it."""
    rows = sorted(TRANSITIONS, key=lambda row: row.order_type)
    return _TABLE.sub(lambda _: f"{table(_HEADS, map(_row, rows))}\n", text)


def _row(row: Transition) -> tuple[str, ...]:
    sources = ", ".join(status.value for status in OrderStatus if status in row.sources)
    by = ", ".join(_actor(actor, wait) for actor, wait in row.actors.items())
    return (
        row.order_type.name.lower(),
        f"`{row.move.value}`",
        sources,
        row.target.value,
        " ".join((by, *_conditions(row))),
        row.money.value.replace("_", " "),
    )


def _actor(actor: Actor, wait: int) -> str:
    return f"{actor.value} after {_span(wait)}" if wait else actor.value


def _conditions(row: Transition) -> Iterator[str]:
    if row.window_over:
        yield "(once the window is over)"
    if row.within_seconds is not None:
        yield f"(within {_span(row.within_seconds)})"
    for what, needed in (("proof", row.proof), ("late proof", row.late)):
        if needed is not None:
            yield f"({'with' if needed else 'without'} a {what})"


def _span(seconds: int) -> str:
    """Return a time span; one of a day is 24 h."""
    if seconds > _DAY:
        return f"{seconds // _DAY} days"
    return f"{seconds // _HOUR} h" if seconds >= _HOUR else f"{seconds // 60} min"
