"""`orderdesk ledger check` names each number that was changed by hand, and each malformed item."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.withdrawals import place_item, request_item
from orderdesk.adapters.system import now_us
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import proposal_number
from orderdesk.domain.times import US_PER_SECOND
from tests.support.market import USDT, FundedBooks, funded_books
from tests.support.merchant_client import buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.requesting import Person
from tests.support.trader import TraderVisit
from tests.support.world import World


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    return funded_books(world)


def test_a_false_balance_is_named(books: FundedBooks) -> None:
    row: Any = books.world.get("Ledger", {"pk": books.key(), "sk": "balance"})
    false = row["available_micro"] + 2_500_000
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "available_micro", false)
    lines, found = books.refused()
    differs = "available differs by 2.500000 USDT"
    told = f"{differs}: is 862.075655, its moves make 859.575655 (balance)"
    assert re.fullmatch("F[0-9a-f]{16}", found["findings"][0].pop("finding_id"))
    assert lines == [f"finding: {books.key()}: {told}"]
    assert found["findings"] == [
        {
            "since": None,
            "kind": "balance",
            "key": books.key(),
            "account": books.key(),
            "expected": "859.575655",
            "actual": "862.075655",
            "delta": "2.500000",
            "text": f"{books.key()}: {told}",
        }
    ]


def test_an_amount_that_an_order_does_not_have_is_named(books: FundedBooks) -> None:
    key = {"trader_id": f"{books.traders[Mode.LIVE].trader_id}#bank#1"}
    for name, value in (("kind", "amount"), ("mode", "live"), ("version", 1)):
        books.set("Traders", key, name, value)
    books.set("Traders", key, "open_orders", frozenset({"B1", "B2"}))
    lines, found = books.refused()
    told = "2 of its open amounts and open buys do not match (open_amounts)"
    assert lines == [f"finding: {books.trader_key()}: {told}"]
    assert [(d["kind"], d["actual"]) for d in found["findings"]] == [("open_amounts", 2)]


@pytest.mark.parametrize("name", ["proposed_by", "decided_by"])
def test_a_person_that_the_audit_trail_does_not_have_is_named(
    books: FundedBooks, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    api, money = OperatorApi(books.world), {"amount": "1.5", "memo": "payout"}
    asked = {"merchant_id": books.merchant.merchant_id, **money}
    number = api.data("finance-1", "withdraw.merchant", **asked)["withdrawal_no"]
    api.data("finance-2", "proposal.approve", proposal_no=number)
    later_us = now_us() + 3600 * US_PER_SECOND
    monkeypatch.setattr("orderdesk.wiring.operators.now_us", lambda: later_us)
    assert books.terminal.json("ledger", "check")["balanced"] is True

    books.set("Ledger", {"pk": "proposals", "sk": number}, name, "finance-3")
    lines, found = books.refused()
    told = "the audit trail has no entry of its person, account and amount"
    assert lines == [f"finding: {number}: {told} (proposal_without_entry)"]
    assert [each["proposal_no"] for each in found["findings"]] == [number]


def test_a_false_counter_of_open_buys_is_named(books: FundedBooks) -> None:
    key = counter_key(books.merchant.merchant_id, Mode.LIVE, 0)
    books.set("Orders", {"pk": key}, "open_buys", 3)
    books.set("Orders", {"pk": key}, "open_fen", 1)
    lines, found = books.refused()
    assert lines == [
        f"finding: {key}: counts 3 open buys, has 1 (open_buys)",
        f"finding: {key}: counts 0.01 CNY in open buys, has 1000.00 (open_cny)",
    ]
    assert [(d["kind"], d["delta"]) for d in found["findings"]] == [
        ("open_buys", 2),
        ("open_cny", "-999.99"),
    ]


def test_a_lost_counter_of_open_buys_is_named(books: FundedBooks) -> None:
    key = counter_key(books.merchant.merchant_id, Mode.TEST, 0)
    books.world.client.delete_item(TableName="Orders", Key=to_item({"pk": key}))
    _, found = books.refused()
    assert {(d["key"], d["kind"]) for d in found["findings"]} == {
        (key, "open_buys"),
        (key, "open_cny"),
    }


def test_a_forged_request_is_named(books: FundedBooks) -> None:
    """Somebody who can write the Ledger table alone holds an amount for a request of its own."""
    mei, own = Person(books.world, books.merchant.merchant_id).with_rested_address(), books.merchant
    forged = replace(mei.request(USDT), request_no="W202601010000000000000001", requested_by="x")
    forged = replace(forged, requested_at_us=forged.requested_at_us - 3600 * US_PER_SECOND)
    books.world.put("Ledger", request_item(forged))
    books.world.put("Ledger", place_item(forged, is_open=True))
    available, held = books.world.balance(own)
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "available_micro", available - USDT)
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "held_micro", held + USDT)
    lines, _ = books.refused()
    told = "the merchant's audit trail has no entry of its person, account and amount"
    assert f"finding: {forged.request_no}: {told} (request_without_entry)" in lines


def test_a_request_that_claims_another_state_is_named(books: FundedBooks) -> None:
    mei = Person(books.world, books.merchant.merchant_id).with_rested_address()
    api, number = OperatorApi(books.world), mei.request(USDT).request_no
    key = {"pk": f"requests#{mei.merchant_id}", "sk": number}
    taken = api.data("finance-1", "withdraw.merchant", request_no=number)["withdrawal_no"]
    assert books.terminal.json("ledger", "check")["balanced"] is True
    books.set("Ledger", key, "proposal_no", "P202601010000000000000001")
    _, found = books.refused()
    assert {(each["kind"], each["key"]) for each in found["findings"]} == {
        ("request_without_decision", number),
        ("decision_without_request", taken),
    }
    books.set("Ledger", key, "proposal_no", taken)
    books.set("Ledger", key, "status", "sent")
    _, found = books.refused()
    assert {(each["kind"], each["key"]) for each in found["findings"]} == {
        ("request_without_decision", number),
        ("decision_without_request", taken),
        ("unlisted_request", number),
    }


def test_the_hold_of_a_request_that_no_operator_sees_is_named(books: FundedBooks) -> None:
    mei = Person(books.world, books.merchant.merchant_id).with_rested_address()
    number = mei.request(USDT).request_no
    key = to_item({"pk": "requests", "sk": number})
    books.world.client.delete_item(TableName="Ledger", Key=key)
    _, found = books.refused()
    assert {(each["kind"], each["key"]) for each in found["findings"]} == {
        ("held", books.key()),
        ("balance", books.key()),
    }


MILLION_MICRO = 10**12


@dataclass(frozen=True)
class Forger:
    """Somebody who can write every table, and keeps each balance the sum of its postings."""

    world: World

    def move(self, account: str, micro: int) -> None:
        """Change an account's available balance."""
        kind, owner, _ = account.split(":")
        table = "Traders" if kind == "trader" else "Ledger"
        key: Item = {"trader_id": owner} if kind == "trader" else {"pk": account, "sk": "balance"}
        row: Any = self.world.get(table, key) or key | {"held_micro": 0}
        self.world.put(table, row | {"available_micro": row.get("available_micro", 0) + micro})

    def post(self, kind: str, transfer_id: str, amounts: Mapping[str, int], order_no: str) -> None:
        at_us = now_us()
        for account, micro in amounts.items():
            place = {"pk": account, "sk": Key.posting(at_us, transfer_id), "kind": kind}
            about = {"amount_micro": micro, "at_us": at_us, "order_no": order_no or None}
            self.world.put("Ledger", {**place, **about, "transfer_id": transfer_id})
            self.move(account, micro)

    def postings(self, transfer_id: str) -> list[Any]:
        return [row for row in self.world.items("Ledger") if row.get("transfer_id") == transfer_id]

    def remove(self, row: Mapping[str, Any]) -> None:
        key = to_item({name: row[name] for name in ("pk", "sk")})
        self.world.client.delete_item(TableName="Ledger", Key=key)


