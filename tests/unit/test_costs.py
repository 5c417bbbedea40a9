"""DynamoDB's rules for request units, and the polls of the pages in the cost sheet."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bench.costs.basis import Basis, confirmations, polls_until, polls_within
from bench.model.capacity import item_bytes
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.web.pages.pay.page import PACES, Pace, wait_seconds
from tests.model.request_units import index_write_units, units_read, units_written
from tests.support.orders import BUY_STATUSES

GROUPED = {"KeySchema": [{"AttributeName": "group"}, {"AttributeName": "time"}]}
SOME_OF_IT = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["kind"]}
ALL = {**GROUPED, "IndexName": "all", "Projection": {"ProjectionType": "ALL"}}
SOME = {**GROUPED, "IndexName": "some", "Projection": SOME_OF_IT}
THINGS = {"KeySchema": [{"AttributeName": "pk"}], "GlobalSecondaryIndexes": [ALL, SOME]}


def item(size: int, **values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return an item of this size in bytes."""
    fixed: dict[str, dict[str, Any]] = {"pk": {"S": "1"}, **values}
    return {**fixed, "fill": {"S": "x" * (size - item_bytes(fixed) - len("fill"))}}


INSIDE: dict[str, dict[str, Any]] = {"group": {"S": "g"}, "time": {"N": "1"}}


@pytest.mark.parametrize(("size", "units"), [(30, 1), (1024, 1), (1025, 2), (2048, 2), (2049, 3)])
@pytest.mark.parametrize("factor", [1, 2])
def test_a_write_costs_its_larger_state(size: int, units: int, factor: int) -> None:
    table = {"KeySchema": THINGS["KeySchema"]}
    for states in ((None, item(size)), (item(size), item(30)), (item(size), None)):
        taken = list(units_written("Things", table, *states, transactional=factor == 2))
        assert taken == [("writes", "Things", Decimal(factor * units))]


def test_a_transaction_costs_an_index_once() -> None:
    taken = units_written("Things", THINGS, None, item(100, **INSIDE), transactional=True)
    assert [(place, int(units)) for _, place, units in taken] == [
        ("Things", 2),
        ("Things/all", 1),
        ("Things/some", 1),
    ]


@pytest.mark.parametrize(("size", "units"), [(30, 1), (4096, 1), (4097, 2), (36_240, 9)])
def test_a_read_rounds_up_to_four_kilobytes(size: int, units: int) -> None:
    strong = {"TableName": "Things", "ConsistentRead": True}
    late = {"TableName": "Things", "IndexName": "all"}
    page = {"Items": [item(size - 30), item(30)] if size > 60 else [item(size)]}
    page["ScannedCount"] = len(page["Items"])  # type: ignore[assignment]
    alone = list(units_read("GetItem", strong, {"Item": item(size)}))
    assert alone == [("reads", "Things", Decimal(units))]
    batch = {"RequestItems": {"Things": {"ConsistentRead": True}}}
    two = {"Responses": {"Things": [item(size), item(30)]}}
    assert list(units_read("BatchGetItem", batch, two)) == [*alone, ("reads", "Things", 1)]
    assert list(units_read("Query", late, page)) == [("reads", "Things/all", Decimal(units) / 2)]


def test_an_index_costs_what_changes_in_it() -> None:
    two = {"time": {"N": "2"}}
    outside, inside = item(100), item(100, **INSIDE)
    moved = item(100, **{**INSIDE, **two})
    large = item(1500, **{**INSIDE, **two})
    changed = {**inside, "other": {"S": "x"}}

    def units(index: Any, before: Any, after: Any) -> int:
        return index_write_units(index, THINGS, before, after)

    assert units(ALL, None, outside) == 0, "sparse"
    assert units(ALL, None, inside) == 1
    assert units(ALL, outside, inside) == 1
    assert units(ALL, inside, outside) == 1
    assert units(ALL, inside, moved) == 2, "deleted and put"
    assert units(ALL, inside, large) == 1 + 2
    assert units(ALL, inside, changed) == 1
    assert units(ALL, inside, inside) == 0
    assert units(SOME, inside, changed) == 0, "no projected attribute changed"
    assert units(SOME, inside, large) == 2, "its entries are small"


def test_polls_follow_the_age_of_the_status() -> None:
    paces = (Pace(30, 30), Pace(60, 10), Pace(None, 50))
    # Polls after 30, 40, 50, 60 and 110 s.
    assert [polls_until(paces, [time]).mean_count for time in (1, 30, 31, 60, 61)] == [
        *(1, 1, 2, 4, 5)
    ]
    assert polls_until(paces, [35]).median_delay == 5
    assert [polls_within(paces, seconds) for seconds in (29, 30, 109, 110)] == [0, 1, 4, 5]


def test_every_open_status_of_a_buy_has_a_schedule_without_an_end() -> None:
    assert {status for status in BUY_STATUSES if status.is_open} == PACES.keys()
    for paces in PACES.values():
        ends = [pace.until for pace in paces[:-1] if pace.until is not None]
        assert len(ends) == len(paces) - 1
        assert ends == sorted(ends)
        assert paces[-1].until is None
        assert wait_seconds(paces, 10**9) <= 120


@pytest.mark.parametrize(("usual", "spread"), [(60, 0.8), (90, 0.8), (120, 0.8), (90, 0.5)])
def test_an_open_page_shows_the_confirmation_soon(usual: float, spread: float) -> None:
    """The median delay is at most 5 s, whether traders confirm after one minute or after two."""
    polls = polls_until(PACES[OrderStatus.PAID], confirmations(usual, spread))
    assert polls.median_delay <= 5
    assert polls.mean_count <= 18


@pytest.mark.parametrize("status", [OrderStatus.PAID, OrderStatus.DISPUTED])
def test_whatever_the_age_an_end_is_seen_within_10_s(status: OrderStatus) -> None:
    """The page adds up to a tenth to each wait. Traders hardly confirm within 18 s."""
    assert all(wait_seconds(PACES[status], age) * 1.1 < 10 for age in (18, 60, 901, 10**6))


def test_the_cost_sheet_counts_the_polls_of_the_pages() -> None:
    status = "GET /pay/{order_no}/{token}/status"
    soon = replace(Basis(), confirmed_seconds=Decimal(1))
    # Polls 60 and 180 s after the order; one 18 s after the payment, and 13 in the mean.
    assert soon.times(status) == 2 + 1
    assert Basis().times(status) == 2 + Decimal("13.3")
    # Polls after 15, 30 and 45 s; after 60 s the trader opens the next order.
    assert Basis().times("GET /trader/status") == 3
    assert Basis().times("POST /merchant/createOrder") == 1
