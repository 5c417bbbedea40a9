"""`orderdesk ledger check` reports each number that was changed by hand in the tables."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.withdrawals import place_item, request_item
from orderdesk.adapters.system import now_us
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from tests.support.market import USDT, FundedBooks, funded_books
from tests.support.merchant_client import buy
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
