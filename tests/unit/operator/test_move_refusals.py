"""What an operator reads if an order cannot be moved."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import Misfit
from orderdesk.web.operator.refusals import conflict_text, misfit_text
from tests.support.order_table import TABLE
from tests.support.orders import order_in
from tests.support.seed import a_trader

NOW = 1_900_000_000
TRADER = a_trader(
    "t9",
    mode=Mode.TEST,
    suspended=True,
    min_cny_fen=5_00,
    max_cny_fen=10_00,
    max_open=3,
    daily_cap_fen=1500_00,
    available_micro=1_500_000,
    open_orders=3,
    daily_day=trading_day(NOW),
    daily_used_fen=600_50,
)
COMMANDS = {
    Move.ASSIGN: "order assign",
    Move.UNASSIGN: "order unassign",
    Move.CANCEL: "order cancel",
    Move.DISPUTE: "order dispute",
    Move.RESOLVE_COMPLETED: "order resolve completed",
    Move.RESOLVE_CANCELLED: "order resolve cancelled",
}


@pytest.mark.parametrize("kind", list(OrderType))
@pytest.mark.parametrize("status", list(OrderStatus))
def test_a_conflict_names_every_move_that_the_contract_allows(
    kind: OrderType, status: OrderStatus
) -> None:
    order = order_in(kind, status, since=NOW)
    text = conflict_text(order, status)
    row = TABLE.get((kind, status), {})
    possible = {COMMANDS[what] for actor, what in row if actor is Actor.OPERATOR}
    assert f"{kind.name.lower()} {order.order_no} is {status.value}" in text
    if not possible:
        assert text.endswith("; operators cannot move it now")
        return
    assert set(text.partition("possible now: ")[2].split(", ")) == possible


def test_an_assigned_order_names_its_trader_as_long_as_it_is_that_order() -> None:
    order = order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW)
    assert "is assigned to trader t1;" in conflict_text(order, OrderStatus.ASSIGNED)
    waiting = replace(order, status=OrderStatus.MATCHING, trader_id=None)
    assert "is assigned;" in conflict_text(waiting, OrderStatus.ASSIGNED)


@pytest.mark.parametrize(
    ("misfit", "words"),
    [
        (Misfit.MODE, "a live order goes to a live trader only"),
        (Misfit.SUSPENDED, "it is suspended (`trader online` lifts that)"),
        (Misfit.METHOD, "it has no bank method"),
        (Misfit.RANGE, "it takes 5.00 to 10.00 CNY, this is 1000.00"),
        (Misfit.BALANCE, "it has 1.500000 USDT available"),
        (Misfit.OPEN_ORDERS, "it has 3 open orders of 3 allowed"),
        (Misfit.DAILY_CAP, "it has used 600.50 of its 1500.00 CNY a day, this is 1000.00"),
    ],
)
def test_each_misfit_in_words(misfit: Misfit, words: str) -> None:
    order = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW)
    assert misfit_text([misfit.value], TRADER, order, NOW) == (
        f"trader t9 cannot take {order.order_no}: {words}"
    )


def test_a_test_order_and_all_that_is_wrong_at_once() -> None:
    order = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW, mode=Mode.TEST)
    live = replace(TRADER, mode=Mode.LIVE)
    text = misfit_text([Misfit.MODE.value, Misfit.METHOD.value], live, order, NOW)
    assert text.endswith(": a test order goes to a test trader only; it has no bank method")
