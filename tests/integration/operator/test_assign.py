"""An unknown order or trader below the API."""

import pytest

from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move
from orderdesk.services.operator.moves import assign, cause_of, make
from tests.support.market import Market

WINDOW = 1200


def test_an_unknown_trader(market: Market) -> None:
    order_no = market.sell()
    with pytest.raises(UnknownId, match="no such trader: tnobody"):
        assign(order_no, "tnobody", market.ports, window_seconds=WINDOW)
    assert market.audit() == []


def test_an_unknown_order(market: Market) -> None:
    with pytest.raises(UnknownId, match="no such order: B1"):
        assign("B1", market.trader_id, market.ports, window_seconds=WINDOW)
    steps = {row.move for row in TRANSITIONS if Actor.OPERATOR in row.actors} - {Move.ASSIGN}
    for step in sorted(steps):
        with pytest.raises(UnknownId, match="no such order: B1"):
            make("B1", cause_of(step, "why"), market.ports)
