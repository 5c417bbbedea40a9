"""`orderdesk audit`: every operator action, who, when, what, why."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.audit import US_PER_SECOND, AuditEntry, months_between
from orderdesk.domain.ids import EPOCH_MS
from orderdesk_cli.invocation import command
from orderdesk_cli.output import Answer, Json, listing, time_text
from orderdesk_cli.values import point_in_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orderdesk_cli.wiring import Office

# Ids begin at this time, so no entry is older.
FIRST_US = EPOCH_MS * 1000

Since = Annotated[
    int | None,
    typer.Option(parser=point_in_time, metavar="T", help="Unix seconds or an ISO date (UTC)."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    command(app, "audit")(audit)


def audit(office: "Office", since: Since = None) -> Answer:
    """List what operators did, the newest last."""
    since_us = FIRST_US if since is None else max(since, FIRST_US)
    months = months_between(since_us, office.operator.now_us())
    return listed(list(office.audit.entries(months, since_us)))


def listed(entries: "Sequence[AuditEntry]") -> Answer:
    """Answer `audit`."""
    data: list[Json] = [
        {
            "audit_id": entry.audit_id,
            "time": entry.at_us // US_PER_SECOND,
            "who": entry.who,
            "action": entry.action,
            "target": entry.target,
            "reason": entry.reason,
            "details": dict(entry.details),
        }
        for entry in entries
    ]
    rows = [
        [
            time_text(entry.at_us // US_PER_SECOND),
            entry.who,
            entry.action,
            entry.target,
            entry.reason,
            ", ".join(f"{name} {value}" for name, value in entry.details.items() if value),
        ]
        for entry in entries
    ]
    columns = ["when", "who", "what", "target", "why", "details"]
    return Answer(data, listing(columns, rows, "No operator has done anything."))
