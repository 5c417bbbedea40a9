"""`audit.*`: the audit trail."""

from collections.abc import Mapping

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.audit import AuditSearch, Place, list_entries
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    After,
    CommandParameters,
    Flag,
    FreeText,
    Limit,
    Seconds,
)
from orderdesk.web.operator.ports import OperatorPorts


class AuditParameters(CommandParameters):
    """Parameters of `audit.list`; entries are listed oldest first, unless `newest_first`."""

    since: Seconds | None = None
    until: Seconds | None = None
    operator: FreeText | None = None
    subject: FreeText | None = None
    newest_first: Flag = False
    limit: Limit = PAGE_MAX
    after: After | None = None


def list_trail(ports: OperatorPorts, asked: AuditParameters) -> Mapping[str, object]:
    """Return a page of what operators did, and traders to their own settings."""
    wanted = AuditSearch(
        since_us=None if asked.since is None else asked.since * US_PER_SECOND,
        until_us=None if asked.until is None else (asked.until + 1) * US_PER_SECOND - 1,
        operator=asked.operator,
        subject=asked.subject,
        newest_first=asked.newest_first,
    )
    after = None if asked.after is None else _place_of(asked.after)
    page = list_entries(ports.audit, ports.operator.now_us(), wanted, asked.limit, after)
    place = page.following
    return {
        "items": [entry_data(entry) for entry in page.items],
        "next": None if place is None else f"{place.at_us}-{place.audit_id}",
    }


def entry_data(entry: AuditEntry) -> dict[str, object]:
    """Return an audit entry as JSON data; `arn` is null in entries of earlier releases."""
    return {
        "audit_id": entry.audit_id,
        "time": entry.at_us // US_PER_SECOND,
        "who": entry.who,
        "arn": entry.arn or None,
        "source_ip": entry.source_ip or None,
        "request_id": entry.request_id or None,
        "alone": entry.alone,
        "proposal_no": entry.proposal_no or None,
        "action": entry.action,
        "target": entry.target,
        "reason": entry.reason,
        "details": dict(entry.details),
    }


def _place_of(after: str) -> Place:
    at_us, found, audit_id = after.partition("-")
    if not (found and at_us.isascii() and at_us.isdigit()):
        raise UnacceptableTerms([FieldProblem("after", "is no place in this list")])
    return Place(int(at_us), audit_id)
