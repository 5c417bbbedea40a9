"""DynamoDB's unit rules, and how often the cost sheet's pages poll."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bench.costs.basis import Basis
from bench.model.sizes import item_bytes
from tests.model.request_units import index_write_units, units_read, units_written
from tests.support.template import ROOT

GROUPED = {"KeySchema": [{"AttributeName": "group"}, {"AttributeName": "time"}]}
SOME_OF_IT = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["kind"]}
ALL = {**GROUPED, "IndexName": "all", "Projection": {"ProjectionType": "ALL"}}
SOME = {**GROUPED, "IndexName": "some", "Projection": SOME_OF_IT}
THINGS = {"KeySchema": [{"AttributeName": "pk"}], "GlobalSecondaryIndexes": [ALL, SOME]}


def item(size: int, **values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return an item of so many bytes."""
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


def test_an_index_takes_what_changes_in_it() -> None:
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
    assert units(SOME, inside, changed) == 0, "nothing that it holds"
    assert units(SOME, inside, large) == 2, "its entries are small"


def test_pages_ask_as_often_as_their_scripts_say() -> None:
    pages = ROOT / "layers" / "common" / "orderdesk" / "web" / "pages"
    pay, desk = ((pages / name).read_text() for name in ("pay/page.js", "desk/watch.js"))
    assert '[FIRST, LONGEST] = status === "pending" ? [60000, 60000] : [15000, 30000];' in pay
    assert "delay = Math.min(delay * 1.5, LONGEST);" in pay
    assert "const BEAT = 15000," in desk
    unpaid = replace(Basis(), paid_seconds=Decimal(0))
    # After 60, 120 and 180 s; after the payment, after 15, 37.5, 67.5 and 97.5 s.
    assert unpaid.times("GET /pay/{order_no}/{token}/status") == 3
    assert Basis().times("GET /pay/{order_no}/{token}/status") == 3 + 4
    # After 15, 30 and 45 s; at 60 s the list of orders is opened again, for the next one.
    assert Basis().times("GET /trader/status") == 3
    assert Basis().times("POST /merchant/createOrder") == 1
