"""What seals are made of, read window by window; an item that cannot be read is a row of its own.

Postings, proposals and audit entries sort by time, so a window is one bounded Query of each.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, product
from typing import Any

from orderdesk.adapters.dynamodb.audit import audit_entry_of
from orderdesk.adapters.dynamodb.client import Bound, TablesStore, scan_pages, wire_items
from orderdesk.adapters.dynamodb.keys import ALL_SHARDS, Index, IndexKeys, Key, Prefix
from orderdesk.adapters.dynamodb.ledger import balance_key
from orderdesk.adapters.dynamodb.marshal import Value, WireItem, from_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import checked_row, malformed_row
from orderdesk.adapters.dynamodb.operator.typed import Malformed, number
from orderdesk.adapters.dynamodb.proposals import proposal_key
from orderdesk.adapters.dynamodb.withdrawals import request_key
from orderdesk.domain.accounts import Account, AccountKind, Balance
from orderdesk.domain.audit import months_between
from orderdesk.domain.ids import EPOCH_MS, id_range
from orderdesk.domain.ledger.proof import Decision
from orderdesk.domain.ledger.rows import (
    AcknowledgedRow,
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    RequestPlaceRow,
    Source,
    TraderRow,
    account_of,
)
from orderdesk.domain.ledger.span import StoredPosting, SumsRow
from orderdesk.domain.merchants.withdrawals import (
    FORM_LIFE_SECONDS,
    WithdrawalRequest,
    request_number,
)
from orderdesk.domain.orders.open_orders import SHARDS_MAX, counter_key
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal, first_number
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ledger.seal import BalanceRead, Parties

_SUMS = ("a0", "a1", "h0", "h1")


class DynamoBooks(TablesStore):
    def created(self, start: int, end: int) -> Sequence[str]:
        first, last = id_range(start, end - 1)

        def read(shard: int) -> list[str]:
            return self._numbers(Index.ALL_ORDERS, Key.all_orders(shard), ("BETWEEN", first, last))

        with ThreadPoolExecutor(max_workers=ALL_SHARDS) as pool:
            return [*chain.from_iterable(pool.map(read, range(ALL_SHARDS)))]

    def disputed(self) -> Sequence[str]:
        return [n for mode in Mode for n in self._numbers(Index.DUE, Key.disputed(mode))]

    def counters(self, merchants: Sequence[str]) -> Iterator[OpenBuysRow | MalformedRow]:
        numbers = product(merchants, Mode, range(SHARDS_MAX))
        keys = [{"pk": counter_key(*each)} for each in numbers]
        for item in wire_items(self._client, self._tables.orders, keys):
            row = checked_row(Source.ORDERS, item)
            if isinstance(row, OpenBuysRow | MalformedRow):
                yield row

    def _numbers(self, index: IndexKeys, key: str, bound: Bound = ("",)) -> list[str]:
        asked = self._query(self._tables.orders, index, key, bound, projected="pk")
        return [item["pk"]["S"] for item in asked.items()]

    def orders(self, order_nos: Sequence[str]) -> Mapping[str, Order | MalformedRow]:
        keys = [{"pk": order_no} for order_no in order_nos]
        rows: dict[str, Order | MalformedRow] = {}
        for item in wire_items(self._client, self._tables.orders, keys):
            row = checked_row(Source.ORDERS, item)
            if isinstance(row, Order | MalformedRow):
                rows[item["pk"]["S"]] = row
        return rows

    def proposals(self, start: int, end: int) -> Iterator[Proposal | MalformedRow]:
        return _decisions(self._between(Key.PROPOSALS, first_number(start), first_number(end)))

    def decisions(
        self, proposals: Sequence[str], requests: Mapping[str, str]
    ) -> Iterator[Decision | MalformedRow]:
        keys = [proposal_key(each) for each in proposals]
        keys += [request_key(merchant, each) for each, merchant in requests.items()]
        return _decisions(wire_items(self._client, self._tables.ledger, keys))

    def places(self, start: int) -> Sequence[RequestPlaceRow | MalformedRow]:
        # A request's number may have been drawn a day before it.
        first = request_number(max(0, start - FORM_LIFE_SECONDS) * US_PER_SECOND, 0)
        places = (
            self._between(Key.OPEN_REQUESTS, "W", "X"),
            self._between(Key.ENDED_REQUESTS, first, "X"),
        )
        rows = (checked_row(Source.LEDGER, item) for items in places for item in items)
        return [row for row in rows if isinstance(row, RequestPlaceRow | MalformedRow)]

    def entries(
        self, start: int, end: int, merchants: Sequence[str]
    ) -> Iterator[EntryRow | DecisionRow | AcknowledgedRow | MalformedRow]:
        first, last = max(start, EPOCH_MS // 1000) * US_PER_SECOND, end * US_PER_SECOND
        keys = [Key.audit(month) for month in months_between(first, last)]
        keys += [Key.portal_audit(merchant) for merchant in merchants]
        span = Key.audit_entry(first).rstrip("#"), Key.audit_entry(last).rstrip("#")
        for key in keys:
            for item in self._between(key, *span, table=self._tables.audit):
                yield from _entries(item)

    def parties(self) -> Parties:
        found = Parties()
        for item in self._scan(self._tables.merchants):
            row = checked_row(Source.MERCHANTS, item)
            found.unreadable += [row] if isinstance(row, MalformedRow) else []
            if item["pk"]["S"].startswith(Prefix.MERCHANT):
                found.merchants.append(item["pk"]["S"].removeprefix(Prefix.MERCHANT))
        for item in self._scan(self._tables.traders):
            match checked_row(Source.TRADERS, item):
                case MalformedRow() as row:
                    found.unreadable.append(row)
                    found.traders += [(item["trader_id"]["S"], mode) for mode in _modes(item)]
                case AmountRow() as row:
                    found.amounts.append(row)
                case TraderRow() as row:
                    found.traders.append((row.account.owner, row.account.mode))
                case _:
                    pass
        return found

    def _scan(self, table: str) -> Iterator[WireItem]:
        scan = {"TableName": table, "ConsistentRead": True}
        return chain.from_iterable(scan_pages(self._client, scan))

    def balances(self, account_keys: Sequence[str]) -> Iterator[BalanceRead]:
        accounts = [account for key in account_keys if (account := account_of(key)) is not None]
        traders = {a.owner: a for a in accounts if a.kind is AccountKind.TRADER}
        keys: list[Mapping[str, Value]] = [{"trader_id": owner} for owner in traders]
        for item in wire_items(self._client, self._tables.traders, keys):
            account = traders[item["trader_id"]["S"]]
            yield account.key, _stored_sums(Source.TRADERS, account.key, item)
        yield from self._shards(a for a in accounts if a.kind is not AccountKind.TRADER)

    def _shards(self, accounts: Iterable[Account]) -> Iterator[BalanceRead]:
        places = {balance_key(account)["pk"]: (account, 0) for account in accounts}
        while places:
            more: dict[Value, tuple[Account, int]] = {}
            keys = [balance_key(*place) for place in places.values()]
            for item in wire_items(self._client, self._tables.ledger, keys):
                account, shard = places[item["pk"]["S"]]
                row = _stored_sums(Source.LEDGER, account.key, item)
                yield account.key, row
                if shard == 0 and isinstance(row, SumsRow):
                    more |= {balance_key(account, n)["pk"]: (account, n) for n in row.listed}
            places = more

    def postings(self, account_key: str, start: int, end: int) -> Sequence[StoredPosting]:
        # A place has no transfer, so it sorts before all postings of its second.
        places = (Key.posting(at * US_PER_SECOND, "") for at in (start, end))
        return [_posting(item) for item in self._between(account_key, *places)]

    def _between(self, key: str, first: str, before: str, *, table: str = "") -> Iterator[WireItem]:
        """Yield the items of a partition with sort keys in [first, before]; none has `before`."""
        place = (table or self._tables.ledger, Index.ITEMS, key)
        return self._query(*place, ("BETWEEN", first, before), consistent=True).items()


def _modes(item: WireItem) -> list[Mode]:
    """Return the mode of a trader's item that cannot be read, if that can be."""
    stored, is_trader = item.get("mode", {}).get("S"), "#" not in item["trader_id"]["S"]
    return [mode for mode in Mode if is_trader and mode.value == stored]


