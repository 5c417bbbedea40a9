"""A malformed item of any kind is a finding with its table and key; the rest is still checked."""

from collections.abc import Mapping
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Value
from orderdesk.domain.modes import Mode
from tests.support.market import FundedBooks, funded_books
from tests.support.merchant_client import buy
from tests.support.world import World

REMOVED = object()
type Key = Mapping[str, str]


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk_cli.wiring.pause_ms", lambda _: None)
    return funded_books(world)


def spoil(books: FundedBooks, table: str, key: Key, name: str, value: object) -> None:
    """Set an attribute of an item, or remove it."""
    item: Any = dict(books.world.get(table, dict(key)) or key)
    if value is REMOVED:
        del item[name]
    else:
        item[name] = value
    books.world.put(table, item)


def key_of(books: FundedBooks, table: str, **attributes: Value) -> Key:
    """Return the key of the first item with these attributes."""
    names = {"Ledger": ("pk", "sk"), "Audit": ("pk", "sk"), "Traders": ("trader_id",)}
    row: Any = next(
        row for row in books.world.items(table) if attributes.items() <= dict(row).items()
    )
    return {name: row[name] for name in names.get(table, ("pk",))}


@pytest.mark.parametrize(
    ("table", "attributes", "name", "value", "problem"),
    [
        ("Orders", {"kind": "order"}, "cny_fen", "1", "wrong type of quote"),
        ("Orders", {"kind": "order"}, "timeline", REMOVED, "no timeline"),
        ("Orders", {"kind": "order"}, "status", "paidd", "unreadable value (ValueError)"),
        ("Orders", {"kind": "order"}, "mode", REMOVED, "no mode"),
        ("Orders", {"kind": "order"}, "order_no", "B1", "order_no is not its key"),
        (
            "Orders",
            {"kind": "order"},
            "merchant_id",
            "other",
            "list_key is of another merchant or order_id",
        ),
        ("Orders", {"kind": "order"}, "kind", "ordr", "unknown kind"),
        ("Orders", {"kind": "order"}, "kind", REMOVED, "no kind"),
        ("Orders", {"kind": "open_buys"}, "open_buys", "2", "wrong type of open_buys"),
        ("Orders", {"kind": "reservation"}, "order_no", 5, "wrong type of order_no"),
        ("Ledger", {"sk": "balance"}, "held_micro", REMOVED, "no held_micro"),
        ("Ledger", {"sk": "balance"}, "available_micro", "5", "wrong type of available_micro"),
        ("Ledger", {"kind": "funding"}, "amount_micro", REMOVED, "no amount_micro"),
        ("Ledger", {"kind": "funding"}, "at_us", 7, "its key has another time or transfer_id"),
        ("Ledger", {"kind": "funding"}, "kind", "gift", "unknown kind"),
        ("Traders", {"mode": "live"}, "methods", REMOVED, "no methods"),
        ("Traders", {"mode": "live"}, "mode", "both", "unreadable value (ValueError)"),
        ("Traders", {"mode": "live"}, "held_micro", "0", "wrong type of held_micro"),
        ("Merchants", {"status": "active"}, "status", "on", "unreadable value (ValueError)"),
        ("Merchants", {"status": "active"}, "max_rps", "5", "wrong type of terms"),
        ("Merchants", {"pk": "rates"}, "buy", 7, "unreadable value (TypeError)"),
        ("Audit", {}, "action", REMOVED, "no action"),
    ],
)
def test_a_malformed_item_is_named(
    books: FundedBooks,
    table: str,
    attributes: dict[str, Value],
    name: str,
    value: object,
    problem: str,
) -> None:
    key = key_of(books, table, **attributes)
    spoil(books, table, key, name, value)
    _, found = books.refused()
    named = {(d["key"], d["problem"]) for d in found["findings"] if d["kind"] == "malformed"}
    assert named == {(f"{table.lower()}: {' '.join(key.values())}", problem)}


def test_malformed_drafts_notes_and_proposals_are_named(books: FundedBooks) -> None:
    books.world.put("Orders", {"pk": "D1", "kind": "draft", "pending_no": "D1"})
    books.world.put("Orders", {"pk": "B1#notes", "kind": "notes", "said": [{"by": "nobody"}]})
    for number, command, status in (("P1", "fund.merchant", "open"), ("P2", "rate.set", "done")):
        row = {"pk": "proposals", "sk": number, "command": command, "status": status}
        books.world.put("Ledger", dict(row))
    books.world.put("Ledger", {"pk": "x", "sk": "y"})
    _, found = books.refused()
    assert {(d["key"], d["problem"]) for d in found["findings"]} == {
        ("orders: D1", "no merchant_id"),
        ("orders: B1#notes", "unreadable value (ValueError)"),
        ("ledger: proposals P1", "no account"),
        ("ledger: proposals P2", "unreadable value (ValueError)"),
        ("ledger: x y", "unknown kind of item"),
    }


def test_a_malformed_item_hides_no_other_finding(books: FundedBooks) -> None:
    spoil(books, "Audit", key_of(books, "Audit"), "who", 5)
    counter = key_of(books, "Orders", kind="open_buys")
    spoil(books, "Orders", counter, "open_buys", 9)
    _, found = books.refused()
    kinds = {d["kind"] for d in found["findings"]}
    assert {"malformed", "open_buys"} <= kinds


def test_test_orders_and_live_orders_stay_listed_beside_a_malformed_one(
    books: FundedBooks,
) -> None:
    """A merchant's listOrders and an operator's `trader list` leave the malformed item out."""
    client = books.client
    assert client.create(buy(), route="merchant").code == 1
    key = key_of(books, "Orders", kind="order", mode=Mode.LIVE.value)
    before = client.post("listOrders").data["orders"]
    spoil(books, "Orders", key, "timeline", REMOVED)
    after = client.post("listOrders").data["orders"]
    assert {order["order_no"] for order in before} - {order["order_no"] for order in after} == {
        key["pk"]
    }
