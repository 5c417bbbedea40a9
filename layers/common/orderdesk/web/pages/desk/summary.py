"""An order in short, as the desk's lists show it, and its urgency."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from orderdesk.domain.orders.desk_lists import DeskList, desk_due, desk_list
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.references import payment_reference
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk.frame import DeskLinks
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.methods import line_of
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import Amount, Moment, amount_of, clock, moment_of, usdt_of


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time by which the customer or trader must act; `until` in Unix seconds."""

    label: str
    until: int
    seconds_left: int
    clock: str

    @property
    def is_over(self) -> bool:
        """Tell whether the deadline has passed."""
        return self.seconds_left <= 0


@dataclass(frozen=True, slots=True)
class Summary:
    """An order in short; `side` is `buy` or `sell`.

    `reference` is what a buy's payer was asked to put in the transfer's remark; a sell has none.
    """

    order_no: str
    reference: str | None
    side: str
    side_text: str
    status: str
    status_text: str
    is_test: bool
    todo: str
    amount: Amount
    usdt: str
    method: str = field(repr=False)
    deadline: Deadline | None
    created: Moment
    updated: Moment
    link: str


def summary_of(order: Order, now: int, texts: DeskTexts, links: DeskLinks) -> Summary:
    """Make an order's summary at a time (Unix seconds)."""
    assert order.payment_method is not None, "what a trader has is paid by a method"
    status = order.status_at(now)
    return Summary(
        order_no=order.order_no,
        reference=_reference(order),
        side=order.order_type.name.lower(),
        side_text=texts.sides[order.order_type],
        status=status.value,
        status_text=texts.statuses[status],
        is_test=bool(order.mode.is_test),
        todo=todo_of(order, status, texts).headline,
        amount=amount_of(order.quote.cny_fen),
        usdt=usdt_of(order.quote.usdt_micro),
        method=line_of(order.payment_method, texts.shared),
        deadline=_deadline(order, status, now, texts),
        created=moment_of(order.createtime, texts.shared),
        updated=moment_of(order.updatetime, texts.shared),
        link=links.order(order.order_no),
    )


def todo_of(order: Order, status: OrderStatus, texts: DeskTexts) -> Notice:
    """Give the text that says what an order's trader must do in a status."""
    notice = texts.order.todo[order.order_type][status]
    assert notice is not None, "no trader has such an order"
    return notice


def open_at(orders: Iterable[Order], now: int) -> Sequence[Order]:
    """Give the open orders, the most urgent first; expired ones are left out before the sweep."""
    still = [order for order in orders if order.status_at(now).is_open]
    return sorted(still, key=lambda order: (_rank(order), desk_due(order) or order.since))


def is_lapsed(order: Order, now: int) -> bool:
    """Tell whether the time of a sell's trader to answer has passed."""
    is_sell = order.order_type is OrderType.SELL and order.status is OrderStatus.ASSIGNED
    return is_sell and order.expire_time is not None and now >= order.expire_time


def _reference(order: Order) -> str | None:
    match order.order_type:
        case OrderType.BUY:
            return payment_reference(order.order_no)
        case OrderType.SELL:
            return None


def _rank(order: Order) -> int:
    return tuple(DeskList).index(desk_list(order.status))


def _deadline(order: Order, status: OrderStatus, now: int, texts: DeskTexts) -> Deadline | None:
    due, label = desk_due(order), texts.order.deadlines[status]
    if due is None or label is None:
        return None
    left = max(0, due - now)
    return Deadline(label, due, left, clock(left))
