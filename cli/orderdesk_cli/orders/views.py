"""Orders as operators see them: queryOrder's answer, the parties, personal data masked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.console import RenderableType

from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.money import format_cny, format_rate, format_usdt
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import ByType
from orderdesk.web.merchant.views import draft_facts, queried_order
from orderdesk_cli.callbacks.views import attempts_drawn, deliveries_drawn, delivery_data
from orderdesk_cli.listings import Listed
from orderdesk_cli.masking import masked_method, method_line
from orderdesk_cli.orders.notes import note_data, notes_drawn
from orderdesk_cli.output import Answer, Json, listing, record, stacked, time_text

_TIMES = ("createtime", "updatetime", "expire_time", "rate_set_at", "assignable_from")


def order_data(order: Order, seen: Mapping[str, Json]) -> dict[str, Json]:
    """Write an order; `seen` is what queryOrder answers with it."""
    method = None if order.payment_method is None else masked_method(order.payment_method)
    whose = ByType(buy="payment_method", sell="customer_payment_method")[order.order_type]
    identity = order.identity
    return {
        **seen,
        whose: method,
        "merchant_id": order.merchant_id,
        "trader_id": order.trader_id,
        "passed_over": list(order.passed_over),
        "assignable_from": order.assignable_from,
        "receipts": len(order.receipts),
        "base_rate": format_rate(order.base_rate.rate_e4),
        "rate_source": order.base_rate.source,
        "rate_set_at": order.base_rate.set_at,
        "identity": None
        if identity is None
        else {
            "outcome": identity.outcome,
            "provider": identity.provider,
            "reference": identity.reference,
            "name": identity.masked_name,
            "id_card": identity.masked_id_card,
            "mobile": identity.masked_mobile,
        },
        "callback_url": order.callback_url,
        "remark": order.remark,
        "sequence": order.sequence,
    }


def order_shown(
    order: Order, seen: Mapping[str, Json], notes: Sequence[Note], deliveries: Sequence[Delivery]
) -> Answer:
    """Answer `order show` with an order, what was said in its dispute, and its callbacks."""
    data = order_data(order, seen) | {"notes": [note_data(note) for note in notes]}
    timeline = [[entry.status.value, time_text(entry.time), entry.by] for entry in order.timeline]
    method = [] if order.payment_method is None else [method_line(order.payment_method)]
    return Answer(
        data | _callbacks(deliveries),
        stacked(
            record(f"Order {order.order_no}", _fields(data)),
            listing(["method", "bank", "payee", "account"], method, "No payment method."),
            listing(["status", "since", "by"], timeline, ""),
            *([notes_drawn(notes)] if notes else ()),
            *_callbacks_drawn(deliveries),
        ),
    )


def draft_data(draft: Draft, seen: Mapping[str, Json]) -> dict[str, Json]:
    """Write a draft; `seen` is what queryOrder answers with it."""
    return {
        **seen,
        "merchant_id": draft.merchant_id,
        "is_test": draft.mode.is_test,
        "cny_amount": format_cny(draft.cny_fen),
        "method_type": draft.method_type.value,
        "createtime": draft.createtime,
        "updatetime": draft.updatetime,
        "callback_url": draft.callback_url,
        "remark": draft.remark,
        "sequence": draft.sequence,
    }


def draft_shown(draft: Draft, seen: Mapping[str, Json], deliveries: Sequence[Delivery]) -> Answer:
    """Answer `order show` with a draft and its callbacks."""
    data = draft_data(draft, seen)
    drawn = record(f"Draft {draft.pending_no}", _fields(data))
    return Answer(data | _callbacks(deliveries), stacked(drawn, *_callbacks_drawn(deliveries)))


CSV_COLUMNS = (
    *("order_no", "order_type", "mode", "status", "cny_amount", "rate", "usdt_amount"),
    *("merchant_amount", "deposit_amount", "service_amount", "merchant_actual_amount"),
    *("merchant_id", "trader_id", "merchant_order_no", "createtime", "updatetime"),
)


def listed(orders: Iterator[Order], now: int, *, as_csv: bool) -> Listed[Order]:
    """Answer `order list`."""
    return Listed(
        orders,
        data=lambda order: order_data(order, _without_link(order, now)),
        columns=_COLUMNS,
        row=lambda order: _row(order, now),
        empty="No orders.",
        csv_columns=CSV_COLUMNS,
        csv_row=(lambda order: _csv_row(order, now)) if as_csv else None,
    )


def found(those: Sequence[Order | Draft], now: int) -> Answer:
    """Answer `order find`."""
    data: list[Json] = [
        order_data(one, _without_link(one, now))
        if isinstance(one, Order)
        else draft_data(one, cast("dict[str, Json]", draft_facts(one, one.status_at(now))))
        for one in those
    ]
    rows = [_row(one, now) if isinstance(one, Order) else _draft_row(one, now) for one in those]
    return Answer(data, listing(_COLUMNS, rows, ""))


_COLUMNS = (
    *("order", "side", "mode", "status", "CNY", "USDT"),
    *("merchant", "trader", "merchant's number", "created"),
)


def _row(order: Order, now: int) -> list[str]:
    return [
        order.order_no,
        order.order_type.name.lower(),
        order.mode.value,
        order.status_at(now).value,
        format_cny(order.quote.cny_fen),
        format_usdt(order.quote.usdt_micro),
        order.merchant_id,
        order.trader_id or "",
        order.merchant_order_no or "",
        time_text(order.createtime),
    ]


def _draft_row(draft: Draft, now: int) -> list[str]:
    return [
        draft.pending_no,
        "draft",
        draft.mode.value,
        draft.status_at(now).value,
        format_cny(draft.cny_fen),
        "",
        draft.merchant_id,
        "",
        draft.merchant_order_no or "",
        time_text(draft.createtime),
    ]


def _csv_row(order: Order, now: int) -> list[str]:
    quote = order.quote
    return [
        order.order_no,
        order.order_type.name.lower(),
        order.mode.value,
        order.status_at(now).value,
        format_cny(quote.cny_fen),
        format_rate(quote.rate_e4),
        format_usdt(quote.usdt_micro),
        format_usdt(quote.merchant_micro),
        format_usdt(quote.deposit_micro),
        format_usdt(quote.service_micro),
        format_usdt(quote.merchant_actual_micro),
        order.merchant_id,
        order.trader_id or "",
        order.merchant_order_no or "",
        time_text(order.createtime),
        time_text(order.updatetime),
    ]


def _callbacks(deliveries: Sequence[Delivery]) -> dict[str, Json]:
    return {"callbacks": [delivery_data(delivery) for delivery in deliveries]}


def _callbacks_drawn(deliveries: Sequence[Delivery]) -> list[RenderableType]:
    drawn = deliveries_drawn(deliveries, "No callbacks.")
    return [drawn, attempts_drawn(deliveries)] if deliveries else [drawn]


def _without_link(order: Order, now: int) -> dict[str, Json]:
    """Write an order as queryOrder does, without the pay page that its merchant's secret opens."""
    seen = cast("dict[str, Json]", queried_order(order, None, now))
    seen.pop("pay_url", None)
    return seen


def _fields(data: dict[str, Json]) -> dict[str, str]:
    """Write the plain fields for people; what is structured has tables of its own."""
    fields = {}
    for name, value in data.items():
        if name in _TIMES and isinstance(value, int):
            fields[name] = time_text(value)
        elif isinstance(value, str | int):
            fields[name] = str(value)
        elif name == "passed_over" and isinstance(value, list):
            fields[name] = " ".join(str(trader_id) for trader_id in value)
        elif name == "identity" and isinstance(value, dict):
            fields[name] = " ".join(str(part) for part in value.values())
    return fields
