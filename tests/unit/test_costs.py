"""DynamoDB's rules for request units, and the polls of the pages in the cost sheet."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bench.costs.basis import Basis
from bench.model.sizes import item_bytes
from tests.model.request_units import index_write_units, units_read, units_written

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


def test_the_cost_sheet_counts_the_polls_of_the_pages() -> None:
    unpaid = replace(Basis(), paid_seconds=Decimal(0))
    # Polls 60, 120 and 180 s after the order; 15, 37.5, 67.5 and 97.5 s after the payment.
    assert unpaid.times("GET /pay/{order_no}/{token}/status") == 3
    assert Basis().times("GET /pay/{order_no}/{token}/status") == 3 + 4
    # Polls after 15, 30 and 45 s; after 60 s the trader opens the next order.
    assert Basis().times("GET /trader/status") == 3
    assert Basis().times("POST /merchant/createOrder") == 1
