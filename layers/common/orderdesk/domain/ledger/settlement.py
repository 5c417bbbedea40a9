"""The hold of an order, and the transfer that completes it (contract section 6)."""

from dataclasses import dataclass
from typing import assert_never

from orderdesk.domain.ledger.accounts import Account, AccountKind, Posting, Transfer, TransferKind
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND


@dataclass(frozen=True, slots=True)
class Hold:
    """The amount that an open order holds on an account, in micro-USDT, and on which shard."""

    account: Account
    amount_micro: int
    shard: int = 0


def account_held_on(order: Order) -> Account:
    """Return the account that an order holds USDT on: a buy the trader's, a sell the merchant's."""
    match order.order_type:
        case OrderType.BUY:
            assert order.trader_id is not None, "a buy has a trader"
            return Account(AccountKind.TRADER, order.trader_id, order.mode)
        case OrderType.SELL:
            return Account(AccountKind.MERCHANT, order.merchant_id, order.mode)


def amount_held(order: Order) -> int:
    """Return the amount that an open order holds, in micro-USDT."""
    match order.order_type:
        case OrderType.BUY:
            return order.quote.usdt_micro
        case OrderType.SELL:
            return order.quote.merchant_actual_micro


def open_hold(order: Order) -> Hold | None:
    """Return the hold of an order as stored; None if the order is not open."""
    if not order.status.is_open:
        return None
    account = account_held_on(order)
    is_split = account.kind is AccountKind.MERCHANT
    return Hold(account, amount_held(order), order.shard if is_split else 0)


def settlement(order: Order, at_seconds: int) -> Transfer:
    """Create the transfer of a completed order: it pays out the hold to the available balances.

    Each merchant has its own fee and deposit account, so that merchants' settlements do not
    conflict. An order settles once, so its number is the id of the transfer.
    """
    quote, mode = order.quote, order.mode
    assert order.trader_id is not None, "a completed order has a trader"
    trader = Account(AccountKind.TRADER, order.trader_id, mode)
    merchant = Account(AccountKind.MERCHANT, order.merchant_id, mode)
    deposit = Account(AccountKind.DEPOSIT, order.merchant_id, mode)
    fee = Account(AccountKind.FEE, order.merchant_id, mode)
    match order.order_type:
        case OrderType.BUY:
            postings = [
                Posting(trader, -quote.usdt_micro),
                Posting(merchant, quote.merchant_actual_micro),
                Posting(deposit, quote.deposit_micro),
            ]
        case OrderType.SELL:
            postings = [
                Posting(merchant, -quote.merchant_actual_micro),
                Posting(trader, quote.usdt_micro),
            ]
        case _:
            assert_never(order.order_type)
    postings.append(Posting(fee, quote.service_micro))
    return Transfer(
        transfer_id=order.order_no,
        kind=TransferKind.SETTLEMENT,
        at_us=at_seconds * US_PER_SECOND,
        memo="",
        postings=tuple(posting for posting in postings if posting.amount_micro),
        order_no=order.order_no,
    )
