"""Open amounts: an order's text in its trader's set, and what the set excludes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.moves import By, move
from orderdesk.domain.orders.open_buys import open_amount, open_amounts_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.trader import (
    Demand,
    Misfit,
    admitted_amount,
    claimed_amount,
    is_amount_open,
    misfits,
)
from tests.support.orders import buy_order, order_in
from tests.support.seed import a_trader

NOW = 1_900_000_000
TRADER = a_trader("t1", min_cny_fen=1, max_cny_fen=10_000_00, available_micro=1000)
METHODS, FEN, IDS = st.sampled_from(MethodType), st.integers(1, 200), st.integers(0, 200)


@given(
    st.lists(st.tuples(METHODS, FEN, st.one_of(st.none(), IDS)), max_size=20),
    METHODS,
    FEN,
)
def test_an_amount_is_open_if_any_order_of_its_method_has_it(
    orders: list[tuple[MethodType, int, int | None]], method: MethodType, fen: int
) -> None:
    amounts = {
        claimed_amount(kind, each) if number is None else admitted_amount(kind, each, number)
        for kind, each, number in orders
    }
    is_open = (method, fen) in {(kind, each) for kind, each, _ in orders}
    assert is_amount_open(amounts, method, fen) is is_open


def test_a_claimed_buy_has_its_amount_and_another_one_its_own() -> None:
    claimed = replace(buy_order(NOW), unique_amount=True)
    fen, number = claimed.quote.cny_fen, claimed.order_id
    assert open_amount(claimed) == f"bank:{fen}"
    assert open_amount(replace(claimed, unique_amount=False)) == f"bank:{fen}:{number}"


def test_sells_and_what_is_over_have_none() -> None:
    sold = order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW)
    over = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)
    assert open_amount(sold) is None
    assert open_amounts_of([sold, over]) == frozenset()


@pytest.mark.parametrize("status", [OrderStatus.EXPIRED, OrderStatus.CANCELLED])
def test_a_late_payment_makes_an_amount_the_orders_own(status: OrderStatus) -> None:
    order = replace(order_in(OrderType.BUY, status, since=NOW), unique_amount=True)
    moved = move(order, Move.DISPUTE, By(Actor.OPERATOR), NOW)
    assert moved is not None
    assert not moved.order.unique_amount


@pytest.mark.parametrize("amount", ["bank:100000", "bank:100000:17"])
@pytest.mark.parametrize("side", OrderType)
@pytest.mark.parametrize("unique", [True, False])
def test_an_open_amount_keeps_equal_buys_away(
    amount: str, side: OrderType, *, unique: bool
) -> None:
    one = replace(TRADER, unique_amounts=unique, open_amounts=frozenset({amount}))
    kept_away = unique and side is OrderType.BUY
    demand = Demand(side, Mode.LIVE, MethodType.BANK, 1000_00, 100, 20_000, "m1", 50)
    assert misfits(one, demand) == ([Misfit.OPEN_AMOUNT] if kept_away else [])
    assert misfits(one, replace(demand, cny_fen=100_00)) == []
