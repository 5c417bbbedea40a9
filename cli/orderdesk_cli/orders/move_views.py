"""An operator's move of an order as operators see it, before it is made and after."""

from collections.abc import Mapping

from rich.console import RenderableType

from orderdesk.domain.ledger.accounts import Account, AccountKind, Posting
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import TRANSITIONS, MoneyEffect
from orderdesk.domain.traders.trader import Trader
from orderdesk_cli.orders.views import order_data
from orderdesk_cli.output import Answer, Json, record, stacked


def moved(order: Order, seen: Mapping[str, Json], warning: str = "") -> Answer:
    """Answer a move with the order after it; `seen` is what queryOrder answers with it."""
    return Answer(order_data(order, seen), drawn(order), warning)


def assigned(order: Order, seen: Mapping[str, Json], trader: Trader) -> Answer:
    """Answer `order assign`; a trader who is offline is named in a warning."""
    is_away = not trader.online
    warning = f"trader {trader.trader_id} is offline: tell them of the order" if is_away else ""
    return moved(order, seen, warning)


def drawn(order: Order) -> RenderableType:
    """Draw the last move of an order: from where to where, between whom, and what money moves."""
    came_from, here = order.timeline[-2].status, order.timeline[-1].status
    fields = {
        "mode": Mode.TEST.value if order.mode is Mode.TEST else "",
        "CNY": format_cny(order.quote.cny_fen),
        "merchant": order.merchant_id,
        "trader": order.trader_id or "",
        "USDT": "\n".join(money_lines(order)) or "nothing moves",
    }
    side = order.order_type.name.capitalize()
    # A line of its own: a table's title is folded to the width of the table.
    title = f"{side} {order.order_no}: {came_from.value} → {here.value}"
    return stacked(title, record("", fields))


def money_lines(order: Order) -> list[str]:
    """Write what an order's last move does with its USDT, a line for each account."""
    match _last_effect(order):
        case MoneyEffect.CAPTURED:
            postings = settlement(order, order.updatetime).postings
            return [_posting_line(posting) for posting in postings]
        case MoneyEffect.RELEASED:
            return [_hold_line(order, "held → available")]
        case MoneyEffect.HELD_AGAIN:
            return [_hold_line(order, "available → held")]
        case MoneyEffect.STAYS:
            return []


def _last_effect(order: Order) -> MoneyEffect:
    came_from, here = order.timeline[-2].status, order.timeline[-1].status
    return next(
        row.money
        for row in TRANSITIONS
        if row.order_type is order.order_type and came_from in row.sources and row.target is here
    )


def _posting_line(posting: Posting) -> str:
    account = posting.account
    sign = "+" if posting.amount_micro > 0 else "-"
    amount = format_usdt(abs(posting.amount_micro))
    return f"{sign}{amount} {_whose(account)}"


def _hold_line(order: Order, way: str) -> str:
    account = account_held_on(order)
    return f"{format_usdt(amount_held(order))} {_whose(account)}: {way}"


def _whose(account: Account) -> str:
    match account.kind:
        case AccountKind.MERCHANT:
            return f"merchant {account.owner}"
        case AccountKind.TRADER:
            return f"trader {account.owner}"
        case AccountKind.DEPOSIT:
            return f"deposit of {account.owner}"
        case AccountKind.FEE:
            return f"fees of {account.owner}"
        case AccountKind.FUNDING:
            return "the world outside"
