"""A malformed item of any kind is a finding with its table and key; the rest is still checked."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.system import now_us
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import proposal_number
from tests.support.market import FundedBooks, funded_books
from tests.support.merchant_client import buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.world import World

REMOVED = object()
type ItemKey = Mapping[str, str]
KEYS = {"Ledger": ("pk", "sk"), "Audit": ("pk", "sk"), "Traders": ("trader_id",)}


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    return funded_books(world)


def find(books: FundedBooks, table: str, attributes: Mapping[str, Value]) -> Any:
    """Return the first item with these attributes."""
    rows = (dict(row) for row in books.world.items(table))
    return next(row for row in rows if attributes.items() <= row.items())


def key_of(table: str, item: Any) -> ItemKey:
    return {name: item[name] for name in KEYS.get(table, ("pk",))}


def spoiled(item: Item, name: str, value: Any) -> Item:
    others = {key: each for key, each in item.items() if key != name}
    return others if value is REMOVED else {**others, name: value}


ORDER: Mapping[str, Value] = {"kind": "order"}
FUNDING: Mapping[str, Value] = {"kind": "funding"}
FUND: Mapping[str, Value] = {"action": "fund.merchant"}
CASES: list[tuple[str, Mapping[str, Value], str, object, str]] = [
    ("Orders", ORDER, "cny_fen", "1", "wrong type of cny_fen"),
    ("Orders", ORDER, "timeline", REMOVED, "no timeline"),
    ("Orders", ORDER, "status", "paidd", "unreadable value (ValueError)"),
    ("Orders", ORDER, "mode", REMOVED, "no mode"),
    ("Orders", ORDER, "order_no", "B1", "order_no is not its key"),
    ("Orders", ORDER, "merchant_id", "other", "list_key is of another merchant or order_id"),
    ("Orders", ORDER, "kind", "ordr", "unknown kind"),
    ("Orders", ORDER, "kind", REMOVED, "no kind"),
    ("Orders", {"kind": "open_buys"}, "open_buys", "2", "wrong type of open_buys"),
    ("Ledger", {"sk": "balance"}, "held_micro", REMOVED, "no held_micro"),
    ("Ledger", {"sk": "balance"}, "available_micro", "5", "wrong type of available_micro"),
    ("Ledger", {"sk": "balance"}, "open_sells", "x", "wrong type of open_sells"),
    ("Ledger", FUNDING, "amount_micro", REMOVED, "no amount_micro"),
    ("Ledger", FUNDING, "at_us", 7, "its key has another time or transfer_id"),
    ("Ledger", FUNDING, "kind", "gift", "unknown kind"),
    ("Traders", {"mode": "live"}, "methods", REMOVED, "no methods"),
    ("Traders", {"mode": "live"}, "mode", "both", "unreadable value (ValueError)"),
    ("Traders", {"mode": "live"}, "held_micro", "0", "wrong type of held_micro"),
    ("Traders", {"mode": "live"}, "open_orders", "x", "wrong type of open_orders"),
    ("Merchants", {"status": "active"}, "status", "on", "unreadable value (ValueError)"),
    ("Merchants", {"status": "active"}, "max_rps", "5", "wrong type of max_rps"),
    ("Merchants", {"pk": "rates"}, "buy", 7, "unreadable value (TypeError)"),
    ("Audit", {}, "action", REMOVED, "no action"),
    ("Audit", {}, "who", 5, "wrong type of who"),
    ("Audit", FUND, "details", {"account": [], "amount_usdt": "1"}, "wrong type of account_key"),
    ("Audit", FUND, "details", {"account": "x", "amount_usdt": 1}, "unreadable value (TypeError)"),
]


def malformed(document: Any) -> set[tuple[str, str]]:
    found = document["findings"]
    return {(each["key"], each["problem"]) for each in found if each["kind"] == "malformed"}


def test_each_malformed_item_is_named(books: FundedBooks) -> None:
    """Each round spoils each item in one way; the others are spoiled in it too."""
    assert books.client.create(buy(merchant_order_no="n1")).code == 1
    items = [find(books, table, attributes) for table, attributes, *_ in CASES]
    keys = [
        f"{case[0].lower()}: {' '.join(key_of(case[0], item).values())}"
        for case, item in zip(CASES, items, strict=True)
    ]
    ways: defaultdict[str, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        ways[key].append(number)
    for together in zip_longest(*ways.values()):
        spoilt = [number for number in together if number is not None]
        for number in spoilt:
            table, _, name, value, _ = CASES[number]
            books.world.put(table, spoiled(items[number], name, value))
        _, document = books.refused()
        assert malformed(document) == {(keys[number], CASES[number][4]) for number in spoilt}
        for number in spoilt:
            books.world.put(CASES[number][0], items[number])
    assert books.terminal.json("ledger", "check")["balanced"] is True


def test_malformed_proposals_are_named(books: FundedBooks) -> None:
    numbers = [proposal_number(now_us(), chance) for chance in (1, 2)]
    for number, command in zip(numbers, ("fund.merchant", "rate.set"), strict=True):
        row: Item = {"pk": "proposals", "sk": number, "command": command, "status": "open"}
        books.world.put("Ledger", row)
    _, document = books.refused()
    assert malformed(document) == {
        (f"ledger: proposals {number}", "no target") for number in numbers
    }


def test_a_malformed_item_hides_no_other_finding(books: FundedBooks) -> None:
    for table, attributes, name, value in (
        ("Audit", {"action": "fund.merchant"}, "who", 5),
        ("Orders", {"kind": "open_buys"}, "open_buys", 9),
    ):
        item = find(books, table, attributes)
        books.world.put(table, spoiled(item, name, value))
    _, document = books.refused()
    kinds = {each["kind"] for each in document["findings"]}
    assert {"malformed", "open_buys", "posting_without_decision"} <= kinds


@pytest.mark.parametrize(("name", "value"), [("timeline", REMOVED), ("cny_fen", "1")])
def test_lists_of_orders_leave_a_malformed_one_out(
    books: FundedBooks, name: str, value: object
) -> None:
    item = find(books, "Orders", {"kind": "order", "mode": Mode.LIVE.value})
    before = [order["order_no"] for order in books.client.listed()["orders"]]
    books.world.put("Orders", spoiled(item, name, value))
    after = [order["order_no"] for order in books.client.listed()["orders"]]
    assert after == [number for number in before if number != item["pk"]]
    assert len(after) == len(before) - 1
    listed = books.terminal.json("order", "list")
    assert item["pk"] not in {order["order_no"] for order in listed}


@pytest.mark.parametrize(("name", "value"), [("methods", REMOVED), ("held_micro", "0")])
def test_a_malformed_trader_is_not_listed_and_stops_no_order(
    books: FundedBooks, name: str, value: object
) -> None:
    other = books.world.add_trader(available_micro=10**12)
    item = find(books, "Traders", {"trader_id": books.traders[Mode.LIVE].trader_id})
    books.world.put("Traders", spoiled(item, name, value))
    listed = books.terminal.json("trader", "list")
    assert item["trader_id"] not in {trader["trader_id"] for trader in listed}
    assert other.trader_id in {trader["trader_id"] for trader in listed}
    if value is REMOVED:
        assert books.client.create(buy()).code == 1


def test_a_malformed_merchant_is_not_listed(books: FundedBooks) -> None:
    item = find(books, "Merchants", {"status": "active"})
    books.world.put("Merchants", spoiled(item, "status", "on"))
    assert books.terminal.json("merchant", "list") == []


def test_a_days_report_leaves_malformed_items_out(books: FundedBooks) -> None:
    for table, attributes, name, value in (
        ("Ledger", {"sk": "balance"}, "available_micro", "5"),
        ("Ledger", FUNDING, "at_us", "7"),
        ("Traders", {"mode": "live"}, "held_micro", "0"),
        ("Orders", ORDER, "timeline", REMOVED),
    ):
        item = find(books, table, attributes)
        books.world.put(table, spoiled(item, name, value))
    report = OperatorApi(books.world).data("viewer-1", "report.day", date="2025-11-20")
    assert report["date"] == "2025-11-20"


def test_a_malformed_reservation_hides_no_order(books: FundedBooks) -> None:
    order_no = books.client.create(sell(merchant_order_no="n1")).data["order_no"]
    item = find(books, "Orders", {"kind": "reservation", "order_no": order_no})
    books.world.put("Orders", {**item, "pk": "number#x#1", "order_no": 5})
    found = OperatorApi(books.world).data("viewer-1", "order.find", text=order_no[-4:])
    assert order_no in str(found)


def test_every_list_answers_beside_what_no_check_reads(books: FundedBooks) -> None:
    """The lists leave it out, and no finding names it (docs/books.md)."""
    api, order = OperatorApi(books.world), find(books, "Orders", ORDER)
    desk: Item = {"desk_key": Key.endings(order["pk"]), "order_id": 1}
    unread: list[tuple[str, Item]] = [
        ("Orders", {"pk": "number#x#1", "kind": "reservation", "order_no": 5, **desk}),
        ("Orders", {"pk": "Dx", "kind": "draft", "pending_no": "Dx"}),
        ("Orders", {"pk": "x#notes", "kind": "notes", "said": [{"by": "nobody"}]}),
        ("Ledger", {"pk": "merchant:x:live", "sk": "posting#7#x", "kind": "gift"}),
        ("Ledger", {"pk": "proposals", "sk": "P99991231", "command": "fund.merchant"}),
        ("Ledger", {"pk": "x", "sk": "y"}),
    ]
    for table, item in unread:
        books.world.put(table, item)
    lists = ("trader.list", "merchant.list", "order.list", "proposal.list", "withdraw.list")
    for name in (*lists, "audit.list", "ledger.balances"):
        assert "P99991231" not in str(api.data("viewer-1", name)), name
    api.data("viewer-1", "report.day", date="2025-11-20")
    assert order["pk"] in str(api.data("viewer-1", "order.find", text=order["pk"][-4:]))
