"""`orderdesk report DATE`: a trading day of every merchant and trader, and whether it closes."""

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.invocation import command

if TYPE_CHECKING:
    from orderdesk_cli.output import Answer
    from orderdesk_cli.wiring import Office


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    command(app, "report")(report)


def trading_date(text: str) -> date:
    """Read an ISO date. Raises: typer.BadParameter."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date such as 2026-01-31") from None


def report(
    office: "Office",
    of: Annotated[
        date,
        typer.Argument(
            parser=trading_date, metavar="DATE", help="A trading day (UTC+8).", show_default=False
        ),
    ],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> "Answer":
    """Report a trading day by merchant and trader; exit code 1 if an account does not close.

    Orders count on the day on which they were completed.
    """
    # rich and the ledger's scan are loaded only to report something.
    from orderdesk.domain.ledger.day_report import day_of  # noqa: PLC0415
    from orderdesk.services.operator.report import read_report  # noqa: PLC0415
    from orderdesk_cli.report_views import reported  # noqa: PLC0415

    operator = office.operator
    read = read_report(
        office.day_scan,
        day_of(of),
        pause_ms=operator.pause_ms,
        now=operator.now(),
    )
    return reported(read, as_csv=as_csv)
