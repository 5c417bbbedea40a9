"""What an operator cannot assign or move: a trader that does not fit, and what is unknown."""

from typing import Any

import pytest

from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import TraderDoesNotFit, UnknownId
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import Misfit
from orderdesk.services.operator.moves import assign
from tests.support.market import Market
from tests.support.money_world import OPERATOR_MOVES

WINDOW = 1200


MISFITS: list[tuple[dict[str, Any], list[Misfit]]] = [
    ({"suspended": True, "online": False}, [Misfit.SUSPENDED]),
    ({"min_cny_fen": 1000_01}, [Misfit.RANGE]),
    ({"max_open": 2, "open_orders": 2}, [Misfit.OPEN_ORDERS]),
    ({"daily_cap_fen": 1999_99, "daily_used_fen": 1000_00}, [Misfit.DAILY_CAP]),
    ({"mode": Mode.TEST, "methods": ()}, [Misfit.MODE, Misfit.METHOD]),
]


def test_a_trader_it_does_not_fit_is_refused_with_every_reason(market: Market) -> None:
    order_no = market.sell()
    today = trading_day(market.office.operator.now())
    traders = [market.world.add_trader(daily_day=today, **changes) for changes, _ in MISFITS]
    before = market.everything()
    for trader, (_, misfits) in zip(traders, MISFITS, strict=True):
        with pytest.raises(TraderDoesNotFit) as refused:
            assign(order_no, trader.trader_id, market.ports, window_seconds=WINDOW)
        assert refused.value.misfits == tuple(misfit.value for misfit in misfits)
    assert market.everything() == before


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
