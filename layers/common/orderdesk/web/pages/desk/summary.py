"""An order's summary, as the desk's lists and pages show it."""

import hashlib
import re
from collections.abc import Mapping

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


def summary_of(
    order: Order, scene: DeskScene, *, alike: int = 0, is_named: bool = False
) -> Mapping[str, object]:
    """Return what a trader may see of an order in short; an order has more, such as tokens.

    `is_named`: with the payer's whole name, while the order is open. Times are in Unix seconds.
    """
    texts, now = scene.texts, scene.now
    status = order.status_at(now)
    is_paid = status is OrderStatus.PAID and not scene.trader.suspended
    return {
        "order_no": order.order_no,
        # What the payer of a buy was asked to enter as the transfer's remark; None for a sell.
        "reference": order.transfer_remark,
        "side": order.order_type.name.lower(),
        "side_text": texts.sides[order.order_type],
        "status": status.value,
        "status_text": texts.statuses[status],
        "is_test": bool(order.mode.is_test),
        "todo": todo_of(order, status, texts).headline,
        "cny_fen": order.quote.cny_fen,
        "usdt_micro": order.quote.trader_micro,
        "method": line_of(order.payment_method, texts.shared),
        # The trader's own account for a buy, and the customer's for a sell, masked.
        "account_text": texts.order.accounts[order.order_type],
        "account": account_of(order.payment_method, texts.shared),
        # The name of a buy's payer; masked in lists and after the order has ended. None for a sell.
        "payer": payer_of(order, texts.order, is_named=is_named and status.is_open),
        # How many open orders, this one included, look the same on the account's statement.
        "alike": alike,
        "wanted": _wanted(order, texts),  # the mark of an order that wants an answer, or ""
        "deadline": _deadline(order, status, now, texts),
        "createtime": order.createtime,
        "updatetime": order.updatetime,
        "link": scene.links.to(f"orders/{order.order_no}"),
        # It leads to the question whether the money of a paid buy has arrived.
        "confirm": scene.links.to(f"orders/{order.order_no}/confirm") if is_paid else None,
        "confirm_text": texts.order.confirm[order.order_type].link,
    }


def done_of(orders: Orders, scene: DeskScene) -> Mapping[str, object] | None:
    """Return the decision that a page's address names, if the trader made it. Raises: TryAgain.

    Its `link` is None if the order is no longer the trader's.
    """
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
    fen = order.quote.cny_fen
    return {"what": what, "cny_fen": fen, "order_no": order.order_no, "link": link}


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


def _deadline(
    order: Order, status: OrderStatus, now: int, texts: DeskTexts
) -> Mapping[str, object] | None:
    """Return by when the customer or trader must act; `until` in Unix seconds, `left` in words.

    `after` says what can happen afterwards, and `overdue` since when it is over.
    """
    due, after = desk_due(order), texts.order.deadlines[status]
    if due is None or after is None:
        return None
    left = max(0, due - now)
    # An answer has a day, so its deadline is named with its date.
    is_far = status is OrderStatus.DISPUTED
    is_old = now - due >= SECONDS_PER_DAY
    at = moment_of(due, texts.shared).text if is_far or is_old else time_of_day(due)
    return {
        "until": due,
        "seconds_left": left,
        "left": _left(left, texts.order),
        "after": after.format(time=at),
        "overdue": texts.order.overdue.format(time=at),
    }


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
