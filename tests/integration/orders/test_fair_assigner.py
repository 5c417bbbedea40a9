"""The assigner with many sells: modes and merchants take turns, unfit sells pause; its waves."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import DUE_SHARDS
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.errors import Contended, Throttled
from orderdesk.domain.orders.moves import By, OrderChange
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.assign_sells import Offered, Run, Step, assign_waiting
from orderdesk.services.orders.move import move_order
from tests.support.faults import Killed, requests_of
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


SELLS = 5


def waiting_sells(money: MoneyWorld, count: int = SELLS) -> list[str]:
    numbers = []
    for _ in range(count):
        numbers.append(money.create(OrderType.SELL, FEN))
        money.now += 1
    return numbers


def took(money: MoneyWorld, numbers: Iterable[str]) -> list[int]:
    """Return the trader of each sell, as its index among the traders."""
    ids = [trader.trader_id for trader in money.traders]
    return [ids.index(str(money.order(number).trader_id)) for number in numbers]


def running(money: MoneyWorld, run_all: Callable[..., Any]) -> None:
    money.assign_ports = replace(money.assign_ports, run_all=run_all)


def test_a_wave_gives_each_trader_one_sell_and_the_next_wave_goes_on(money: MoneyWorld) -> None:
    waiting_sells(money, 1)
    money.assign_waiting()  # the rotation is now in reverse order of the traders' ids
    numbers, sizes = waiting_sells(money), list[int]()

    def run_all(commit: Callable[[Step], Any], steps: Sequence[Step]) -> list[Any]:
        sizes.append(len(steps))
        return list(map(commit, steps))

    running(money, run_all)
    assert money.assign_waiting() == {Offered.ASSIGNED: SELLS}
    assert sizes == [2, 2, 1], "there are two live traders"
    first, second, *rest = took(money, numbers)
    assert {first, second} == {0, 1}
    assert rest == [first, second, first]
    money.check()


def test_a_run_that_dies_in_a_wave_has_assigned_what_it_committed(money: MoneyWorld) -> None:
    numbers = waiting_sells(money)

    def run_all(commit: Callable[[Step], Any], steps: Sequence[Step]) -> Any:
        commit(steps[0])
        raise Killed

    usual = money.assign_ports
    running(money, run_all)
    with pytest.raises(Killed):
        money.assign_waiting()
    money.check()
    money.assign_ports = usual
    assert money.assign_waiting() == {Offered.ASSIGNED: SELLS - 1}
    first, second, *rest = took(money, numbers)
    assert [first, second, *rest] == [first, 1 - first, first, 1 - first, first]
    money.check()


def test_a_late_run_and_the_next_one_assign_each_sell_once(money: MoneyWorld) -> None:
    numbers, usual = waiting_sells(money), money.assign_ports
    done: list[dict[Offered, int]] = []

    def run_all(commit: Callable[[Step], Any], steps: Sequence[Step]) -> list[Any]:
        if not done:
            money.assign_ports = usual
            done.append(money.assign_waiting())
        return list(map(commit, steps))

    running(money, run_all)
    assert money.assign_waiting() == {Offered.LEFT: SELLS}
    assert done == [{Offered.ASSIGNED: SELLS}]
    assert sum(money.trader(n).counts.open_orders for n in (0, 1)) == SELLS
    assert {money.order(number).status for number in numbers} == {OrderStatus.ASSIGNED}
    money.check()


@pytest.mark.parametrize("error", [Contended, Throttled])
def test_what_is_lost_again_and_again_is_assigned_alone(
    money: MoneyWorld, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    [number], lost, pauses = waiting_sells(money, 1), iter(range(5)), list[int]()
    commit = money.store.commit
    moves = replace(money.moves, pause_ms=pauses.append)
    money.assign_ports = replace(money.assign_ports, moves=moves)

    def crowded(change: OrderChange, token: str) -> None:
        if next(lost, None) is not None:
            raise error
        commit(change, token)

    monkeypatch.setattr(money.store, "commit", crowded)
    assert money.assign_waiting() == {Offered.ASSIGNED: 1}
    assert next(lost, None) is None
    assert len(pauses) == 3, "two waves, then three times alone"
    assert money.order(number).status is OrderStatus.ASSIGNED


def test_a_trader_who_leaves_meanwhile_gets_nothing_and_the_sell_goes_on(money: MoneyWorld) -> None:
    numbers = waiting_sells(money, 2)
    money.before_commit.then = lambda: money.suspend(0)
    assert money.assign_waiting() == {Offered.ASSIGNED: 2}
    assert took(money, numbers) == [1, 1]
    money.check()


def test_who_the_index_still_shows_is_not_tried_again(money: MoneyWorld) -> None:
    numbers, live = waiting_sells(money, 2), [money.trader(number) for number in (0, 1)]

    def late(mode: Mode, _at_least: int) -> Iterator[Trader]:
        return iter(live if mode is Mode.LIVE else ())

    money.assign_ports = replace(money.assign_ports, rotation=late)
    money.suspend(0)
    assert money.assign_waiting() == {Offered.ASSIGNED: 2}
    assert took(money, numbers) == [1, 1]


def test_a_broken_order_stops_no_other_of_its_wave(money: MoneyWorld) -> None:
    broken, *others = waiting_sells(money, 3)
    money.seed.client.update_item(
        TableName=money.seed.tables.orders,
        Key={"pk": {"S": broken}},
        UpdateExpression="REMOVE cny_fen",
    )
    with pytest.raises(AssertionError):
        money.assign_waiting()
    assert len(money.reported) == 1
    assert {money.order(number).status for number in others} == {OrderStatus.ASSIGNED}


def test_threads_commit_a_wave(money: MoneyWorld) -> None:
    numbers = waiting_sells(money)
    with ThreadPoolExecutor(2) as pool:
        running(money, pool.map)
        assert money.assign_waiting() == {Offered.ASSIGNED: SELLS}
    first, *_ = took(money, numbers)
    assert took(money, numbers) == [first, 1 - first, first, 1 - first, first]
    money.check()
