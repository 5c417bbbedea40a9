"""The audit trail: what operators did, and traders to their settings, the last first."""

from collections import deque

from starlette.responses import Response

from orderdesk.domain.audit import AuditEntry, months_between
from orderdesk.domain.ids import EPOCH_MS
from orderdesk.domain.times import US_PER_SECOND
from orderdesk_cli.console.sheets import Field, Section, Table
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text
from orderdesk_cli.values import point_in_time

SHOWN = 200
USUAL_SINCE = "7d"
_COLUMNS = ("when", "who", "what", "about", "why", "details")


FIRST_US = EPOCH_MS * 1000
"""Ids begin at this time, so no entry is older."""


def is_named(who: str, name: str) -> bool:
    """Tell whether an operator is meant: by its ARN, or by the ARN's last part."""
    return name in {who, who.rpartition("/")[2], who.rpartition(":")[2]}


def shown(visit: Visit) -> Response:
    """Show what operators did since a time, by the same filters as `orderdesk audit`."""
    since = visit.query.get("since", USUAL_SINCE)
    operator, subject = visit.query.get("operator"), visit.query.get("subject")
    now_us = visit.office.now_us()
    since_us = max(point_in_time(since).at_us(now_us), FIRST_US)
    entries = visit.office.audit.entries(months_between(since_us, now_us), since_us)
    last = deque(
        (
            entry
            for entry in entries
            if (operator is None or is_named(entry.who, operator))
            and (subject is None or entry.target == subject)
        ),
        maxlen=SHOWN,
    )
    cut = f"The last {SHOWN} are shown." if len(last) == SHOWN else ""
    table = Table("Actions", _COLUMNS, [_row(entry) for entry in reversed(last)], "Nothing.")
    fields = [
        Field("since", "Since", since, required=True),
        Field("operator", "Operator", operator or ""),
        Field("subject", "About", subject or ""),
    ]
    return visit.page(
        "sheet.html",
        section="audit",
        title="What operators and traders did",
        sections=[Section(heading="Actions, the last first", note=cut, tables=[table])],
        fields=fields,
        here=visit.to("audit"),
    )


def _row(entry: AuditEntry) -> list[str]:
    return [
        time_text(entry.at_us // US_PER_SECOND),
        entry.who,
        entry.action,
        entry.target,
        entry.reason,
        ", ".join(f"{name} {value}" for name, value in entry.details.items() if value),
    ]
