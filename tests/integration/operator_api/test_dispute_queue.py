"""The operators' queue of disputes: what comes first, and what the rules suggest."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.notes import Note, is_overdue, suggested_end
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import OrderType
from tests.support.market import Market
from tests.support.operator_api import OperatorApi
from tests.support.orders import order_in
from tests.support.seed import with_changes

VIEWER = "viewer-1"
NOW, A_DAY = 1_900_000_000, 86_400
RECEIPT = Receipt("r", "image/png", 1, NOW)


def disputed(by: Actor, *, receipt: bool) -> Order:
    order = order_in(OrderType.BUY, OrderStatus.DISPUTED, since=NOW)
    began = TimelineEntry(OrderStatus.DISPUTED, NOW, by.value)
    timeline = (*order.timeline[:-1], began)
    return replace(order, timeline=timeline, receipts=(RECEIPT,) if receipt else ())


@pytest.mark.parametrize(
    ("by", "receipt", "says", "end"),
    [
        (Actor.TRADER, False, None, OrderStatus.CANCELLED),
        (Actor.TRADER, True, None, None),
        (Actor.TRADER, False, Actor.PAYER, None),
        (Actor.PAYER, True, None, OrderStatus.COMPLETED),
        (Actor.CLOCK, True, None, OrderStatus.COMPLETED),
        (Actor.CLOCK, False, None, None),
        (Actor.PAYER, True, Actor.TRADER, None),
    ],
)
def test_what_the_rules_suggest(
    by: Actor, *, receipt: bool, says: Actor | None, end: OrderStatus | None
) -> None:
    order = disputed(by, receipt=receipt)
    notes = [] if says is None else [Note(says, NOW + 1, "so it was")]
    assert suggested_end(order, notes, NOW + A_DAY) is end
    assert suggested_end(order, notes, NOW + A_DAY - 1) is None
    assert not is_overdue(order, notes, NOW + A_DAY - 1)


def test_no_sells_dispute_has_a_suggestion() -> None:
    order = order_in(OrderType.SELL, OrderStatus.DISPUTED, since=NOW)
    assert suggested_end(order, (), NOW + A_DAY) is None


def test_stopped_accounts_and_overdue_answers_come_first(market: Market, api: OperatorApi) -> None:
    stopped, overdue, newest = (market.disputed_buy() for _ in range(3))
    market.put(with_changes(market.order(stopped), payee_stopped_at=1))
    late = market.order(overdue)
    began = replace(late.timeline[-1], time=late.since - 2 * A_DAY)
    market.put(replace(late, timeline=(*late.timeline[:-1], began)))
    rows = api.data(VIEWER, "order.list", status="disputed")["items"]
    assert [row["order_no"] for row in rows] == [stopped, overdue, newest]
    assert [row["overdue"] for row in rows] == [False, True, False]
    assert rows[0]["payee_stopped_at"] == 1
    shown = api.data(VIEWER, "order.show", order_no=overdue)
    assert shown["overdue"] is True
    of_trader = api.data(VIEWER, "order.list", trader_id=market.trader_id, stopped=True)
    assert [row["order_no"] for row in of_trader["items"]] == [stopped]
    _, refused = api.call(VIEWER, "order.list", stopped=True)
    assert refused["code"] == 1002
