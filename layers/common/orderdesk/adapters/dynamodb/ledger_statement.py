"""Postings of accounts: newest first for the desk, oldest first for merchants."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore, get_items, query_pages
from orderdesk.adapters.dynamodb.keys import (
    POSTING_PREFIX,
    PROPOSALS_KEY,
    SEALS_KEY,
    checkpoints_key,
    posting_sort_key,
)
from orderdesk.adapters.dynamodb.marshal import Value, from_item, to_item
from orderdesk.adapters.sending import call
from orderdesk.domain.ledger.accounts import Account, Entry, TransferKind
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.statement import Placed, SealMark, Span
from orderdesk.services.ports import Slice

# Sorts after every posting: "$" follows the "#" that ends the prefix.
_BEHIND_ALL = POSTING_PREFIX.removesuffix("#") + "$"


class LedgerStatement(TableStore):
    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry, str]:
        """Return postings older than `before`, a posting's sort key.

        Without `before`, or if it is not a posting's key, start at the newest.
        """
        last = before if before is not None and before.startswith(POSTING_PREFIX) else _BEHIND_ALL
        answer = call(
            lambda: self._client.query(
                TableName=self._table,
                KeyConditionExpression="pk = :account AND sk BETWEEN :first AND :last",
                ExpressionAttributeValues=to_item(
                    {":account": account.key, ":first": POSTING_PREFIX, ":last": last}
                ),
                ScanIndexForward=False,
                Limit=limit + 2,  # the posting at `last`, and one more to detect a further page
                ConsistentRead=True,
            )
        )
        older = [row for row in map(from_item, answer["Items"]) if row["sk"] != last]
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
        query = self._between(account, first, last) | {"Limit": limit}
        answer = call(lambda: self._client.query(**query))
        rows = [from_item(item) for item in answer["Items"]]
        return [Placed(str(row["sk"]), _entry_of(row)) for row in rows]

    def newest(self, account: Account, limit: int) -> Sequence[Entry]:
        query = self._between(account, POSTING_PREFIX, _BEHIND_ALL)
        asked = query | {"ScanIndexForward": False, "Limit": limit}
        answer = call(lambda: self._client.query(**asked))
        return [_entry_of(from_item(item)) for item in answer["Items"]]

    def payouts(self, account: Account, before_us: int | None, limit: int) -> Sequence[Entry]:
        last = _BEHIND_ALL if before_us is None else posting_sort_key(before_us, "")
        query = self._between(account, POSTING_PREFIX, last)
        query["ExpressionAttributeValues"] |= to_item({":kind": TransferKind.WITHDRAWAL.value})
        query |= {
            "FilterExpression": "#kind = :kind",
            "ExpressionAttributeNames": {"#kind": "kind"},
            "ScanIndexForward": False,
        }
        found: list[Entry] = []
        for page in islice(query_pages(self._client, query), _PAYOUT_PAGES):
            found += (_entry_of(from_item(item)) for item in page)
            if len(found) >= limit:
                break
        return found[:limit]

    def txids(self, withdrawal_nos: Sequence[str]) -> Sequence[str]:
        keys = [{"pk": PROPOSALS_KEY, "sk": number} for number in withdrawal_nos]
        return [str(row.get("txid", "")) for row in get_items(self._client, self._table, keys)]

    def newest_seal(self) -> SealMark | None:
        query = {
            "TableName": self._table,
            "KeyConditionExpression": "pk = :seals",
            "ExpressionAttributeValues": to_item({":seals": SEALS_KEY}),
            "ScanIndexForward": False,
            "Limit": 1,
        }
        answer = call(lambda: self._client.query(**query))  # type: ignore[arg-type]
        rows = [from_item(item) for item in answer["Items"]]
        return SealMark(int(str(rows[0]["sk"])), str(rows[0]["hash"])) if rows else None

    def total_before(self, account: Account, time: int) -> int:
        """Return the sum of all earlier postings: that of a checkpoint, and what came after it."""
        place, balance = self._checkpoint(account, _place(time))
        query = self._between(account, place, _place(time))
        query["ProjectionExpression"] = "amount_micro"
        amounts = (
            from_item(item)["amount_micro"]
            for page in query_pages(self._client, query)
            for item in page
        )
        return balance + sum(cast("Iterator[int]", amounts))

    def _checkpoint(self, account: Account, before: str) -> tuple[str, int]:
        """Return the last place before another at which the balance is known, and the balance."""
        query = {
            "TableName": self._table,
            "KeyConditionExpression": "pk = :account AND sk < :before",
            "ExpressionAttributeValues": to_item(
                {":account": checkpoints_key(account.key), ":before": before}
            ),
            "ScanIndexForward": False,
            "Limit": 1,
            "ConsistentRead": True,
        }
        answer = call(lambda: self._client.query(**query))  # type: ignore[arg-type]
        for row in map(from_item, answer["Items"]):
            return f"{row['sk']!s}{_NEXT}", cast("int", row["balance_micro"])
        return POSTING_PREFIX, 0

    def _between(self, account: Account, first: str, last: str) -> dict[str, Any]:
        return {
            "TableName": self._table,
            "KeyConditionExpression": "pk = :account AND sk BETWEEN :first AND :last",
            "ExpressionAttributeValues": to_item(
                {":account": account.key, ":first": first, ":last": last}
            ),
            "ConsistentRead": True,
        }


def _place(seconds: int) -> str:
    """Return a place before every posting of a second."""
    return posting_sort_key(min(max(seconds, 0), _LAST_SECOND) * US_PER_SECOND, "")


def _entry_of(item: Mapping[str, Value]) -> Entry:
    row = cast("Mapping[str, Any]", item)
    return Entry(
        at_us=row["at_us"],
        kind=TransferKind(row["kind"]),
        amount_micro=row["amount_micro"],
        order_no=row.get("order_no", ""),
        memo=row["memo"],
        transfer_id=row["transfer_id"],
    )
