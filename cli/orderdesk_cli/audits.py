"""`orderdesk audit`: every action of operators, and traders' of their settings."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk.domain.audit import AuditEntry, months_between
from orderdesk.domain.ids import EPOCH_MS
from orderdesk.domain.times import US_PER_SECOND
from orderdesk_cli.invocation import command
from orderdesk_cli.values import TIME_FORMS, PointInTime, point_in_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orderdesk_cli.listings import Listed
    from orderdesk_cli.output import Json
    from orderdesk_cli.wiring import Office

# Ids begin at this time, so no entry is older.
FIRST_US = EPOCH_MS * 1000

Since = Annotated[
    PointInTime | None,
    typer.Option(parser=point_in_time, metavar="T", help=f"Then or later. {TIME_FORMS}"),
]


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    command(app, "audit")(audit)


def audit(
    office: "Office",
    since: Since = None,
    operator: Annotated[
        str | None,
        typer.Option(
            metavar="O", help="Only this operator's or trader's: the whole name, or its last part."
        ),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Only about this merchant, trader, order, callback …"),
    ] = None,
) -> "Listed[AuditEntry]":
    """List what operators did, and traders to their own settings, the newest last."""
    now_us = office.now_us()
    since_us = FIRST_US if since is None else max(since.at_us(now_us), FIRST_US)
    entries = office.audit.entries(months_between(since_us, now_us), since_us)
    return _listed(
        entry
        for entry in entries
        if (operator is None or is_named(entry.who, operator))
        and (subject is None or entry.target == subject)
    )


def is_named(who: str, name: str) -> bool:
    """Tell whether an operator is meant: by its ARN, or by the ARN's last part."""
    return name in {who, who.rpartition("/")[2], who.rpartition(":")[2]}


def _listed(entries: "Iterator[AuditEntry]") -> "Listed[AuditEntry]":
    from orderdesk_cli.listings import Listed  # noqa: PLC0415 rich is loaded only to show something

    columns = ["when", "who", "what", "target", "why", "details"]
    return Listed(entries, _data, columns, _row, "No actions.")


def _data(entry: AuditEntry) -> "Json":
    return {
        "audit_id": entry.audit_id,
        "time": entry.at_us // US_PER_SECOND,
        "who": entry.who,
        "action": entry.action,
        "target": entry.target,
        "reason": entry.reason,
        "details": dict(entry.details),
    }


def _row(entry: AuditEntry) -> list[str]:
    from orderdesk_cli.output import time_text  # noqa: PLC0415 as above

    return [
        time_text(entry.at_us // US_PER_SECOND),
        entry.who,
        entry.action,
        entry.target,
        entry.reason,
        ", ".join(f"{name} {value}" for name, value in entry.details.items() if value),
    ]
