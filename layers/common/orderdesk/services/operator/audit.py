"""List the audit trail page by page (contract sections 9 and 11)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from orderdesk.domain.audit import AuditEntry, months_between
from orderdesk.domain.ids import EPOCH_MS
from orderdesk.services.ports import Slice

READ_MAX = 2_000
"""The most entries that one page reads; a page can be short and have a following one."""

# Ids begin at this time, so no entry is older.
_FIRST_US = EPOCH_MS * 1_000


class Trail(Protocol):
    """Reads the audit trail."""

    def entries(
        self,
        months: Iterable[str],
        since_us: int,
        until_us: int | None = None,
        *,
        newest_first: bool = False,
    ) -> Iterator[AuditEntry]:
        """Yield the entries of months, in the order of the months. Raises: TryAgain."""


type AuditPlace = tuple[int, str]
"""Where a list continues: after the entry of this time (Unix microseconds) and id."""


@dataclass(frozen=True, slots=True)
class AuditSearch:
    """Which entries are wanted; times in Unix microseconds, both included.

    `operator` is a person, a trader's `trader:<id>`, an ARN, or the last part of one of these.
    """

    since_us: int | None = None
    until_us: int | None = None
    operator: str | None = None
    subject: str | None = None
    newest_first: bool = False

    def has(self, entry: AuditEntry) -> bool:
        """Return whether an entry is of the wanted operator and subject."""
        return (self.operator is None or _is_named(entry, self.operator)) and (
            self.subject is None or entry.target == self.subject
        )


def list_entries(
    trail: Trail, now_us: int, wanted: AuditSearch, limit: int, after: AuditPlace | None = None
) -> Slice[AuditEntry, AuditPlace]:
    """Return a page of the trail. Raises: TryAgain."""
    since_us = max(wanted.since_us or _FIRST_US, _FIRST_US)
    until_us = now_us if wanted.until_us is None else min(wanted.until_us, now_us)
    if after is not None and wanted.newest_first:  # its microsecond may have more entries
        until_us = min(until_us, after[0])
    elif after is not None:
        since_us = max(since_us, after[0])
    if until_us < since_us:
        return Slice([], None)
    months: Sequence[str] = list(months_between(since_us, until_us))
    if wanted.newest_first:
        months = months[::-1]
    found: list[AuditEntry] = []
    place = after
    read = trail.entries(months, since_us, until_us, newest_first=wanted.newest_first)
    for entry in islice(read, READ_MAX):
        here = (entry.at_us, entry.audit_id)
        if after is not None and not (here < after if wanted.newest_first else here > after):
            continue
        if len(found) == limit:
            return Slice(found, place)
        place = here
        if wanted.has(entry):
            found.append(entry)
    is_over = next(read, None) is None
    return Slice(found, None if is_over else place)


def _is_named(entry: AuditEntry, name: str) -> bool:
    who = entry.who
    names = {who, who.rpartition("/")[2], who.rpartition(":")[2], entry.arn}
    return name.casefold() in {each.casefold() for each in names}
