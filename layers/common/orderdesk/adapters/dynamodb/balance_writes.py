"""The one function that changes a balance, and with it the sums of its window."""

from collections.abc import Mapping
from typing import NamedTuple

from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.transactions import Lost, Write, add_write
from orderdesk.domain.ledger.accounts import parity_sums


class Shift(NamedTuple):
    """What a move adds to a balance, in micro-USDT, and the move's stored time (Unix seconds)."""

    available_micro: int
    held_micro: int
    at: int


def balance_write(
    table: str,
    key: Item,
    moved: Shift,
    lost: Lost,
    *,
    counted: Mapping[str, int] | None = None,
    unbounded: Mapping[str, Value] | None = None,
    condition: str = "",
    clauses: str = "",
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Value] | None = None,
    is_bounded: bool = True,
    returns_item: bool = False,
) -> Write:
    """Add to a balance and to `counted` numbers of its item; none of them may fall below zero.

    If not `is_bounded`, the balance may; `unbounded` numbers may, too. `condition`
    and `clauses` as in `add_write`.
    """
    balance = {"available_micro": moved.available_micro, "held_micro": moved.held_micro}
    bounded, free = (balance, {}) if is_bounded else ({}, balance)
    return add_write(
        table,
        key,
        {**bounded, **(counted or {})},
        lost,
        unbounded={**free, **parity_sums(*moved), **(unbounded or {})},
        condition=condition,
        clauses=clauses,
        names=names,
        values=values,
        returns_item=returns_item,
    )
