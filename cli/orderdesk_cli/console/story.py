"""One order's whole story: what it is, how it went, what was sent, what its merchant was told."""

from collections.abc import Iterator, Sequence

from starlette.responses import Response

from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.ledger.settlement import amount_held, settlement
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import ByType
from orderdesk.services.operator.orders import find_order
from orderdesk_cli.console.asking import notes_table
from orderdesk_cli.console.evidence import notes_of, pictures_of
from orderdesk_cli.console.moves import actions_of
from orderdesk_cli.console.sheets import Action, Cell, Cells, Fact, Section, Table, facts, number
from orderdesk_cli.console.summary import order_facts, status_cell
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.masking import method_line
from orderdesk_cli.output import time_text

_METHOD_OF = ByType(buy="Receiving account of the trader", sell="Account of the customer")


def shown(visit: Visit) -> Response:
    """Show an order or a draft."""
    one = find_order(visit.office.orders, visit.parts["number"])
    if isinstance(one, Draft):
        sections = [Section(heading="Draft", facts=_draft_facts(visit, one))]
        own = one.pending_no
    else:
        sections, own = list(_order_sections(visit, one)), one.order_no
    sections += _callbacks(visit.office.callbacks.of_number(own))
    return visit.page("sheet.html", section="orders", title=own, sections=sections)


def _order_sections(visit: Visit, order: Order) -> Iterator[Section]:
    now = visit.now
    asked = {"subject": order.order_no, "since": str(order.createtime)}
    yield Section(
        heading="Order",
        facts=order_facts(visit, order, now),
        actions=[
            *actions_of(visit, order, now),
            Action("What operators did", visit.to("audit", **asked)),
        ],
    )
    notes = notes_of(visit, order)
    pictures = list(pictures_of(visit, order, notes))
    yield Section(
        heading="Evidence",
        note="" if pictures else "Nothing was sent.",
        pictures=pictures,
    )
    if order.was_disputed:
        yield Section(heading="What was said", tables=[notes_table(notes)])
    steps = [[entry.status.value, time_text(entry.time), entry.by] for entry in order.timeline]
    method = [] if order.payment_method is None else [method_line(order.payment_method)]
    yield Section(
        heading="How it went",
        tables=[Table("Timeline", ["status", "since", "by"], steps, "")],
    )
    whose = _METHOD_OF[order.order_type]
    columns = ["method", "bank", "payee", "account"]
    yield Section(heading="Paid to", tables=[Table(whose, columns, method, "No payment method.")])
    yield _money(order)


def _money(order: Order) -> Section:
    """Tell what the order did with USDT: its postings once it is completed, its hold before."""
    columns = ["account", "USDT"]
    if order.status is OrderStatus.COMPLETED:
        rows: list[Cells] = [
            [posting.account.key, number(format_usdt(posting.amount_micro))]
            for posting in settlement(order, order.updatetime).postings
        ]
        return Section(heading="Money", tables=[Table("Postings", columns, rows, "")])
    if order.status.is_open:
        held = format_usdt(amount_held(order))
        return Section(heading="Money", note=f"{held} USDT are held for it. Nothing is posted yet.")
    return Section(heading="Money", note="Nothing was posted, and nothing is held.")


def _draft_facts(visit: Visit, draft: Draft) -> list[Fact]:
    became = draft.order_no or ""
    return facts(
        status=status_cell(draft, visit.now),
        mode=draft.mode.value,
        CNY=number(format_cny(draft.cny_fen)),
        method=draft.method_type.value,
        merchant=Cell(draft.merchant_id, visit.to(f"merchants/{draft.merchant_id}")),
        merchant_order_no=draft.merchant_order_no or "",
        became=Cell(became, visit.to(f"orders/{became}") if became else ""),
        remark=draft.remark or "",
        created=time_text(draft.createtime),
        expires=time_text(draft.expire_time),
    )


def _callbacks(deliveries: Sequence[Delivery]) -> list[Section]:
    rows = [
        [
            delivery.event.type.value,
            delivery.state.value,
            time_text(attempt.at_ms // MS),
            "" if attempt.status is None else str(attempt.status),
            attempt.failure or "",
            number(str(attempt.latency_ms)),
        ]
        for delivery in deliveries
        for attempt in delivery.attempts
    ]
    untried = [
        [delivery.event.type.value, delivery.state.value, "", "", "not tried yet", ""]
        for delivery in deliveries
        if not delivery.attempts
    ]
    columns = ["callback", "state", "attempt", "answer", "failure", "ms"]
    table = Table("Callbacks", columns, [*rows, *untried], "No callbacks.")
    return [Section(heading="What the merchant was told", tables=[table])]
