"""Whether withdrawal requests, the proposals that decide them, and their places agree.

Each request expects its place, and the proposal or entry that it names; what was read is
subtracted.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import EntryRow, ProposalRow, RequestPlaceRow, RequestRow

_PLACE, _OPEN, _PAID, _REJECTED = "place", "open", "paid", "rejected"


@dataclass(slots=True)
class RequestLinks:
    """The links that requests expect, less those that were read; memory is what does not match."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, row: RequestRow | RequestPlaceRow | ProposalRow | EntryRow) -> None:
        """Add a request, or what must belong to one."""
        match row:
            case RequestRow():
                self._count(1, _PLACE, row.request_no, row.merchant_id, row.is_open)
                if row.ref:
                    state = _OPEN if row.is_held else _PAID if row.is_paid else _REJECTED
                    subject = row.account_key, row.amount_micro
                    self._count(1, state, row.request_no, row.ref, *subject)
            case RequestPlaceRow():
                self._count(-1, _PLACE, row.request_no, row.merchant_id, row.is_open)
            case ProposalRow():
                found = _state(row)
                if row.request_no and found:
                    subject = row.account_key, row.amount_micro
                    self._count(-1, found, row.request_no, row.proposal_no, *subject)
            case EntryRow():
                if row.request_no:
                    subject = row.account_key, row.amount_micro
                    self._count(-1, _PAID, row.request_no, row.audit_id, *subject)

    def findings(self) -> Iterator[Finding]:
        """Yield each link that is missing, or that no request has."""
        for text, count in sorted(self.counts.items()):
            kind, request_no, ref, *subject = json.loads(text)
            if kind == _PLACE:
                yield Finding(
                    FindingKind.UNLISTED_REQUEST, request_no, max(count, 0), max(-count, 0)
                )
                continue
            number = ref if ref.startswith("P") else ""
            missing = FindingKind.REQUEST_WITHOUT_DECISION, request_no, 1, 0
            surplus = FindingKind.DECISION_WITHOUT_REQUEST, ref, 0, 1
            found = missing if count > 0 else surplus
            yield Finding(*found, proposal_no=number, account=subject[0])

    def _count(self, change: int, *link: str | int) -> None:
        key = json.dumps(link)
        total = self.counts.pop(key, 0) + change
        if total:
            self.counts[key] = total


def _state(row: ProposalRow) -> str:
    """Return the state that the request of a proposal must have; empty if the proposal expired."""
    if row.is_open:
        return _OPEN
    if row.is_executed:
        return _PAID
    return _REJECTED if row.is_rejected else ""
