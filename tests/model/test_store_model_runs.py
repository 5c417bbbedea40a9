"""Whole runs of the store model, however crowded the store is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from bench.model import market
from bench.model.contention import AlwaysHead, Market, contention
from bench.model.fleet import Container, Fleet
from bench.model.reads import match_reads
from bench.model.rotation import rotation_sequential
from bench.model.store import TABLES
from bench.model.timeline import US_PER_SECOND
from bench.model.timing import ASSUMED, Span, Timing
from orderdesk.adapters.dynamodb.marshal import from_item
from orderdesk.adapters.dynamodb.traders.amounts import amount_moved_write
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.orders.open_orders import moves_amount
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.match import Contention
from tests.model.reading_client import ReadingClient
from tests.support.seed import with_changes

NO_LAG = replace(ASSUMED, index_lag=Span(0))


AMOUNTS_FEN = (100_00, 200_00, 500_00)


class Crowd(Market):
    """Buys with amounts in turn, over traders of whom some have unique amounts."""

    def __init__(
        self,
        traders: int,
        *,
        unique_amounts: bool = False,
        amounts_fen: Sequence[int] = (market.PLAIN_CNY_FEN,),
        **options: Any,
    ) -> None:
        self._unique_amounts, self._amounts_fen = unique_amounts, amounts_fen
        super().__init__(traders, **options)

    def trader(self, number: int) -> Trader:
        return with_changes(market.trader(number), unique_amounts=self._unique_amounts)

    def ending(self, order: Order) -> list[Write]:
        """Also free the order's amount."""
        ended = replace(order, status=OrderStatus.COMPLETED)
        if not moves_amount(order, ended):
            return super().ending(order)
        client = ReadingClient(self.store, Random(0))
        now = self.timeline.now_us // US_PER_SECOND
        freed = amount_moved_write(cast("Any", client), TABLES.traders, ended, now)
        return [*super().ending(order), freed]

    def request(self, number: int) -> OrderRequest:
        return market.buy(number, self._amounts_fen[number % len(self._amounts_fen)])


def crowd(
    rate_per_second: int = 150,
    traders: int = 20,
    *,
    seconds: int = 2,
    completes: bool = False,
    **options: Any,
) -> Market:
    run = Crowd(traders, seed=7, completes=completes, **options)
    run.orders_arrive(rate_per_second, seconds)
    run.timeline.run()
    return run


