"""The audit trail in its own table: two partitions a month, each sorted by time.

One has the operators' actions, the other the traders' changes of their own settings.
The table's policy denies updates, deletes, and every Put outside a transaction. The condition of
the Put below protects existing entries.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from typing import Any

from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import Index, Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Stored, attributes_of, readable
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.audit import (
    DESK_ACTION,
    AuditEntry,
    DecisionLost,
    Execution,
    FirstAnswer,
    Hands,
    KeyUsed,
    Solo,
    Spending,
    month_of,
    trader_actor,
)
from orderdesk.domain.times import US_PER_SECOND

CONTENT = "#parameters, basis, whole_before, whole_after"
"""The attributes of a proposal that are kept only while it is open."""
SOLO_KEPT_SECONDS = 2 * 24 * 3600


_ENTRY = Stored(
    AuditEntry,
    beside="executes answers leaves solo token",
    usual="arn source_ip request_id alone proposal_no powers",
)


def audit_item(entry: AuditEntry, key: str) -> Item:
    """Return the item of an entry, in a partition."""
    return {"pk": key, "sk": Key.audit_entry(entry.at_us, entry.audit_id), **_ENTRY.item(entry)}


def audit_entry_of(row: Mapping[str, Any]) -> AuditEntry:
    """Return the entry of a row."""
    return _ENTRY.of(row)


def audit_writes(tables: TableNames, entry: AuditEntry) -> list[Write]:
    """Append an operator's entry, with what it executes, answers, leaves and requires.

    Entries are never overwritten. Lost: ChangedMeanwhile, DecisionLost, KeyUsed.
    """
    now = entry.at_us // US_PER_SECOND
    writes = [_append(tables.audit, audit_item(entry, Key.audit(month_of(entry.at_us))))]
    if entry.executes is not None:
        writes.append(_executed_write(tables.ledger, entry, entry.executes))
    if entry.answers is not None:
        writes.append(answered_write(tables.guards, entry.answers, now))
    writes += [_hands_write(tables.guards, hands) for hands in entry.leaves]
    if entry.solo is not None:
        writes += _solo_writes(tables.guards, entry.solo, now)
    return writes


def commit_audited(
    client: DynamoDB, tables: TableNames, writes: Sequence[Write], entry: AuditEntry
) -> None:
    """Commit writes in one transaction with an operator's entry, whose token it has.

    Raises: the errors of the writes, Contended, Throttled, TryAgain.
    """
    transact(client, [*writes, *audit_writes(tables, entry)], entry.token)


def _hands_write(table: str, hands: Hands) -> Write:
    """Store a person's part in a subject; TTL deletes late."""
    key = Key.hands(hands.subject, hands.person)
    item: Item = {"pk": key, "until": hands.until, "expires_at": hands.until}
    return Write.put(table, item, "")


def _solo_writes(table: str, solo: Solo, now: int) -> list[Write]:
    """Check what a single person's write requires. Lost: ChangedMeanwhile."""
    writes = [
        Write.check(
            table,
            {"pk": Key.hands(subject, solo.person)},
            "attribute_not_exists(pk) OR #until <= :now",
            values={":now": now},
        )
        for subject in solo.clear_of
    ]
    if solo.spends is not None:
        writes.append(_spent_write(table, solo.person, solo.spends, now))
    return writes


def _spent_write(table: str, person: str, spends: Spending, now: int) -> Write:
    """Count what a person decides alone on a day, up to its limit. Lost: ChangedMeanwhile."""
    return Write.update(
        table,
        {"pk": Key.solo(person, spends.day)},
        "ADD spent_micro :amount SET expires_at = :expires_at",
        "attribute_not_exists(spent_micro) OR spent_micro <= :left",
        values={
            ":amount": spends.amount_micro,
            ":left": spends.most_micro - spends.amount_micro,
            ":expires_at": now + SOLO_KEPT_SECONDS,
        },
    )


def _executed_write(table: str, entry: AuditEntry, execution: Execution) -> Write:
    """Change a proposal from open to executed, approved or begun. Lost: DecisionLost.

    A begun one keeps its content until its parts are executed. The statuses are not imported: the
    functions of the pages import this module, too.
    """
    new: Item = {
        "status": execution.status,
        "decided_by": entry.who,
        "decided_at_us": entry.at_us,
        "audit_id": entry.audit_id,
        "decision": execution.token,
    }
    if execution.sealed is not None:
        new |= {"sealed": execution.sealed, "reveal_until": execution.reveal_until}
    return Write.set(
        table,
        {"pk": Key.PROPOSALS, "sk": execution.proposal_no},
        new,
        "#status = :open AND expires_at > :now",
        lambda _: DecisionLost(),
        values={":open": "open", ":now": entry.at_us // US_PER_SECOND},
        removes="" if execution.status == "begun" else CONTENT,
    )


def answered_write(table: str, answer: FirstAnswer, now: int) -> Write:
    """Store the answer of an idempotency key at a time (Unix seconds). Lost: KeyUsed."""
    key = Key.answer(answer.person, answer.key)
    return Write.put(
        table,
        {"pk": key, **attributes_of(answer, "digest ids expires_at")},
        "attribute_not_exists(pk) OR expires_at <= :now",  # TTL deletes late
        lambda _: KeyUsed(),
        values={":now": now},
    )


def desk_audit_write(table: str, entry: AuditEntry) -> Write:
    """Append a trader's entry; entries are never overwritten. Lost: ChangedMeanwhile."""
    return _append(table, audit_item(entry, Key.desk_audit(month_of(entry.at_us))))


def portal_audit_write(table: str, merchant_id: str, entry: AuditEntry) -> Write:
    """Append an entry of a merchant's team; never overwritten. Lost: ChangedMeanwhile."""
    return _append(table, audit_item(entry, Key.portal_audit(merchant_id)))


def _by_its_trader(entry: AuditEntry) -> AuditEntry:
    """Derive actor and action from the partition, because the desk's role writes these entries."""
    action = entry.action.removeprefix(DESK_ACTION)
    return replace(entry, who=trader_actor(entry.target), action=f"{DESK_ACTION}{action}")


def _append(table: str, item: Item) -> Write:
    return Write.put(table, item, "attribute_not_exists(pk)")


class AuditStore(TableStore):
    def entries(
        self,
        months: Iterable[str],
        since_us: int,
        until_us: int | None = None,
        *,
        newest_first: bool = False,
    ) -> Iterator[AuditEntry]:
        """Yield the entries of months, given in the wanted order, operators' and traders' merged.

        Both times (Unix microseconds) are included.
        """
        span = (since_us, until_us)
        for month in months:
            operators = self._part(Key.audit(month), *span, newest_first=newest_first)
            traders = self._part(Key.desk_audit(month), *span, newest_first=newest_first)
            yield from merge(
                operators,
                map(_by_its_trader, traders),
                key=lambda entry: (entry.at_us, entry.audit_id),
                reverse=newest_first,
            )

    def _part(
        self, key: str, since_us: int, until_us: int | None, *, newest_first: bool
    ) -> Iterator[AuditEntry]:
        last = "~" if until_us is None else Key.audit_entry(until_us, "~")  # after every id
        span = ("BETWEEN", Key.audit_entry(since_us), last)
        more: QueryParts = {"consistent": True, "newest_first": newest_first}
        asked = self._query(self._table, Index.ITEMS, key, span, **more)
        return readable(audit_entry_of, asked.items())
