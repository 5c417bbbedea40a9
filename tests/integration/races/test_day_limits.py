"""Sells to one payee that meet at the limit of its day: never more than it allows (2106)."""

import pytest

from orderdesk.domain.orders.order_errors import RefusedByDesk
from orderdesk.domain.pricing import OrderType
from tests.integration.races.calls import creation, orders_of, refusals
from tests.support.money_world import MoneyWorld
from tests.support.schedule import Cases, Outcomes, Stage


@pytest.mark.deep
def test_two_sells_meet_at_the_last_place_of_a_day(money: MoneyWorld, stage: Stage) -> None:
    money.limit_day(payee_daily_count=1)

    def begin() -> Cases:
        return {
            f"sell-{merchant}": creation(money, OrderType.SELL, merchant=merchant)
            for merchant in range(2)
        }

    def check(outcomes: Outcomes) -> None:
        assert len(orders_of(money, outcomes)) == 1
        assert refusals(outcomes) == [RefusedByDesk]
        money.check()

    stage.every_order(begin, check)
