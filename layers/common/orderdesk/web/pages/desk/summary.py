"""An order's summary, as the desk's lists and pages show it."""

import hashlib
import re
from dataclasses import dataclass, field

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.desk_lists import desk_due, desk_list
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ports import Orders
from orderdesk.web.pages.desk.desk_texts import DeskTexts, OrderTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import account_of, line_of, moment_of, time_of_day

_KEY_LENGTH = 10
DONE = "done"
"""The query parameter of the page that follows a decision: the move, and the order's number."""
_DONE = re.compile(rf"({Move.CONFIRM}|{Move.DISPUTE}|{Move.DECLINE})-([BS][0-9]{{24}})")
_AFTER = {Move.CONFIRM: OrderStatus.COMPLETED, Move.DISPUTE: OrderStatus.DISPUTED}


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time by which the customer or trader must act; `until` in Unix seconds.

    `left` is the time left in words; `after` says what can happen afterwards, and `overdue` since
    when it is over.
    """

    until: int
    seconds_left: int
    left: str
    after: str
    overdue: str

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return self.seconds_left <= 0


@dataclass(frozen=True, slots=True)
class Summary:
    """What a trader may see of an order in short; an order has more, such as names and tokens.

    `side` is `buy` or `sell`. Times are in Unix seconds.

    `account` is the trader's own account for a buy, and the customer's for a sell, masked. `payer`
    is the name of a buy's payer, masked in lists and after the order has ended; `reference` is the
    number that the payer was asked to enter as the transfer's remark. Both are None for a sell.
    `alike` is how many open orders, this one included, look the same on the account's statement; 0
    if no other does. `wanted` is the mark of an order that wants the trader's answer, or "".
    `confirm` leads to the question whether the money of a paid buy has arrived.
    """

    order_no: str
    reference: str | None
    side: str
    side_text: str
    status: str
    status_text: str
    is_test: bool
    todo: str
    cny_fen: int
    usdt_micro: int
    method: str = field(repr=False)
    account_text: str
    account: str = field(repr=False)
    payer: str | None = field(repr=False)
    alike: int
    wanted: str
    deadline: Deadline | None
    createtime: int
    updatetime: int
    link: str
    confirm: str | None
    confirm_text: str


def summary_of(
    order: Order, scene: DeskScene, *, alike: int = 0, is_named: bool = False
) -> Summary:
    """Return an order's summary; `is_named`: with the payer's whole name, while it is open."""
    assert order.payment_method is not None, "a trader's order has a method"
    texts, now = scene.texts, scene.now
    status = order.status_at(now)
    is_paid = status is OrderStatus.PAID and not scene.trader.suspended
    return Summary(
        order_no=order.order_no,
        reference=_reference(order),
        side=order.order_type.name.lower(),
        side_text=texts.sides[order.order_type],
        status=status.value,
        status_text=texts.statuses[status],
        is_test=bool(order.mode.is_test),
        todo=todo_of(order, status, texts).headline,
        cny_fen=order.quote.cny_fen,
        usdt_micro=order.quote.trader_micro,
        method=line_of(order.payment_method, texts.shared),
        account_text=_account_text(order.order_type, texts.order),
        account=account_of(order.payment_method, texts.shared),
        payer=payer_of(order, texts.order, is_named=is_named and status.is_open),
        alike=alike,
        wanted=_wanted(order, texts),
        deadline=_deadline(order, status, now, texts),
        createtime=order.createtime,
        updatetime=order.updatetime,
        link=scene.links.to(f"orders/{order.order_no}"),
        confirm=scene.links.to(f"orders/{order.order_no}/confirm") if is_paid else None,
        confirm_text=texts.order.confirm[order.order_type].link,
    )


@dataclass(frozen=True, slots=True)
class LastMove:
    """The trader's last decision; `link` is None if the order is no longer the trader's."""

    what: str
    cny_fen: int
    order_no: str
    link: str | None


def done_of(orders: Orders, scene: DeskScene) -> LastMove | None:
    """Return the decision that a page's address names, if the trader made it. Raises: TryAgain."""
    named = _DONE.fullmatch(scene.request.query.get(DONE, ""))
    order = orders.order(named[2]) if named else None
    if named is None or order is None:
        return None
    move, trader_id, link = Move(named[1]), scene.trader.trader_id, None
    if move is Move.DECLINE and trader_id in order.offers.passed_over:
        what = scene.texts.order.declined
    elif order.trader_id == trader_id and order.status is _AFTER.get(move):
        what = todo_of(order, order.status, scene.texts).headline
        link = scene.links.to(f"orders/{order.order_no}")
    else:
        return None
    return LastMove(what, order.quote.cny_fen, order.order_no, link)