def test_each_forged_transfer_is_named(books: FundedBooks) -> None:
    world, forger, merchant_id = books.world, Forger(books.world), books.merchant.merchant_id
    world.clear_rotation()
    visit, api = TraderVisit.of_new_trader(world, available_micro=0), OperatorApi(world)
    trader_id, money = visit.trader.trader_id, {"amount": "1000", "memo": "float"}
    fund = {"trader_id": trader_id, **money}
    assert api.call("root", "fund.trader", alone=True, **fund)[1]["code"] == 1
    decided = []
    for _ in range(2):
        asked = api.data("finance-1", "fund.merchant", merchant_id=merchant_id, **money)
        decided.append(asked["proposal"]["proposal_no"])
        api.data("finance-2", "proposal.approve", proposal_no=decided[-1])
    settled = []
    for _ in range(4):
        settled.append(books.client.create(buy(cny_amount="100.00")).data["order_no"])
        assert visit.move(settled[-1], "confirm") == 303
    other, _ = world.add_merchant()
    assert books.terminal.json("ledger", "check")["balanced"] is True

    own, theirs = books.key(), f"merchant:{other.merchant_id}:live"
    no_order, no_decision = "B202511210009876543210123", "forged"
    forger.post("settlement", no_order, {f"trader:{trader_id}:live": -5, own: 5}, no_order)
    millions = {f"trader:{trader_id}:live": -MILLION_MICRO, own: MILLION_MICRO}
    forger.post("funding", no_decision, millions, "")
    unposted, changed, moved, given = settled
    for row in forger.postings(unposted) + forger.postings(decided[0]):
        forger.remove(row)
    for row in forger.postings(changed):
        more = {"fee": -5, "merchant": 5}.get(row["pk"].partition(":")[0], 0)
        world.put("Ledger", row | {"amount_micro": row["amount_micro"] + more})
    forger.move(f"fee:{merchant_id}:live", -5)
    forger.move(own, 5)
    [row] = [row for row in forger.postings(moved) if row["pk"] == own]
    forger.remove(row)
    world.put("Ledger", row | {"pk": theirs})
    forger.move(own, -row["amount_micro"])
    forger.move(theirs, row["amount_micro"])
    order: Any = world.get("Orders", {"pk": given})
    shard = int(order["list_key"].rpartition("#")[2])
    new = {
        "merchant_id": other.merchant_id,
        "list_key": Key.merchants_orders(other.merchant_id, shard),
    }
    world.put("Orders", order | new)
    proposal: Any = world.get("Ledger", {"pk": "proposals", "sk": decided[1]})
    world.put("Ledger", proposal | {"proposed_by": proposal["decided_by"].upper()})

    [forged] = [row for row in forger.postings(no_decision) if row["pk"] == own]
    found = {
        (each["kind"], each.get("order_no") or each.get("proposal_no") or each["key"])
        for each in books.refused()[1]["findings"]
    }
    assert {
        ("posting_without_order", no_order),
        ("posting_without_decision", f"{own} {forged['sk']}"),
        ("order_without_posting", unposted),
        ("decision_without_posting", decided[0]),
        ("changed_amount", changed),
        ("changed_account", moved),
        ("changed_account", given),
        ("no_second_person", decided[1]),
    } <= found


REMOVED = object()
type ItemKey = Mapping[str, str]
KEYS = {"Ledger": ("pk", "sk"), "Audit": ("pk", "sk"), "Traders": ("trader_id",)}


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
