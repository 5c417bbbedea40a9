"""Items that an administrator forged with boto3: the check names each, and every list answers."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import ending_desk_key, list_key, posting_sort_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.operator_calls import People, findings_about
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit

SETTLED = 4
BEIJING = timezone(timedelta(hours=8))
MILLION_MICRO = 10**12
KEYS = {"ledger": ("pk", "sk"), "traders": ("trader_id",)}


def key_of(table: str, item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item[name] for name in KEYS.get(table, ("pk",))}


@dataclass
class Forger:
    """Writes items with root's keys, and restores what was there before."""

    seed: StackSeed
    before: dict[tuple[str, ...], tuple[str, Item, Item | None]] = field(default_factory=dict)

    def put(self, table: str, item: Mapping[str, Any]) -> None:
        self._keep(table, item)
        self.seed.put(self._name(table), dict(item))

    def remove(self, table: str, item: Mapping[str, Any]) -> None:
        self._keep(table, item)
        self._delete(table, key_of(table, item))

    def restore(self) -> None:
        for table, key, item in self.before.values():
            if item is None:
                self._delete(table, key)
            else:
                self.seed.put(self._name(table), item)

    def move(self, account: str, micro: int) -> None:
        """Change an account's available balance."""
        kind, owner, _ = account.split(":")
        table = "traders" if kind == "trader" else "ledger"
        key: Item = {"trader_id": owner} if kind == "trader" else {"pk": account, "sk": "balance"}
        row: Any = self.seed.get(self._name(table), key) or key | {"held_micro": 0}
        self.put(table, row | {"available_micro": row.get("available_micro", 0) + micro})

    def post(self, kind: str, transfer_id: str, amounts: Mapping[str, int], order_no: str) -> None:
        """Add postings, and change the balances with them."""
        at_us = time.time_ns() // 1000
        for account, micro in amounts.items():
            sort_key = posting_sort_key(at_us, transfer_id)
            row = {"pk": account, "sk": sort_key, "transfer_id": transfer_id, "kind": kind}
            about = {"amount_micro": micro, "at_us": at_us, "order_no": order_no or None}
            self.put("ledger", row | about)
            self.move(account, micro)

    def postings(self, transfer_id: str) -> list[Any]:
        rows: list[Any] = self.seed.items(self.seed.tables.ledger)
        return [row for row in rows if row.get("transfer_id") == transfer_id]

    def _keep(self, table: str, item: Mapping[str, Any]) -> None:
        key = key_of(table, item)
        name = (table, *map(str, key.values()))
        if name not in self.before:
            self.before[name] = table, key, self.seed.get(self._name(table), key)

    def _delete(self, table: str, key: Item) -> None:
        self.seed.client.delete_item(TableName=self._name(table), Key=to_item(key))

    def _name(self, table: str) -> str:
        return str(getattr(self.seed.tables, table))


@dataclass(frozen=True)
class Books:
    """A merchant and a trader with postings, settled buys, a waiting sell and two fundings."""

    merchant: Merchant
    client: MerchantClient
    other: Merchant
    trader_id: str
    settled: list[str]
    waiting: str
    funded: list[str]

    @property
    def names(self) -> set[str]:
        owners = {self.merchant.merchant_id, self.other.merchant_id, self.trader_id}
        return {*owners, *self.settled, *self.funded, self.waiting}

    @property
    def account(self) -> str:
        return f"merchant:{self.merchant.merchant_id}:live"

    @property
    def trader_account(self) -> str:
        return f"trader:{self.trader_id}:live"


@pytest.fixture
def books(stack_seed: StackSeed, people: People) -> Books:
    stack_seed.clear_rotation()
    merchant, client = stack_seed.add_merchant()
    other, _ = stack_seed.add_merchant()
    visit = TraderVisit.of_new_trader(stack_seed, available_micro=0)
    trader_id, merchant_id = visit.trader.trader_id, merchant.merchant_id
    money = {"amount": "1000", "memo": "float"}
    people.insist("root", "solo/fund.trader", trader_id=trader_id, **money)
    funded = []
    for _ in range(2):
        funded.append(
            people.proposed("finance-1", "fund.merchant", merchant_id=merchant_id, **money)
        )
        people.insist("finance-2", "proposal.approve", proposal_no=funded[-1])
    settled = []
    for _ in range(SETTLED):
        settled.append(client.create(buy(cny_amount="100.00")).data["order_no"])
        assert visit.move(settled[-1], "confirm") == 303
    waiting = client.create(sell(cny_amount="100.00")).data["order_no"]
    return Books(merchant, client, other, trader_id, settled, waiting, funded)


@contextmanager
def forging(seed: StackSeed) -> Iterator[Forger]:
    forger = Forger(seed)
    try:
        yield forger
    finally:
        forger.restore()


def test_each_forgery_is_found_by_name(stack_seed: StackSeed, people: People, books: Books) -> None:
    assert findings_about(people.checked(), books.names) == []
    with forging(stack_seed) as forger:
        expected = forge_transfers(forger, books)
        malformed = forge_malformed(forger, books)
        checked = people.checked()
        found = {
            (f["kind"], f.get("order_no") or f.get("proposal_no") or f["key"])
            for f in checked["findings"]
        }
        assert expected <= found, expected - found
        named = {f["key"] for f in checked["findings"] if f["kind"] == "malformed"}
        assert malformed <= named, malformed - named
        assert_lists_answer(people, books)
    # A seal of the quarter of an hour may have come between; what it found stays.
    left = findings_about(people.checked(), books.names)
    assert [each for each in left if each["since"] is None] == []


