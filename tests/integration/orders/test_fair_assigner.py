"""The assigner with many sells: modes and merchants take turns, unfit sells pause."""

from collections import Counter
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.keys import DUE_SHARDS
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.assign_sells import Offered, Run, assign_waiting
from orderdesk.services.orders.move import move_order
from tests.support.faults import requests_of
from tests.support.money_world import MoneyWorld

FEN = 1000_00
TOO_BIG = 10**12
A_MINUTE, FIVE_MINUTES = 60, 300
# One query of each shard of both modes; then for each sell: its order, the rotation, its write.
EACH = 3


def flood(money: MoneyWorld, mode: Mode, count: int, *, merchant: int = 0, fen: int) -> list[str]:
    """Store sells as createOrder would, but without their money; the first is the oldest."""
    model = money.order(money.create(OrderType.SELL, FEN, mode, merchant))
    money.seed.client.delete_item(
        TableName=money.seed.tables.orders, Key={"pk": {"S": model.order_no}}
    )
    numbers = []
    for number in range(count):
        quote = replace(model.quote, cny_fen=fen)
        order_no = f"{model.order_no[:-4]}{list(Mode).index(mode)}{number:03d}"
        order = replace(model, order_no=order_no, order_id=model.order_id + number, quote=quote)
        money.seed.put(money.seed.tables.orders, order_item(order))
        numbers.append(order_no)
    return numbers


def run(money: MoneyWorld, offers: int) -> Counter[Offered]:
    """Run the assigner with time for so many sells, one in a wave."""
    left = iter(range(offers))
    tally = assign_waiting(
        replace(money.assign_ports, wave=1),
        lambda: money.now * 10**6,
        lambda: next(left, None) is not None,
        after_seconds=0,
    )
    assert money.reported == []
    return tally


def test_a_fit_live_sell_behind_floods_is_assigned_in_the_first_run(money: MoneyWorld) -> None:
    flood(money, Mode.LIVE, 300, fen=TOO_BIG)
    flood(money, Mode.TEST, 300, fen=TOO_BIG)
    money.now += 1
    fit = money.create(OrderType.SELL, FEN, Mode.LIVE, merchant=1)
    with requests_of(money.seed.client) as made:
        # Live, test, live: the second turn of live is the other merchant's.
        done = {Offered.NOBODY_FITS: 2, Offered.ASSIGNED: 1}
        assert run(money, 3) == {**done, Offered.UNREACHED: 598}
    assert money.order(fit).status is OrderStatus.ASSIGNED
    assert len(made) <= 2 * DUE_SHARDS + 3 * EACH


def test_a_merchants_own_fit_sell_is_reached_in_one_run(money: MoneyWorld) -> None:
    flood(money, Mode.LIVE, 60, fen=TOO_BIG)
    money.now += 1
    fit = money.create(OrderType.SELL, FEN)
    with requests_of(money.seed.client) as made:
        assert money.assign_waiting() == {Offered.NOBODY_FITS: 60, Offered.ASSIGNED: 1}
    assert money.order(fit).status is OrderStatus.ASSIGNED
    assert len(made) <= 2 * DUE_SHARDS + 61 * EACH
    assert made.count("TransactWriteItems") == 61, "one write a sell"
    money.now += A_MINUTE
    with requests_of(money.seed.client) as made:
        assert money.assign_waiting() == {Offered.NOBODY_FITS: 60}
    money.now += A_MINUTE
    with requests_of(money.seed.client) as made:
        assert money.assign_waiting() == {}, "it pauses for two minutes now"
    assert len(made) == 2 * DUE_SHARDS


def test_a_run_that_meets_a_sell_twice_puts_it_off_once(money: MoneyWorld) -> None:
    """Its answer was lost, or another run began at the same time: the pause does not grow."""
    (number,) = flood(money, Mode.LIVE, 1, fen=TOO_BIG)
    runs = [Run(money.assign_ports, lambda: money.now * 10**6, money.now) for _ in range(2)]
    for each in runs:
        each.offer(number)
    assert [each.tally for each in runs] == [{Offered.NOBODY_FITS: 1}, {Offered.LEFT: 1}]
    assert money.order(number).offers.failed_offers == 1


def test_who_comes_online_has_the_sell_within_five_minutes(money: MoneyWorld) -> None:
    for which in range(2):
        money.suspend(which)
    number = money.create(OrderType.SELL, FEN)
    for _ in range(20):
        money.assign_waiting()
        money.now += A_MINUTE
    assert money.order(number).status is OrderStatus.MATCHING
    money.put_online(0)
    came = money.now
    while money.order(number).status is OrderStatus.MATCHING:
        money.assign_waiting()
        money.now += A_MINUTE
    assert money.order(number).since - came <= FIVE_MINUTES


@pytest.mark.parametrize("what", [Move.CANCEL, Move.ASSIGN])
def test_who_moves_the_sell_while_it_is_put_off_wins(money: MoneyWorld, what: Move) -> None:
    number = money.create(OrderType.SELL, FEN)
    for which in range(2):
        money.suspend(which)

    def meanwhile() -> None:
        if what is Move.CANCEL:
            move_order(number, what, By(Actor.MERCHANT), money.moves, money.now)
        else:
            money.put_online(0)

    money.before_commit.then = meanwhile
    expected = {Move.CANCEL: {Offered.LEFT: 1}, Move.ASSIGN: {Offered.NOBODY_FITS: 1}}
    assert money.assign_waiting() == expected[what]
    status = {Move.CANCEL: OrderStatus.CANCELLED, Move.ASSIGN: OrderStatus.MATCHING}[what]
    assert money.order(number).status is status
    money.check()
