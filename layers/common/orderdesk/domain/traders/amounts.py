"""The amounts of a trader's open buys: with unique amounts, no two on one method are equal.

A trader with unique amounts has a set of texts, its open amounts. A claim adds method type and fen,
such as `bank:100000`. Only one order at a time can have this text, so the amount is taken. An order
that was not claimed under this rule has a text of its own, `bank:100000:<order_id>`: it was open
before the trader had unique amounts, or an operator reopened it for a late payment. Two such orders
may have one amount, and each is removed separately.
"""

from collections.abc import Collection

from orderdesk.domain.payment_methods import MethodType


def claimed_amount(method_type: MethodType, cny_fen: int) -> str:
    """Return the open amount of an order that was claimed with unique amounts."""
    return f"{method_type.value}:{cny_fen}"


def admitted_amount(method_type: MethodType, cny_fen: int, order_id: int) -> str:
    """Return the open amount of an order that was not claimed with unique amounts."""
    return f"{claimed_amount(method_type, cny_fen)}:{order_id}"


def is_amount_open(open_amounts: Collection[str], method_type: MethodType, cny_fen: int) -> bool:
    """Return whether any order of this amount and method is open."""
    claimed = claimed_amount(method_type, cny_fen)
    return any(each == claimed or each.startswith(f"{claimed}:") for each in open_amounts)