def forge_transfers(forger: Forger, books: Books) -> set[tuple[str, str]]:
    """Forge transfers, decisions and orders; return the kinds and numbers that must be found."""
    no_order, no_decision = "B202511210009876543210123", "forged"
    own, theirs = books.account, f"merchant:{books.other.merchant_id}:live"
    amounts = {books.trader_account: -5, own: 5}
    forger.post("settlement", no_order, amounts, no_order)
    amounts = {books.trader_account: -MILLION_MICRO, own: MILLION_MICRO}
    forger.post("funding", no_decision, amounts, "")

    unposted, changed, moved, given = books.settled
    for row in forger.postings(unposted) + forger.postings(books.funded[0]):
        forger.remove("ledger", row)
    for row in forger.postings(changed):
        more = {"fee": -5, "merchant": 5}.get(row["pk"].partition(":")[0], 0)
        forger.put("ledger", row | {"amount_micro": row["amount_micro"] + more})
    forger.move(f"fee:{books.merchant.merchant_id}:live", -5)
    forger.move(own, 5)
    [row] = [row for row in forger.postings(moved) if row["pk"] == own]
    forger.remove("ledger", row)
    forger.put("ledger", row | {"pk": theirs})
    forger.move(own, -row["amount_micro"])
    forger.move(theirs, row["amount_micro"])

    order: Any = forger.seed.get(forger.seed.tables.orders, {"pk": given})
    shard = int(order["list_key"].rpartition("#")[2])
    new = {"merchant_id": books.other.merchant_id}
    forger.put("orders", order | new | {"list_key": list_key(books.other.merchant_id, shard)})

    key: Item = {"pk": "proposals", "sk": books.funded[1]}
    proposal: Any = forger.seed.get(forger.seed.tables.ledger, key)
    forger.put("ledger", proposal | {"proposed_by": proposal["decided_by"].upper()})
    return {
        ("posting_without_order", no_order),
        ("posting_without_decision", posting_key(forger, no_decision, own)),
        ("order_without_posting", unposted),
        ("decision_without_posting", books.funded[0]),
        ("changed_amount", changed),
        ("changed_account", moved),
        ("changed_account", given),
        ("no_second_person", books.funded[1]),
    }


def posting_key(forger: Forger, transfer_id: str, account: str) -> str:
    [row] = [row for row in forger.postings(transfer_id) if row["pk"] == account]
    return f"{account} {row['sk']}"


def forge_malformed(forger: Forger, books: Books) -> set[str]:
    """Add a malformed item of each kind; return the keys that must be found.

    No seal and no check reads the last ones (docs/books.md): the lists leave them out.
    """
    seed = forger.seed
    order: Any = seed.get(seed.tables.orders, {"pk": books.waiting})
    trader: Any = seed.get(seed.tables.traders, {"trader_id": books.trader_id})
    merchant: Any = seed.get(
        seed.tables.merchants, {"pk": f"merchant#{books.merchant.merchant_id}"}
    )
    rates: Any = seed.get(seed.tables.merchants, {"pk": "rates"})
    name = f"x{books.merchant.merchant_id}"
    ending = "0000" if order["pk"][-4:] != "0000" else "0001"
    order_no = f"{order['pk'][:-4]}{ending}"
    desk = {"desk_key": ending_desk_key(books.waiting), "order_id": 1}
    reservation = {"pk": f"number#{name}#1", "kind": "reservation", "order_no": 5} | desk
    items: list[tuple[str, dict[str, Any]]] = [
        ("orders", order | {"pk": order_no, "order_no": order_no, "timeline": None}),
        ("orders", {"pk": f"open_buys:{name}:live:0", "kind": "open_buys", "open_buys": "2"}),
        ("ledger", {"pk": f"merchant:{name}:live", "sk": "balance", "available_micro": "5"}),
        ("traders", trader | {"trader_id": name, "methods": None}),
        ("merchants", merchant | {"pk": f"merchant#{name}", "status": "on"}),
        ("merchants", rates | {"buy": 7}),
    ]
    unread: list[tuple[str, dict[str, Any]]] = [
        ("orders", reservation),
        ("orders", {"pk": f"D{name}", "kind": "draft", "pending_no": f"D{name}"}),
        ("orders", {"pk": f"{name}#notes", "kind": "notes", "said": [{"by": "nobody"}]}),
        ("orders", {"pk": name, "kind": "ordr"}),
        ("ledger", {"pk": f"merchant:{name}:live", "sk": "posting#7#x", "kind": "gift"}),
        ("ledger", {"pk": "proposals", "sk": "P99991231", "command": "fund.merchant"}),
        ("ledger", {"pk": name, "sk": "y"}),
    ]
    for table, item in items + unread:
        forger.put(table, item)
    return {f"{table}: {' '.join(key_of(table, item).values())}" for table, item in items}


def assert_lists_answer(people: People, books: Books) -> None:
    """Check that each list has the well-formed items and leaves the malformed ones out."""
    for command, name, expected in (
        ("trader.list", "trader_id", books.trader_id),
        ("merchant.list", "merchant_id", books.merchant.merchant_id),
        ("order.list", "order_no", books.waiting),
        ("proposal.list", "proposal_no", books.funded[0]),
    ):
        listed = {each[name] for each in people.listed("viewer-1", command)}
        assert expected in listed
        assert listed.isdisjoint({"P99991231", f"x{books.merchant.merchant_id}"})
    for command in ("withdraw.list", "audit.list"):
        people.insist("viewer-1", command)
    people.insist("viewer-1", "ledger.balances")
    today = datetime.now(BEIJING).date().isoformat()
    people.insist("viewer-1", "report.day", date=today)
    found = people.insist("viewer-1", "order.find", text=books.waiting[-4:])
    assert books.waiting in str(found)
    numbers = [order["order_no"] for order in books.client.listed()["orders"]]
    assert sorted(numbers) == sorted([*books.settled[:-1], books.waiting])
