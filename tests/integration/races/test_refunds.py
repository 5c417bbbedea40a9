"""Refunds of one buy that meet: its sum is exact, whatever runs at once (contract section 6)."""

from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.integration.races.calls import Call, creation
from tests.support.money_world import MoneyWorld, Step
from tests.support.schedule import Cases, Outcomes, Stage, kinds_of

BOUGHT_FEN = 1000_00


@pytest.mark.deep
def test_refunds_meet_refunds_cancellations_and_reversals(money: MoneyWorld, stage: Stage) -> None:
    """Each pair has the outcome of one after the other."""
    buy = money.create(OrderType.BUY, BOUGHT_FEN)
    money.do(Step(buy, Actor.TRADER, Move.CONFIRM, money.order(buy).trader_id))
    sold = money.refund(money.order(buy), 300_00)
    calls: dict[str, Call] = {
        "refund most": creation(money, OrderType.SELL, fen=600_00, refund_of=buy),
        "refund again": creation(money, OrderType.SELL, fen=400_00, refund_of=buy),
        "cancel": partial(money.do, Step(sold, Actor.MERCHANT, Move.CANCEL)),
        "reverse a part": partial(money.reverse, buy, 50_000_000),
    }

    def end_of(outcomes: Outcomes) -> str:
        order = money.order(buy)
        refunded = sorted(each.cny_fen for each in order.undone.refunds)
        return "\n".join((kinds_of(outcomes), str(refunded), str(order.reversed_micro)))

    for one, two in combinations_with_replacement(calls, 2):

        def begin(one: str = one, two: str = two) -> Cases:
            return {f"a-{one}": calls[one], f"b-{two}": calls[two]}

        stage.serial(begin, lambda _: money.check(), end_of)