def todo_of(order: Order, status: OrderStatus, texts: DeskTexts) -> Notice:
    """Return what an order's trader must do in a status, or who ended the order.

    A former trader's proof of a sell warns this one. A claim that was paid took the USDT of a
    completed sell back from its trader.
    """
    if status is OrderStatus.ASSIGNED and order.late.late_proofs:
        return texts.order.maybe_paid
    if status is OrderStatus.COMPLETED and order.paid_claim is not None:
        return texts.order.claim_taken
    if order.timeline[-1].by == Actor.OPERATOR:
        decided = texts.order.decided[order.order_type][status]
        if decided is not None:
            return decided
    if is_asked(order):
        own = texts.order.asked if _is_question(order) else texts.order.disputed
        return own[order.order_type]
    notice = texts.order.todo[order.order_type][status]
    assert notice is not None, "no trader has such an order"
    return notice


def payer_of(order: Order, texts: OrderTexts, *, is_named: bool = False) -> str | None:
    """Return the name of a buy's payer, or the text for an unknown one; None for a sell.

    It is masked unless `is_named`, and once the order has ended (decision 55).
    """
    match order.order_type:
        case OrderType.BUY:
            if order.identity is None:
                return texts.payer_unknown
            return (is_named and order.identity.open_name) or order.identity.masked_name
        case OrderType.SELL:
            return None


def is_asked(order: Order) -> bool:
    """Return whether the order's trader must answer a dispute or an operator's question."""
    return order.status is OrderStatus.DISPUTED and order.dispute.trader_asked_at is not None


def _wanted(order: Order, texts: DeskTexts) -> str:
    if not is_asked(order):
        return ""
    return texts.lists.asked if _is_question(order) else texts.lists.disputed


def _is_question(order: Order) -> bool:
    """Return whether an operator asked after the dispute began."""
    return order.dispute.trader_asked_at is not None and order.dispute.trader_asked_at > order.since


def is_lapsed(order: Order, now: int) -> bool:
    """Return whether a sell's trader has not confirmed in time."""
    is_sell = order.order_type is OrderType.SELL and order.status is OrderStatus.ASSIGNED
    return is_sell and order.expire_time is not None and now >= order.expire_time


def _account_text(order_type: OrderType, texts: OrderTexts) -> str:
    match order_type:
        case OrderType.BUY:
            return texts.own_account
        case OrderType.SELL:
            return texts.pay_to


def _reference(order: Order) -> str | None:
    match order.order_type:
        case OrderType.BUY:
            return payment_reference(order.order_no)
        case OrderType.SELL:
            return None


def _deadline(order: Order, status: OrderStatus, now: int, texts: DeskTexts) -> Deadline | None:
    due, after = desk_due(order), texts.order.deadlines[status]
    if due is None or after is None:
        return None
    left = max(0, due - now)
    # An answer has a day, so its deadline is named with its date.
    is_far = status is OrderStatus.DISPUTED
    is_old = now - due >= SECONDS_PER_DAY
    at = moment_of(due, texts.shared).text if is_far or is_old else time_of_day(due)
    overdue = texts.order.overdue.format(time=at)
    return Deadline(due, left, _left(left, texts.order), after.format(time=at), overdue)


def _left(seconds: int, texts: OrderTexts) -> str:
    """Return a time left in words; the pages' script writes the same."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    text = texts.left_hours if hours else texts.left
    return text.format(h=hours, m=minutes_left, s=f"{rest:02d}")


def key_of(order: Order) -> str:
    """Return a hash of an order's number, its list, and since when an answer is wanted.

    The script alerts a trader to a new one.
    """
    named = f"{order.order_no}:{desk_list(order)}:{order.dispute.trader_asked_at}"
    return hashlib.sha256(named.encode()).hexdigest()[:_KEY_LENGTH]


def version_of(order: Order) -> str:
    """Return a hash of an order's number, and its version: a page of an older one is outdated.

    A hash, because a list also names orders that its filter leaves out.
    """
    named = hashlib.sha256(order.order_no.encode()).hexdigest()[:_KEY_LENGTH]
    return f"{named}:{order.version}"
