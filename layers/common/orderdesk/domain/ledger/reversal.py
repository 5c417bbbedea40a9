"""The transfer that reverses a part of a completed order (contract section 6).

Each account of the order's settlement returns its cumulative share, rounded down, and the order's
trader is the other side. So the last part returns exactly what was settled.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from orderdesk.domain.accounts import Account, AccountKind, Posting, Transfer, TransferKind
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.times import US_PER_SECOND


def reversal(
    order: Order, before_micro: int, after_micro: int, *, transfer_id: str, at: int, memo: str = ""
) -> Transfer:
    """Create the transfer that reverses an order from one cumulative amount to another.

    Both are in micro-USDT of the order's `usdt_amount`; `at` is in Unix seconds.
    """
    before, after = _returned(order, before_micro), _returned(order, after_micro)
    return Transfer(
        transfer_id=transfer_id,
        kind=TransferKind.REVERSAL,
        at_us=at * US_PER_SECOND,
        memo=memo,
        postings=tuple(
            Posting(account, amount - before[account])
            for account, amount in after.items()
            if amount != before[account]
        ),
        order_no=order.order_no,
    )


def _returned(order: Order, reversed_micro: int) -> Counter[Account]:
    """Return what the accounts have got and given in all; a negative amount is given."""
    returned = Counter[Account]()
    for posting in settlement(order, 0).postings:
        account, part = posting.account, posting.amount_micro
        if account.kind is not AccountKind.TRADER:
            share = abs(part) * reversed_micro // order.quote.usdt_micro
            returned[account] -= share if part > 0 else -share
    assert order.trader_id is not None, "a completed order has a trader"
    trader = Account(AccountKind.TRADER, order.trader_id, order.mode)
    returned[trader] = -sum(returned.values())
    return returned


def claim_transfer(order: Order, trader_id: str, *, transfer_id: str, at: int) -> Transfer:
    """Create the transfer that pays an ended sell's USDT to a trader of a late proof.

    Of a completed sell it is what its trader got and did not return; of a cancelled one it is the
    whole settlement. `at` is in Unix seconds.
    """
    moved = Counter[Account]()
    if order.status is OrderStatus.COMPLETED:
        assert order.trader_id is not None, "a completed order has a trader"
        trader = Account(AccountKind.TRADER, order.trader_id, order.mode)
        left = order.quote.trader_micro + _returned(order, order.reversed_micro)[trader]
        moved[trader] = -left
        moved[Account(AccountKind.TRADER, trader_id, order.mode)] = left
    else:
        for each in settlement(replace(order, trader_id=trader_id), 0).postings:
            moved[each.account] += each.amount_micro
    return Transfer(
        transfer_id=transfer_id,
        kind=TransferKind.REVERSAL,
        at_us=at * US_PER_SECOND,
        memo="",
        postings=tuple(Posting(account, micro) for account, micro in moved.items() if micro),
        order_no=order.order_no,
    )


def claimed_micro(order: Order, trader_id: str) -> int:
    """Return what paying a claim takes from the trader or merchant who has it, in micro-USDT."""
    given = claim_transfer(order, trader_id, transfer_id="", at=0).postings
    return -sum(each.amount_micro for each in given if each.amount_micro < 0)


def reversals_of(order: Order) -> list[Transfer]:
    """Return the transfers of an order's reversals and of a claim that was paid after them.

    Raises: ValueError, as `settlement`.
    """
    transfers, before = list[Transfer](), 0
    for part in order.undone.reversals:
        after = before + part.usdt_micro
        transfers.append(reversal(order, before, after, transfer_id=part.number, at=part.time))
        before = after
    claim = order.paid_claim
    if claim is not None:
        number, at = claim.number, claim.time
        transfers.append(claim_transfer(order, claim.trader_id, transfer_id=number, at=at))
    return transfers


def coverable_micro(order: Order, most_micro: int, available: Callable[[Account], int]) -> int:
    """Return the largest part of `most_micro` that every account covers with what it has now."""
    before, stored = order.reversed_micro, dict[Account, int]()

    def has(account: Account) -> int:
        if account not in stored:
            stored[account] = available(account)
        return stored[account]

    def is_covered(part: int) -> bool:
        transfer = reversal(order, before, before + part, transfer_id="", at=0)
        given = (each for each in transfer.postings if each.amount_micro < 0)
        return all(has(each.account) >= -each.amount_micro for each in given)

    low, high = 0, most_micro + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_covered(middle) else (low, middle)
    return low
