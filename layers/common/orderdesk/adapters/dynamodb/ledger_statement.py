"""Postings of accounts: newest first for the desk, oldest first for merchants."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Unpack

from orderdesk.adapters.dynamodb.client import Query, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import Index, Key, Prefix
from orderdesk.adapters.dynamodb.marshal import Stored, from_item
from orderdesk.domain.accounts import Account, Entry, TransferKind
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.statement import Placed, SealMark, Span
from orderdesk.services.ports import Slice

# Sorts after every posting: "$" follows the "#" that ends the prefix.
_BEHIND_ALL = Prefix.POSTING.removesuffix("#") + "$"
# A page has 1 MB, about 4,000 postings.
_PAYOUT_PAGES = 10
# Sorts before every character of a transfer's id, so it forms the next place after a posting.
_NEXT = "!"
_LAST_SECOND = 9_999_999_999  # 16 digits of microseconds


class LedgerStatement(TableStore):
    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry, str]:
        """Return postings older than `before`, a posting's sort key.

        Without `before`, or if it is not a posting's key, start at the newest.
        """
        last = before if before is not None and before.startswith(Prefix.POSTING) else _BEHIND_ALL
        # The posting at `last`, and one more to detect a further page.
        asked = self._between(account, last=last, newest_first=True, limit=limit + 2)
        older = [row for row in asked.rows() if row["sk"] != last]
        page, has_more = older[:limit], len(older) > limit
        return Slice([*map(_entry_of, page)], page[-1]["sk"] if has_more else None)

    def after(
        self, account: Account, place: str | None, span: Span, limit: int
    ) -> Sequence[Placed]:
        first = _place(span.start or 0) if place is None else f"{place}{_NEXT}"
        last = _BEHIND_ALL if span.end is None else _place(span.end + 1)
        if first > last:
            return []
        rows = self._between(account, first, last, limit=limit).rows()
        return [Placed(row["sk"], _entry_of(row)) for row in rows]

    def newest(self, account: Account, limit: int) -> Sequence[Entry]:
        return [*map(_entry_of, self._between(account, newest_first=True, limit=limit).rows())]

    def payouts(self, account: Account, before_us: int | None, limit: int) -> Slice[Entry, int]:
        last = _BEHIND_ALL if before_us is None else Key.posting(before_us, "")
        kind = {":kind": TransferKind.WITHDRAWAL.value}
        place, filtered = (account, Prefix.POSTING, last), "#kind = :kind"
        asked = self._between(*place, values=kind, filtered=filtered, newest_first=True)
        found: list[Entry] = []
        for answer in islice(asked.answers(), _PAYOUT_PAGES):
            found += (_entry_of(from_item(item)) for item in answer["Items"])
            if len(found) >= limit or "LastEvaluatedKey" not in answer:
                return Slice(found[:limit], None)
        _, at_us, _ = answer["LastEvaluatedKey"]["sk"]["S"].split("#", 2)
        return Slice(found, int(at_us))

    def txids(self, withdrawal_nos: Sequence[str]) -> Sequence[str]:
        keys = [{"pk": Key.PROPOSALS, "sk": number} for number in withdrawal_nos]
        return [str(row.get("txid", "")) for row in self._get_items(self._table, keys)]

    def newest_seal(self) -> SealMark | None:
        asked = self._query(self._table, Index.ITEMS, Key.SEALS, newest_first=True, limit=1)
        return next((SealMark(int(row["sk"]), row["hash"]) for row in asked.rows()), None)

    def total_before(self, account: Account, time: int) -> int:
        """Return the sum of all earlier postings: that of a checkpoint, and what came after it."""
        place, balance = self._checkpoint(account, _place(time))
        asked = self._between(account, place, _place(time), projected="amount_micro")
        amounts = (int(item["amount_micro"]["N"]) for item in asked.items())
        return sum(amounts, balance)

    def _checkpoint(self, account: Account, before: str) -> tuple[str, int]:
        """Return the last place before another at which the balance is known, and the balance."""
        more: QueryParts = {"newest_first": True, "limit": 1, "consistent": True}
        key = Key.checkpoints(account.key)
        asked = self._query(self._table, Index.ITEMS, key, ("<", before), **more)
        for row in asked.rows():
            return f"{row['sk']}{_NEXT}", row["balance_micro"]
        return Prefix.POSTING, 0

    def _between(
        self,
        account: Account,
        first: str = Prefix.POSTING,
        last: str = _BEHIND_ALL,
        **more: Unpack[QueryParts],
    ) -> Query:
        """Return a query of postings by their sort keys, both included."""
        more["consistent"] = True
        span = ("BETWEEN", first, last)
        return self._query(self._table, Index.ITEMS, account.key, span, **more)


def _place(seconds: int) -> str:
    """Return a place before every posting of a second."""
    return Key.posting(min(max(seconds, 0), _LAST_SECOND) * US_PER_SECOND, "")


_ENTRY = Stored(Entry, beside="order_no")


def _entry_of(row: Mapping[str, Any]) -> Entry:
    return _ENTRY.of(row, order_no=row.get("order_no", ""))
