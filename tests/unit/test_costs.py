"""The cost sheet: DynamoDB's size and unit rules, and a sheet that adds up."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bench.costs import CostSheet, cost_sheet, markdown
from bench.costs.assumptions import EXPLAINED, Assumptions
from bench.costs.prices import PRICES
from bench.costs.units import (
    Index,
    Table,
    index_write_units,
    units_of_read,
    units_of_write,
)
from bench.costs.walk import Walk, walk
from bench.model.sizes import item_bytes
from tests.support.template import ROOT

ALL = Index("all", ("group", "time"), None)
SOME = Index("some", ("group", "time"), frozenset({"kind"}))
THINGS = Table(("pk",), (ALL, SOME))


def item(size: int, **values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give an item of so many bytes."""
    fixed: dict[str, dict[str, Any]] = {"pk": {"S": "1"}, **values}
    return {**fixed, "fill": {"S": "x" * (size - item_bytes(fixed) - len("fill"))}}


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "abc"}, 3),
        ({"S": "交易"}, 6),
        ({"B": b"12345"}, 5),
        ({"BOOL": True}, 1),
        ({"N": "7"}, 2),
        ({"N": "12"}, 2),
        ({"N": "123"}, 3),
        ({"N": "1795277311568"}, 8),
        ({"N": "1000000"}, 2),
        ({"N": "-12"}, 3),
        ({"L": []}, 3),
        ({"M": {}}, 3),
        ({"L": [{"S": "ab"}, {"S": "c"}]}, 3 + 3 + 2),
        ({"M": {"k": {"S": "ab"}, "long": {"N": "1"}}}, 3 + (1 + 2 + 1) + (4 + 2 + 1)),
    ],
)
def test_an_attribute_is_as_large_as_the_guide_says(value: dict[str, Any], size: int) -> None:
    assert item_bytes({"name": value}) == len("name") + size


def test_names_count_in_utf_8() -> None:
    assert item_bytes({"名": {"S": "a"}}) == 4


@pytest.mark.parametrize(("size", "units"), [(1, 1), (1024, 1), (1025, 2), (2048, 2), (2049, 3)])
def test_a_write_rounds_up_to_kilobytes(size: int, units: int) -> None:
    small, large = item(30), item(max(size, 30))
    assert units_of_write(None, large) == units
    assert units_of_write(large, small) == units, "the larger state counts"
    assert units_of_write(large, None) == units


@pytest.mark.parametrize(("size", "units"), [(0, 1), (1, 1), (4096, 1), (4097, 2), (36_240, 9)])
def test_a_read_rounds_up_to_four_kilobytes(size: int, units: int) -> None:
    assert units_of_read(size, consistent=True) == units
    assert units_of_read(size, consistent=False) == Decimal(units) / 2


def test_an_index_takes_what_changes_in_it() -> None:
    group, one, two = {"S": "g"}, {"N": "1"}, {"N": "2"}
    outside = item(100)
    inside = item(100, group=group, time=one)
    moved = item(100, group=group, time=two)
    changed = {**inside, "other": {"S": "x"}}
    large = item(1500, group=group, time=two)

    def units(index: Index, before: Any, after: Any) -> int:
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


@pytest.fixture(scope="module")
def seen() -> Walk:
    return walk(traders=20, orders=1)


@pytest.fixture(scope="module")
def sheet(seen: Walk) -> CostSheet:
    return cost_sheet(seen=seen)


def test_the_sheet_adds_up(sheet: CostSheet) -> None:
    for bill, steps in ((sheet.buy, sheet.buy_steps), (sheet.sell, sheet.sell_steps)):
        assert sum(line.usd for line in bill.lines) == bill.usd
        assert sum(step.usd for step in steps) == pytest.approx(bill.usd)
        for line in bill.lines:
            assert line.usd == PRICES[line.name].of(line.quantity) > 0
    assert sheet.mix.usd == pytest.approx((sheet.buy.usd + sheet.sell.usd) / 2)


def test_units_are_those_of_their_places(sheet: CostSheet) -> None:
    for bill, units in ((sheet.buy, sheet.buy_units), (sheet.sell, sheet.sell_units)):
        written = sum(taken for (kind, _), taken in units.items() if kind == "write")
        # The sell's assigner runs by schedule, which has a line of its own for what it always does.
        assert bill.line("DynamoDB, writes").quantity == written * 1_000_000


def test_a_buys_creation_takes_two_requests(seen: Walk) -> None:
    create = seen.buy[0]
    assert [request.operation for request in create.requests] == ["Query", "TransactWriteItems"]
    guarded, reserved, claimed, put = create.requests[1].writes
    assert [write.table for write in (guarded, reserved, claimed, put)] == [
        "Guards",
        "Orders",
        "Traders",
        "Orders",
    ]
    assert claimed.before is not None
    assert claimed.after is not None
    assert claimed.before["last_accepted_at"] != claimed.after["last_accepted_at"]
    assert [request.operation for request in seen.sell[0].requests] == ["TransactWriteItems"]


def test_the_mix_follows_its_share(seen: Walk, sheet: CostSheet) -> None:
    only_buys = cost_sheet(seen=seen, buy_share=Decimal(1))
    assert only_buys.mix.usd == only_buys.buy.usd == sheet.buy.usd


def test_measured_cpu_replaces_the_walks(seen: Walk, sheet: CostSheet) -> None:
    slower = cost_sheet(seen=seen, buy_cpu_ms={"createOrder": 1000.0})
    name = "Lambda, compute (arm64)"
    more = slower.buy.line(name).quantity - sheet.buy.line(name).quantity
    assert more > 1_000_000
    with pytest.raises(AssertionError, match="no such step"):
        cost_sheet(seen=seen, buy_cpu_ms={"nothing": 1.0})


def test_every_lever_saves_something_and_the_page_tells_all(sheet: CostSheet) -> None:
    page = markdown(sheet)
    assert all(lever.usd > 0 for lever in sheet.levers)
    for name in [lever.what for lever in sheet.levers] + [step.label for step in sheet.sell_steps]:
        assert f"| {name} |" in page
    for price in PRICES:
        assert f"| {price} |" in page
    assert all(line.isascii() for line in page.splitlines() if "·" not in line)


def test_every_assumption_is_on_the_page(sheet: CostSheet) -> None:
    assert {name for name, _ in EXPLAINED} == set(Assumptions.__slots__)
    other = replace(Assumptions(), receipt_kb=Decimal(77))
    assert "| 77 |" in markdown(replace(sheet, assumptions=other))


def test_pages_ask_as_often_as_their_scripts_say() -> None:
    pages = ROOT / "layers" / "common" / "orderdesk" / "web" / "pages"
    pay, desk = ((pages / name).read_text() for name in ("pay/page.js", "desk/desk.js"))
    assert "const FIRST = 3000, LONGEST = 30000;" in pay
    assert "delay = Math.min(delay * 1.5, LONGEST);" in pay
    assert "next = setTimeout(ask, 5000);" in desk
    one_look = replace(Assumptions(), payer_looks_after_paying_seconds=Decimal(0))
    # After 3, 7.5, 14.25, 24.4, 39.6, 62.3, 92.3, 122.3 and 152.3 s.
    assert one_look.pay_polls == 9
    assert one_look.desk_polls == 12
