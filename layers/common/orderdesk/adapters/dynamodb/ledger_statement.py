"""Postings of accounts: newest first for the desk, oldest first for merchants."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import (
    TableStore,
    get_items,
    items_of,
    page_of,
    query,
    query_pages,
)
from orderdesk.adapters.dynamodb.keys import Key, Prefix
from orderdesk.adapters.dynamodb.marshal import Value, from_item, named
from orderdesk.domain.ledger.accounts import Account, Entry, TransferKind
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.statement import Placed, SealMark, Span
from orderdesk.services.ports import Slice

# Sorts after every posting: "$" follows the "#" that ends the prefix.
_BEHIND_ALL = Prefix.POSTING.removesuffix("#") + "$"


class LedgerStatement(TableStore):
    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry, str]:
        """Return postings older than `before`, a posting's sort key.

        Without `before`, or if it is not a posting's key, start at the newest.
        """
        last = before if before is not None and before.startswith(Prefix.POSTING) else _BEHIND_ALL
        # The posting at `last`, and one more to detect a further page.
        asked = _between(self._table, account, last=last, newest_first=True, limit=limit + 2)
        rows = map(from_item, page_of(self._client, asked))
        older = [row for row in rows if row["sk"] != last]
        page = older[:limit]
        more = len(older) > limit
        return Slice([_entry_of(row) for row in page], str(page[-1]["sk"]) if more else None)


# A page has 1 MB, about 4,000 postings.
_PAYOUT_PAGES = 10
# Sorts before every character of a transfer's id, so it forms the next place after a posting.
_NEXT = "!"
_LAST_SECOND = 9_999_999_999  # 16 digits of microseconds


class AccountPostings(TableStore):
    def after(
        self, account: Account, place: str | None, span: Span, limit: int
    ) -> Sequence[Placed]:
        first = _place(span.start or 0) if place is None else f"{place}{_NEXT}"
        last = _BEHIND_ALL if span.end is None else _place(span.end + 1)
        if first > last:
            return []
        asked = _between(self._table, account, first, last, limit=limit)
        rows = map(from_item, page_of(self._client, asked))
        return [Placed(str(row["sk"]), _entry_of(row)) for row in rows]

    def newest(self, account: Account, limit: int) -> Sequence[Entry]:
        asked = _between(self._table, account, newest_first=True, limit=limit)
        return [_entry_of(from_item(item)) for item in page_of(self._client, asked)]

    def payouts(self, account: Account, before_us: int | None, limit: int) -> Sequence[Entry]:
        last = _BEHIND_ALL if before_us is None else Key.posting(before_us, "")
        kind = {":kind": TransferKind.WITHDRAWAL.value}
        place, filtered = (self._table, account, Prefix.POSTING, last), "#kind = :kind"
        asked = _between(*place, values=kind, filtered=filtered, newest_first=True)
        found: list[Entry] = []
        for page in islice(query_pages(self._client, asked), _PAYOUT_PAGES):
            found += (_entry_of(from_item(item)) for item in page)
            if len(found) >= limit:
                break
        return found[:limit]

    def txids(self, withdrawal_nos: Sequence[str]) -> Sequence[str]:
        keys = [{"pk": Key.PROPOSALS, "sk": number} for number in withdrawal_nos]
        return [str(row.get("txid", "")) for row in get_items(self._client, self._table, keys)]

    def newest_seal(self) -> SealMark | None:
        key = {":seals": Key.SEALS}
        asked = query(self._table, "pk = :seals", key, newest_first=True, limit=1)
        rows = [from_item(item) for item in page_of(self._client, asked)]
        return SealMark(int(str(rows[0]["sk"])), str(rows[0]["hash"])) if rows else None

    def total_before(self, account: Account, time: int) -> int:
        """Return the sum of all earlier postings: that of a checkpoint, and what came after it."""
        place, balance = self._checkpoint(account, _place(time))
        asked = _between(self._table, account, place, _place(time), projected="amount_micro")
        rows = cast("Iterator[dict[str, int]]", map(from_item, items_of(self._client, asked)))
        return sum((row["amount_micro"] for row in rows), balance)

    def _checkpoint(self, account: Account, before: str) -> tuple[str, int]:
        """Return the last place before another at which the balance is known, and the balance."""
        asked = query(
            self._table,
            "pk = :account AND sk < :before",
            {":account": Key.checkpoints(account.key), ":before": before},
            newest_first=True,
            limit=1,
            consistent=True,
        )
        for row in map(from_item, page_of(self._client, asked)):
            return f"{row['sk']!s}{_NEXT}", cast("int", row["balance_micro"])
        return Prefix.POSTING, 0


def _between(
    table: str,
    account: Account,
    first: str = Prefix.POSTING,
    last: str = _BEHIND_ALL,
    *,
    values: Mapping[str, Value] = MappingProxyType({}),
    **more: Any,
) -> dict[str, Any]:
    """Return a query of postings by their sort keys, both included."""
    asked = {":account": account.key, ":first": first, ":last": last, **values}
    condition = "pk = :account AND sk BETWEEN :first AND :last"
    return query(table, condition, asked, consistent=True, **more)


def _place(seconds: int) -> str:
    """Return a place before every posting of a second."""
    return Key.posting(min(max(seconds, 0), _LAST_SECOND) * US_PER_SECOND, "")


def _entry_of(row: Mapping[str, Any]) -> Entry:
    return Entry(
        **named(row, "at_us amount_micro memo transfer_id"),
        kind=TransferKind(row["kind"]),
        order_no=row.get("order_no", ""),
    )