@pytest.fixture(autouse=True)
def all_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use containers that can make the reads of a refused buy."""
    monkeypatch.setattr("bench.model.fleet.StoreClient", ReadingClient)


def rows(run: Market, table: str) -> list[Any]:
    return [from_item(item) for item in run.store.tables[table].items()]


@pytest.fixture(scope="module")
def crowded() -> Market:
    return crowd()


def test_a_crowd_conflicts(crowded: Market) -> None:
    reasons = crowded.reasons()
    assert reasons["TransactionConflict"] > 0
    assert reasons["ConditionalCheckFailed"] > 0
    assert set(reasons) == {"TransactionConflict", "ConditionalCheckFailed"}
    assert len(crowded.fleet.containers) > 2


def test_no_order_is_matched_twice_and_no_write_is_lost(crowded: Market) -> None:
    placed = [answer.placed.order for answer in crowded.answers if answer.placed]
    stored = [row for row in rows(crowded, TABLES.orders) if row["kind"] == "order"]
    assert {row["pk"] for row in stored} == {order.order_no for order in placed}
    assert len(stored) == len(placed) == crowded.accepted.total()
    by_trader = Counter(row["trader_id"] for row in stored)
    held = Counter[str]()
    for row in stored:
        held[row["trader_id"]] += row["trader_micro"]
    for trader in rows(crowded, TABLES.traders):
        assert trader["open_orders"] == by_trader[trader["trader_id"]]
        assert trader["held_micro"] == held[trader["trader_id"]]
        assert trader["available_micro"] == market.AMPLE_MICRO - trader["held_micro"]
    assert sum(row["open_orders"] for row in rows(crowded, TABLES.traders)) == len(placed)


def test_every_acceptance_moved_its_trader(crowded: Market) -> None:
    last = Counter[str]()
    for answer in crowded.answers:
        if answer.placed:
            trader_id = str(answer.placed.order.trader_id)
            last[trader_id] = max(last[trader_id], answer.came_us)
    for trader in rows(crowded, TABLES.traders):
        assert trader["last_accepted_at"] >= last[trader["trader_id"]]


def test_numbers_and_nonces_are_written_with_their_orders_only(crowded: Market) -> None:
    placed = [answer for answer in crowded.answers if answer.placed]
    reserved = [row for row in rows(crowded, TABLES.orders) if row["kind"] == "reservation"]
    assert {row["order_no"] for row in reserved} == {
        answer.placed.order.order_no for answer in placed if answer.placed
    }
    assert len(rows(crowded, TABLES.guards)) == len(placed)


def test_each_order_costs_its_queries_its_cancelled_transactions_and_the_last_one(
    crowded: Market,
) -> None:
    """Nothing else is sent, and each cancelled transaction was refused at one position only."""
    placed = [answer for answer in crowded.answers if answer.placed]
    transactions = sum(answer.requests - answer.queries for answer in crowded.answers)
    assert transactions == len(placed) + crowded.reasons().total()
    assert min(answer.requests for answer in placed) == 2


def test_what_ends_gives_its_hold_back() -> None:
    run = crowd(60, completes=True)
    assert run.accepted.total() > 100
    for trader in rows(run, TABLES.traders):
        assert (trader["open_orders"], trader["held_micro"]) == (0, 0)


@pytest.mark.parametrize("lag", [Span(0), ASSUMED.index_lag, Span(US_PER_SECOND)])
def test_a_crowd_of_equal_buys_opens_one_at_each_trader_with_unique_amounts(lag: Span) -> None:
    """With index lag a container knows its own acceptances, but not their amounts."""
    timing = replace(ASSUMED, index_lag=lag)
    run = crowd(unique_amounts=True, amounts_fen=AMOUNTS_FEN, timing=timing)
    assert run.reasons()["TransactionConflict"] > 0
    amounts = [row for row in rows(run, TABLES.traders) if row.get("kind") == "amount"]
    assert len(amounts) == 20 * len(AMOUNTS_FEN)
    assert all(len(row["open_orders"]) == 1 for row in amounts)
    assert set(run.accepted.values()) == {len(AMOUNTS_FEN)}
    refused = Counter(answer.refusal for answer in run.answers if answer.placed is None)
    assert refused.keys() <= {"no_trader_available", "try_again"}
    assert refused["no_trader_available"] > len(run.answers) // 2


def test_amounts_that_end_are_taken_again_and_again() -> None:
    run = crowd(60, unique_amounts=True, amounts_fen=AMOUNTS_FEN, completes=True, seconds=20)
    assert run.accepted.total() > 2 * 20 * len(AMOUNTS_FEN)
    amounts = [row for row in rows(run, TABLES.traders) if row.get("kind") == "amount"]
    assert amounts
    assert not any("open_orders" in row for row in amounts)


def test_unique_amounts_cost_no_request_where_amounts_differ() -> None:
    run = crowd(60, amounts_fen=range(100_00, 200_00), unique_amounts=True)
    assert not any(container.client.requests["BatchGetItem"] for container in run.fleet.containers)
    transactions = sum(answer.requests - answer.queries for answer in run.answers)
    assert transactions == run.accepted.total() + run.reasons().total()


def test_a_taken_amount_costs_one_read_a_page_of_traders() -> None:
    run = crowd(2, traders=4, seconds=10, unique_amounts=True, amounts_fen=AMOUNTS_FEN)
    assert run.accepted.total() == 4 * len(AMOUNTS_FEN)
    reads = sum(container.client.requests["BatchGetItem"] for container in run.fleet.containers)
    refused = [answer for answer in run.answers if answer.placed is None]
    assert refused
    assert reads <= len(run.answers)


def test_a_seed_gives_the_same_run_again() -> None:
    first, second = (contention(100, traders=20, seconds=2, seed=3) for _ in range(2))
    assert first == second
    assert contention(100, traders=20, seconds=2, seed=4) != first


def test_a_busy_floor_costs_little_more_than_a_quiet_one_and_stays_fair() -> None:
    busy = contention(100, seconds=20)
    assert busy.requests_mean <= 2.2
    assert busy.requests_p99 <= 2 * busy.requests_p50
    assert busy.spread <= 5
    assert not busy.refused


def test_a_crowd_three_times_as_large_is_served_too() -> None:
    crowd = contention(300, seconds=6)
    assert crowd.requests_mean <= 2.4
    assert crowd.refused <= crowd.orders // 500


def test_always_taking_the_head_collapses() -> None:
    naive = contention(100, traders=50, seconds=1, make_contention=AlwaysHead)
    ours = contention(100, traders=50, seconds=1)
    assert naive.requests_mean > 2 * ours.requests_mean
    assert naive.refused > 10 * ours.refused


def test_alone_a_buy_makes_two_requests_and_the_rotation_is_exact() -> None:
    alone = match_reads(16, 20)
    assert alone.requests_max == 2
    one_by_one = rotation_sequential(200, traders=60, timing=NO_LAG)
    assert one_by_one.accepted > 150
    assert (one_by_one.inversions, one_by_one.missed, one_by_one.lost_claims) == (0, 0, 0)


def test_the_container_that_was_used_last_is_taken_first() -> None:
    instant = Timing(**dict.fromkeys(Timing.__slots__, Span(0)))
    timing = replace(instant, cpu_begin=Span(10))
    store = market.store_of(map(market.trader, range(5)), timing=timing)
    timeline = store.timeline

    def start() -> Container:
        return Container(store, Random(1), Contention())

    fleet = Fleet(start)
    served: list[int] = []

    def order(number: int) -> None:
        fleet.serve(market.buy(number))
        served.append(sum(c.client.requests["Query"] > 0 for c in fleet.containers))

    for number, at_us in enumerate((0, 5, 40_000, 80_000)):
        timeline.spawn(lambda number=number: order(number), timeline.now_us + at_us)  # type: ignore[misc]
    timeline.run()
    assert len(fleet.containers) == 2
    assert [c.client.requests["Query"] for c in fleet.containers] == [1, 3]


def test_reads_grow_where_the_same_few_fit_and_hardly_where_it_is_chance() -> None:
    few, many = (match_reads(traders, 40) for traders in (100, 1_000))
    assert many.queries_mean < 2 * few.queries_mean
    steady = match_reads(100, 10, steady=True)
    assert (steady.fitting, steady.queries_mean) == (5, 1.2)  # the first query found the depth


def test_the_steady_case_is_where_repeated_orders_lead() -> None:
    """Traders who accept an order move to the end; the case begins where all fitting ones have."""
    amounts = enumerate([100_00] * 5 + [200_00] * 95)
    store = market.store_of(market.trader(number, fen, fen) for number, fen in amounts)
    container = Container(store, Random(1), Contention())
    queries = []
    for number in range(8):
        queries.append(container.serve(market.buy(number, 100_00)).queries)
        store.timeline.wait(US_PER_SECOND)
    # The sixth reads 16, 64 and 256 entries; from then on the first query is deep enough.
    assert queries == [1] * 5 + [3] + [1] * 2
