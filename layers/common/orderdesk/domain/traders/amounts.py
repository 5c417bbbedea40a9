"""The amounts of a trader's open buys: with unique amounts, no two on one method are equal.

A trader with unique amounts keeps a set of texts, its open amounts. One that a claim adds is
`bank:100000`: method type and fen. Only one order at a time can have it, so it tells that the
amount is taken. An order that no claim of the set let in has a text of its own,
`bank:100000:<order_id>`: it was open before the trader had unique amounts, or an operator opened it
again for a late payment. Two such orders may have one amount, and each ends alone.
"""

from collections.abc import Collection

from orderdesk.domain.payment_methods import MethodType


def claimed_amount(method_type: MethodType, cny_fen: int) -> str:
    """Give the open amount of the one order that a claim let in."""
    return f"{method_type.value}:{cny_fen}"


def admitted_amount(method_type: MethodType, cny_fen: int, order_id: int) -> str:
    """Give the open amount of an order that no claim of the set let in."""
    return f"{claimed_amount(method_type, cny_fen)}:{order_id}"


def is_amount_open(open_amounts: Collection[str], method_type: MethodType, cny_fen: int) -> bool:
    """Tell whether an order of an amount on a method is open, however it came."""
    claimed = claimed_amount(method_type, cny_fen)
    return any(each == claimed or each.startswith(f"{claimed}:") for each in open_amounts)
