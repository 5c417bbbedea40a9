"""The hold of an order, and the transfer that completes it (contract section 6)."""

from typing import assert_never

from orderdesk.domain.accounts import Account, AccountKind, Posting, Transfer, TransferKind
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND


def account_held_on(order: Order) -> Account:
    """Return the account that an order holds USDT on: a buy the trader's, a sell the merchant's."""
    match order.order_type:
        case OrderType.BUY:
            assert order.trader_id is not None, "a buy has a trader"
            return Account(AccountKind.TRADER, order.trader_id, order.mode)
        case OrderType.SELL:
            return Account(AccountKind.MERCHANT, order.merchant_id, order.mode)


def amount_held(order: Order) -> int:
    """Return the amount that an open order holds, or held while it was open, in micro-USDT."""
    held = order.held_quote
    match order.order_type:
        case OrderType.BUY:
            return held.trader_micro
        case OrderType.SELL:
            return held.merchant_actual_micro


def settlement(order: Order, at_seconds: int) -> Transfer:
    """Create the transfer of a completed order: it pays out the hold to the available balances.

    Each merchant has its own fee and deposit account, so that merchants' settlements do not
    conflict. An order settles once, so its number is the id of the transfer. The spread is the
    desk's: trader and merchant have different rates, and the fee account gets the difference.
    Raises: ValueError if the spread is negative.
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
                Posting(trader, -quote.trader_micro),
                Posting(merchant, quote.merchant_actual_micro),
                Posting(deposit, quote.deposit_micro),
            ]
            spread = quote.trader_micro - quote.usdt_micro
        case OrderType.SELL:
            postings = [
                Posting(merchant, -quote.merchant_actual_micro),
                Posting(trader, quote.trader_micro),
            ]
            spread = quote.usdt_micro - quote.trader_micro
        case _:
            assert_never(order.order_type)
    if spread < 0:
        raise ValueError("the trader's rate is worse than the base rate")
    postings += [Posting(fee, quote.service_micro), Posting(fee, spread, is_spread=True)]
    return Transfer(
        transfer_id=order.order_no,
        kind=TransferKind.SETTLEMENT,
        at_us=at_seconds * US_PER_SECOND,
        memo="",
        postings=tuple(posting for posting in postings if posting.amount_micro),
        order_no=order.order_no,
    )
