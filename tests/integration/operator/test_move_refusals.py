"""A refused move of an operator changes nothing and is not audited (contract section 6)."""

from dataclasses import replace

import pytest

from orderdesk.domain.operators import ReasonMissing, UnacceptableTerms, UnknownId
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.moves import assign
from tests.support.market import Market
from tests.support.money_world import OPERATOR_MOVES, OperatorMove
from tests.support.order_table import TABLE
from tests.support.orders import order_in
from tests.support.world import World

STEPS: dict[Move, OperatorMove] = {
    **OPERATOR_MOVES,
    Move.ASSIGN: lambda n, ports, why: assign(n, "t1", ports, window_seconds=60, reason=why),
}


@pytest.fixture
def market(world: World) -> Market:
    market = Market.on(world)
    market.world.add_trader(trader_id="t1", online=False)
    return market


@pytest.mark.parametrize("kind", list(OrderType))
def test_what_the_table_does_not_allow(market: Market, kind: OrderType) -> None:
    for status in OrderStatus:
        order = order_in(kind, status, since=market.office.operator.now())
        market.put(replace(order, timeline=order.timeline[-1:]))  # so that no call is a repeat
        before = market.everything()
        for what, step in STEPS.items():
            if (Actor.OPERATOR, what) in TABLE.get((kind, status), {}):
                continue
            with pytest.raises(StateConflict, match=status.value):
                step(order.order_no, market.ports, "why")
        assert market.everything() == before, status


def test_an_overdue_buy_counts_as_expired(market: Market) -> None:
    order_no = market.overdue_buy()
    before = market.everything()
    for what, step in STEPS.items():
        if what is not Move.DISPUTE:
            with pytest.raises(StateConflict, match="expired"):
                step(order_no, market.ports, "why")
    assert market.everything() == before


@pytest.mark.parametrize(
    ("reason", "refusal"),
    [
        ("", ReasonMissing),
        (" ", ReasonMissing),
        ("two\nlines", UnacceptableTerms),
        ("x" * 256, UnacceptableTerms),
    ],
)
def test_no_move_without_a_reason(market: Market, reason: str, refusal: type[Exception]) -> None:
    disputed = market.disputed_buy()
    moves = [
        (Move.CANCEL, market.sell()),
        (Move.DISPUTE, market.overdue_buy()),
        (Move.RESOLVE_COMPLETED, disputed),
        (Move.RESOLVE_CANCELLED, disputed),
    ]
    before = market.everything()
    for what, order_no in moves:
        with pytest.raises(refusal):
            STEPS[what](order_no, market.ports, reason)
    assert market.everything() == before


def test_an_unknown_order(market: Market) -> None:
    for step in STEPS.values():
        with pytest.raises(UnknownId, match="no such order: B1"):
            step("B1", market.ports, "why")