def _posting(item: WireItem) -> StoredPosting:
    row = checked_row(Source.LEDGER, item)
    assert isinstance(row, PostingRow | MalformedRow)
    content = json.dumps(item, sort_keys=True, default=repr)
    return StoredPosting(row, hashlib.sha256(content.encode()).hexdigest(), item["sk"]["S"])


def _decisions(items: Iterable[WireItem]) -> Iterator[Any]:
    for item in items:
        row = checked_row(Source.LEDGER, item)
        if isinstance(row, Proposal | WithdrawalRequest | MalformedRow):
            yield row


def _entries(item: WireItem) -> Iterator[EntryRow | DecisionRow | AcknowledgedRow | MalformedRow]:
    row = checked_row(Source.AUDIT, item)
    if isinstance(row, EntryRow | DecisionRow | MalformedRow):
        yield row
        return
    entry = audit_entry_of(from_item(item))
    if "finding" in entry.details and item["pk"]["S"].startswith("audit#"):
        yield AcknowledgedRow(
            entry.details["finding"], entry.proposal_no or entry.audit_id, entry.at_us
        )


def _stored_sums(source: Source, account_key: str, item: WireItem) -> SumsRow | MalformedRow:
    row = checked_row(source, item)
    if isinstance(row, MalformedRow):
        return row
    assert isinstance(row, BalanceRow | TraderRow)
    try:
        sums = replace(_sums(account_key, item), counted=row)
    except Malformed as error:
        return malformed_row(source, item, error)
    if isinstance(row, TraderRow):
        return sums
    return replace(sums, shard=row.shard, listed=row.listed)


def _sums(account_key: str, item: WireItem) -> SumsRow:
    a0, a1, h0, h1 = (number(item, name) if name in item else 0 for name in _SUMS)
    balance = Balance(number(item, "available_micro"), number(item, "held_micro"))
    return SumsRow(account_key, 0, balance, (a0, a1), (h0, h1))
