"""Long reads in parts, and lists that a malformed item does not end."""

import time
from datetime import UTC, datetime
from itertools import count
from random import Random
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.wiring import operators
from tests.support.days import HOUR, live_mixed_hours
from tests.support.engine import PAGE_BYTES
from tests.support.market import funded_books
from tests.support.money_world import MoneyWorld
from tests.support.operator_api import OperatorApi
from tests.support.seed import Seed
from tests.support.template import table_definition
from tests.support.world import World

VIEWER, OTHER = "viewer-1", "viewer-2"
UNKNOWN = (404, 2002)

BROKEN: tuple[Item, ...] = (
    {"command": 7},
    {"before": "text"},
    {"expires_at": "soon"},
    {"status": 7},
    {"account": "?", "amount_micro": 1},
)


@pytest.fixture
def money(world: World) -> MoneyWorld:
    money = MoneyWorld(world)
    live_mixed_hours(money, 6, Random(21))
    return money


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, money: MoneyWorld) -> None:
    """Make a part read two pages: its clock advances by six seconds whenever it is read."""
    monkeypatch.setattr(PAGE_BYTES, 4_000)
    clock = count(money.now * 10**6, 6 * 10**6)
    monkeypatch.setattr(operators, "now_us", lambda: next(clock))
    monkeypatch.setattr(operators, "pause_ms", lambda _: None)


@pytest.mark.usefixtures("hurried")
def test_a_restored_table_is_compared_in_parts(money: MoneyWorld, api: OperatorApi) -> None:
    world = money.seed
    restored = restored_ledger(world)
    rows: list[Any] = world.items("Ledger")
    lost, changed, *_ = [row for row in rows if row["sk"].startswith("posting#")]
    world.put("Ledger", {**changed, "amount_micro": changed["amount_micro"] + 5})
    world.client.delete_item(
        TableName="Ledger", Key=to_item({name: lost[name] for name in ("pk", "sk")})
    )
    parts = api.parts(VIEWER, "ledger.compare", restored=restored)
    assert len(parts) > 1
    items = [item for part in parts for item in part["items"]]
    assert sorted((item["kind"], item["key"]) for item in items) == [
        ("changed_amount", f"{changed['pk']} {changed['sk']}"),
        ("lost_posting", f"{lost['pk']} {lost['sk']}"),
    ]
    transfers = sum(row["sk"].startswith("posting#") for row in rows)
    assert sum(part["postings"] for part in parts) == transfers


def test_a_comparison_is_of_a_restored_ledger_only(world: World, api: OperatorApi) -> None:
    restored = restored_ledger(world)
    for name in ("Traders", "Ledger-restored", f"{restored}2"):
        status, envelope = api.call(VIEWER, "ledger.compare", restored=name)
        assert (status, envelope["code"]) == UNKNOWN
    for after in ("x", "[1]", '["a", 5]', '{"pk": "a"}'):
        status, envelope = api.call(VIEWER, "ledger.compare", restored=restored, after=after)
        assert status == 400


def test_the_command_exits_with_1_if_a_posting_is_lost(world: World) -> None:
    books = funded_books(world)
    restored = restored_ledger(world)
    assert books.terminal.json("ledger", "compare", restored)["findings"] == []
    row = books.posting(books.key())
    world.client.delete_item(
        TableName="Ledger", Key=to_item({name: row[name] for name in ("pk", "sk")})
    )
    result = books.terminal.run("ledger", "compare", restored)
    assert result.exit_code == 1
    assert "1000.000000 USDT are no longer there (lost_posting)" in result.stderr


def restored_ledger(world: Seed) -> str:
    """Copy the Ledger table; return the copy's name."""
    name = "Ledger-restored-1"
    world.client.create_table(TableName=name, **table_definition("LedgerTable"))
    for item in world.items("Ledger"):
        world.put(name, item)
    return name


def test_a_malformed_item_is_left_out_of_lists(world: World, api: OperatorApi) -> None:
    merchant, _ = world.add_merchant()
    asked = {"merchant_id": merchant.merchant_id, "amount": "5", "memo": "m"}
    proposed = api.data("finance-1", "fund.merchant", **asked)["proposal"]["proposal_no"]
    whole = world.get("Ledger", {"pk": "proposals", "sk": proposed})
    assert whole is not None
    for number, broken in enumerate(BROKEN):
        world.put("Ledger", {**whole, "sk": f"P99991231{number:015d}", **broken})
    world.put("Ledger", {"pk": "proposals", "sk": "P99991231999999999999999"})
    for command in ("proposal.list", "withdraw.list"):
        for open_only in (True, False):
            found = api.data(VIEWER, command, open_only=open_only)["items"]
            assert [each["proposal_no"] for each in found] == (
                [proposed] if command == "proposal.list" else []
            ), (command, open_only)


def test_a_malformed_posting_does_not_end_a_report(money: MoneyWorld, api: OperatorApi) -> None:
    world = money.seed
    world.put("Ledger", {"pk": "merchant:m1:live", "sk": "posting#bad"})
    date = datetime.fromtimestamp(time.time() + 8 * HOUR, UTC).date().isoformat()
    found = api.data(VIEWER, "report.day", date=date)
    assert (found["date"], found["next"]) == (date, None)
    assert api.data(VIEWER, "report.day", date="1970-01-01")["closes"]  # no key is as old
    assert api.call(VIEWER, "report.day", date=date.replace("-", ""))[0] == 400
