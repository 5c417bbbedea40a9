"""Orders and drafts as rows and as facts, with personal data masked."""

from collections.abc import Sequence

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.money import format_cny, format_rate, format_usdt
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import ByType
from orderdesk.services.operator.orders import number_of
from orderdesk_cli.console.sheets import Cell, Cells, Fact, Table, facts, number
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text

_COLUMNS = (
    *("order", "side", "status", "CNY", "USDT"),
    *("merchant", "trader", "merchant's number", "created"),
)


_MERCHANTS_SHARE = ByType(buy="merchant_gets", sell="merchant_pays")


def order_table(visit: Visit, orders: Sequence[Order | Draft], now: int, empty: str) -> Table:
    """Draw orders, a row each."""
    return Table("Orders", _COLUMNS, [_row(visit, order, now) for order in orders], empty)


def status_cell(order: Order | Draft, now: int) -> Cell:
    """Draw the status as merchants see it now."""
    status = order.status_at(now).value
    return Cell(status, chip=status)


def side_cell(order: Order | Draft) -> Cell:
    """Name the merchant's side, and that it is test money."""
    side = order.order_type.name.lower() if isinstance(order, Order) else "draft"
    return Cell(f"{side}, test", chip="test") if order.mode.is_test else Cell(side)


def _row(visit: Visit, one: Order | Draft, now: int) -> Cells:
    own, merchant = number_of(one), one.merchant_id
    if isinstance(one, Order):
        fen, usdt, trader = one.quote.cny_fen, format_usdt(one.quote.usdt_micro), one.trader_id
    else:
        fen, usdt, trader = one.cny_fen, "", None
    return [
        Cell(own, visit.to(f"orders/{own}")),
        side_cell(one),
        status_cell(one, now),
        number(format_cny(fen)),
        number(usdt),
        Cell(merchant, visit.to(f"merchants/{merchant}")),
        Cell(trader, visit.to(f"traders/{trader}")) if trader else "",
        one.merchant_order_no or "",
        time_text(one.createtime),
    ]


def order_facts(visit: Visit, order: Order, now: int) -> list[Fact]:
    """Tell what an order is and between whom."""
    quote, trader, identity = order.quote, order.trader_id or "", order.identity
    asked = ByType(buy=payment_reference(order.order_no), sell="")
    return facts(
        status=status_cell(order, now),
        side=side_cell(order),
        CNY=number(format_cny(quote.cny_fen)),
        USDT=number(format_usdt(quote.usdt_micro)),
        rate=number(format_rate(quote.rate_e4)),
        **{_MERCHANTS_SHARE[order.order_type]: number(format_usdt(quote.merchant_actual_micro))},
        merchant=Cell(order.merchant_id, visit.to(f"merchants/{order.merchant_id}")),
        trader=Cell(trader, visit.to(f"traders/{trader}") if trader else ""),
        passed_over=", ".join(order.passed_over),
        merchant_order_no=order.merchant_order_no or "",
        transfer_remark=asked[order.order_type],
        order_id=str(order.order_id),
        draft=order.pending_no or "",
        verified_customer="" if identity is None else identity.masked_name,
        remark=order.remark or "",
        created=time_text(order.createtime),
        expires=time_text(order.expire_time),
    )
