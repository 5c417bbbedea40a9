"""What an order holds, and the transfer that completes it (contract section 6)."""

from dataclasses import dataclass

from orderdesk.domain.ledger.accounts import Account, AccountKind, Posting, Transfer, TransferKind
from orderdesk.domain.orders.order import OPEN_STATUSES, Order
from orderdesk.domain.pricing import OrderType

US_PER_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Hold:
    """The amount that an order holds on an account, in micro-USDT."""

    account: Account
    amount_micro: int


def account_held_on(order: Order) -> Account:
    """Name the account that an order holds USDT on: a buy the trader's, a sell the merchant's."""
    if order.order_type is OrderType.BUY:
        assert order.trader_id is not None, "a buy has a trader"
        return Account(AccountKind.TRADER, order.trader_id, order.mode)
    return Account(AccountKind.MERCHANT, order.merchant_id, order.mode)


def amount_held(order: Order) -> int:
    """Give the amount that an open order holds, in micro-USDT."""
    quote = order.quote
    is_buy = order.order_type is OrderType.BUY
    return quote.usdt_micro if is_buy else quote.merchant_actual_micro


def open_hold(order: Order) -> Hold | None:
    """Give the hold of an order as it is stored; None if the order is not open."""
    if order.status not in OPEN_STATUSES:
        return None
    return Hold(account_held_on(order), amount_held(order))


def settlement(order: Order, at_seconds: int) -> Transfer:
    """Make the transfer of a completed order: it pays out the hold to the available balances.

    Each merchant has its own fee and deposit account, so that merchants never wait for each other
    to settle. An order settles once, so its number is the id of the transfer.
    """
    quote, mode = order.quote, order.mode
    assert order.trader_id is not None, "who confirms is the trader"
    trader = Account(AccountKind.TRADER, order.trader_id, mode)
    merchant = Account(AccountKind.MERCHANT, order.merchant_id, mode)
    deposit = Account(AccountKind.DEPOSIT, order.merchant_id, mode)
    fee = Account(AccountKind.FEE, order.merchant_id, mode)
    if order.order_type is OrderType.BUY:
        postings = [
            Posting(trader, -quote.usdt_micro),
            Posting(merchant, quote.merchant_actual_micro),
            Posting(deposit, quote.deposit_micro),
        ]
    else:
        postings = [
            Posting(merchant, -quote.merchant_actual_micro),
            Posting(trader, quote.usdt_micro),
        ]
    postings.append(Posting(fee, quote.service_micro))
    return Transfer(
        transfer_id=order.order_no,
        kind=TransferKind.SETTLEMENT,
        at_us=at_seconds * US_PER_SECOND,
        memo="",
        postings=tuple(posting for posting in postings if posting.amount_micro),
        order_no=order.order_no,
    )
