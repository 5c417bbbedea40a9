"""The places of seals in the ledger, checkpoints, and the days' hashes in the audit trail."""

from collections.abc import Mapping, Sequence
from typing import Any

from orderdesk.adapters.dynamodb.audit import audit_item
from orderdesk.adapters.dynamodb.client import TablesStore, page_of, put_whole, query
from orderdesk.adapters.dynamodb.keys import (
    SEALS_KEY,
    checkpoints_key,
    seal_audit_key,
    seal_sort_key,
)
from orderdesk.adapters.dynamodb.marshal import Item, Value, attributes_of, from_item, named
from orderdesk.adapters.dynamodb.transactions import put_new_write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.closing import Checkpoint
from orderdesk.domain.ledger.seals import SealName, SealSummary, day_end
from orderdesk.domain.times import US_PER_SECOND, date_in_china


class SealPlaces(TablesStore):
    """Read and write the places of seals."""

    def newest_first(self, before: int | None = None, limit: int = 1) -> Sequence[SealSummary]:
        """Return the newest seals, those that ended before a time (Unix seconds) if it is given."""
        return self._page(before, limit, newest_first=True)

    def newest(self) -> SealName | None:
        """Return the newest seal's name. Raises: TryAgain."""
        found = self.newest_first()
        return found[0].name if found else None

    def oldest(self) -> SealName | None:
        """Return the first seal's name. Raises: TryAgain."""
        found = self._page(None, 1, newest_first=False)
        return found[0].name if found else None

    def _page(self, before: int | None, limit: int, *, newest_first: bool) -> list[SealSummary]:
        condition, values = "pk = :seals", dict[str, Value]({":seals": SEALS_KEY})
        if before is not None:
            condition, values[":before"] = f"{condition} AND sk < :before", seal_sort_key(before)
        table, more = self._tables.ledger, (condition, values)
        asked = query(table, *more, newest_first=newest_first, consistent=True, limit=limit)
        return [_summary_of(from_item(item)) for item in page_of(self._client, asked)]

    def put_place(self, summary: SealSummary) -> None:
        """Write a seal's place, and a day's hash into the audit trail, once.

        Raises: ChangedMeanwhile if it is there, TryAgain.
        """
        end, seal_hash = summary.name.end, summary.name.hash
        writes = [put_new_write(self._tables.ledger, "pk", _summary_item(summary))]
        if end == day_end(end - 1):
            entry = _day_entry(end, seal_hash)
            key = seal_audit_key(entry.target[:4])
            writes.append(put_new_write(self._tables.audit, "pk", audit_item(entry, key)))
        transact(self._client, writes, seal_hash[:36])

    def put_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store a checkpoint; a repeated run puts the same one."""
        item: Item = {
            "pk": checkpoints_key(checkpoint.account_key),
            "sk": checkpoint.place,
            "balance_micro": checkpoint.balance,
            "count": checkpoint.count,
        }
        put_whole(self._client, self._tables.ledger, item)


def _day_entry(end: int, seal_hash: str) -> AuditEntry:
    day = date_in_china(end - 1).isoformat()
    return AuditEntry(
        seal_hash[:26], end * US_PER_SECOND, "seal", "ledger.seal", day, details={"hash": seal_hash}
    )


_COUNTS = "start accounts postings orders findings"


def _summary_item(summary: SealSummary) -> Item:
    return {
        "pk": SEALS_KEY,
        "sk": seal_sort_key(summary.name.end),
        "hash": summary.name.hash,
        **attributes_of(summary, _COUNTS),
        "finding_accounts": list(summary.finding_accounts) or None,
    }


def _summary_of(item: Mapping[str, Any]) -> SealSummary:
    return SealSummary(
        SealName(int(item["sk"]), item["hash"]),
        **named(item, _COUNTS),
        finding_accounts=tuple(item.get("finding_accounts", ())),
    )
