"""An unknown order or trader below the API."""

import pytest

from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.moves import assign
from tests.support.market import Market
from tests.support.money_world import OPERATOR_MOVES

WINDOW = 1200


def test_an_unknown_trader(market: Market) -> None:
    order_no = market.sell()
    with pytest.raises(UnknownId, match="no such trader: tnobody"):
        assign(order_no, "tnobody", market.ports, window_seconds=WINDOW)
    assert market.audit() == []


def test_an_unknown_order(market: Market) -> None:
    with pytest.raises(UnknownId, match="no such order: B1"):
        assign("B1", market.trader_id, market.ports, window_seconds=WINDOW)
    for step in OPERATOR_MOVES.values():
        with pytest.raises(UnknownId, match="no such order: B1"):
            step("B1", market.ports, "why")
