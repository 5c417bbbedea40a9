"""createOrder against itself and against what changes its trader: nothing is taken twice."""

from collections.abc import Callable
from functools import partial

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.merchant import NonceReused
from orderdesk.domain.orders.order_errors import (
    InsufficientBalance,
    MerchantOrderNoExists,
    NoTraderAvailable,
    OpenLimitReached,
    OpenSellLimitReached,
    RefusedByDesk,
)
from orderdesk.domain.pricing import OrderType
from tests.integration.races.calls import FEN, creation, off_duty, orders_of, refusals
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld
from tests.support.schedule import DIED, Cases, Fault, Outcomes, Stage

BUY, SELL = OrderType.BUY, OrderType.SELL


def one_number(money: MoneyWorld, kind: OrderType) -> tuple[Cases, type[Exception]]:
    call = creation(money, kind, number="ONE")
    return {"a": call, "b": call}, MerchantOrderNoExists


def one_nonce(money: MoneyWorld, kind: OrderType) -> tuple[Cases, type[Exception]]:
    call = creation(money, kind, nonce="once")
    return {"a": call, "b": call}, NonceReused


def last_slot(money: MoneyWorld, _: OrderType) -> tuple[Cases, type[Exception]]:
    off_duty(money, 1)
    money.set_cap(0, 2)
    money.create(BUY, FEN, merchant=1)
    return {"a": creation(money, BUY), "b": creation(money, BUY)}, NoTraderAvailable


def last_cover(money: MoneyWorld, _: OrderType) -> tuple[Cases, type[Exception]]:
    """The only trader's USDT covers one of two buys."""
    off_duty(money, 1)
    call = creation(money, BUY, fen=8_000_00)
    return {"a": call, "b": call}, NoTraderAvailable


def last_amount(money: MoneyWorld, _: OrderType) -> tuple[Cases, type[Exception]]:
    """The only trader has unique amounts."""
    off_duty(money, 0)
    return {"a": creation(money, BUY), "b": creation(money, BUY)}, NoTraderAvailable


def last_place(money: MoneyWorld, kind: OrderType) -> tuple[Cases, type[Exception]]:
    """The merchant may have two open orders of a kind, and has one."""
    creation(money, kind, fen=333_33, merchant=1)()
    call = creation(money, kind, merchant=1)
    return {"a": call, "b": call}, OpenLimitReached if kind is BUY else OpenSellLimitReached


def last_usdt(money: MoneyWorld, _: OrderType) -> tuple[Cases, type[Exception]]:
    call = creation(money, SELL, fen=10_000_00)
    return {"a": call, "b": call}, InsufficientBalance


def last_of_day(money: MoneyWorld, _: OrderType) -> tuple[Cases, type[Exception]]:
    """The payee may have one sell a day (2106), whichever merchant creates it."""
    money.limit_day(payee_daily_count=1)
    return {f"{of}": creation(money, SELL, merchant=of) for of in range(2)}, RefusedByDesk


ROWS = {
    "number of a buy": (one_number, BUY),
    "number of a sell": (one_number, SELL),
    "nonce of a buy": (one_nonce, BUY),
    "nonce of a sell": (one_nonce, SELL),
    "a trader's last slot": (last_slot, BUY),
    "a trader's last USDT": (last_cover, BUY),
    "a trader's unique amount": (last_amount, BUY),
    "a merchant's last open buy": (last_place, BUY),
    "a merchant's last open sell": (last_place, SELL),
    "a merchant's last USDT": (last_usdt, SELL),
    "a payee's last sell of a day": (last_of_day, SELL),
}


@pytest.mark.parametrize("row", ROWS)
def test_one_of_two_is_created(money: MoneyWorld, stage: Stage, row: str) -> None:
    prepare, kind = ROWS[row]
    cases, refusal = prepare(money, kind)

    def check(outcomes: Outcomes) -> None:
        [order] = orders_of(money, outcomes)
        assert refusals(outcomes) == [refusal]
        if refusal is MerchantOrderNoExists:
            [exists] = [e for e in outcomes.values() if isinstance(e, MerchantOrderNoExists)]
            assert (exists.order_no, exists.same) == (order.order_no, True)
        money.check()

    assert stage.every_order(lambda: cases, check) >= 2


@pytest.mark.deep
@pytest.mark.parametrize("row", [*ROWS][:4])
def test_two_that_fail_are_never_two_orders(money: MoneyWorld, stage: Stage, row: str) -> None:
    """Any faults and orders; who repeats its number gets the order that exists."""
    prepare, kind = ROWS[row]
    cases, refusal = prepare(money, kind)

    def check(outcomes: Outcomes) -> None:
        money.check()
        assert len(orders_of(money, outcomes)) <= 1
        assert {type(each) for each in outcomes.values()} <= {str, refusal, TryAgain, type(DIED)}
        stored = money.seed.items(money.seed.tables.orders, "order")
        assert len(stored) <= 1
        if refusal is MerchantOrderNoExists and not stored:
            assert isinstance(cases["a"](), str)

    stage.drawn(lambda: cases, check, examples(full=100))


@pytest.mark.deep
@pytest.mark.parametrize("verifying", [False, True])
@pytest.mark.parametrize("kind", OrderType, ids=lambda kind: kind.name.lower())
def test_a_creation_survives_each_fault(
    money: MoneyWorld, stage: Stage, kind: OrderType, *, verifying: bool
) -> None:
    """Nothing is stored half; who repeats its number gets the order that exists."""
    call = creation(money, kind, number="ONE", verifying=verifying)

    def check(outcomes: Outcomes) -> None:
        money.check()
        made = outcomes["create"]
        assert isinstance(made, str | TryAgain | MerchantOrderNoExists) or made is DIED
        stored = money.seed.items(money.seed.tables.orders, "order")
        if stored:
            with pytest.raises(MerchantOrderNoExists) as exists:
                call()
            assert exists.value.order_no == stored[0]["order_no"]
            own = made.order_no if isinstance(made, MerchantOrderNoExists) else made  # Fault.LATE
            assert own in {DIED, stored[0]["order_no"]} or isinstance(own, TryAgain)
        else:
            assert isinstance(call(), str)
        assert len(money.seed.items(money.seed.tables.orders, "order")) == 1
        money.check()

    def succeeds(outcomes: Outcomes) -> None:
        assert isinstance(outcomes["create"], str)

    begin = partial(dict[str, Callable[[], object]], {"create": call})
    assert stage.every_fault(begin, check) >= 1
    stage.every_fault(begin, succeeds, [Fault.LOST])
