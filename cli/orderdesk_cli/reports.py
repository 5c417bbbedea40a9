"""`orderdesk report DATE`: a trading day of every merchant and trader, and whether it closes."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.answering import Answer, Form
from orderdesk_cli.commands import Commands
from orderdesk_cli.sheets.report import REPORT, ROWS
from orderdesk_cli.sheets.sheet import objects

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Said
    from orderdesk_cli.sheets.sheet import Json

commands = Commands()


def trading_date(text: str) -> str:
    """Read an ISO date. Raises: typer.BadParameter."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no date such as 2026-01-31") from None


@commands.runs("report", with_csv=True)
def report(
    api: "Api",
    said: "Said",
    of: Annotated[
        str,
        typer.Argument(
            parser=trading_date, metavar="DATE", help="A trading day (UTC+8).", show_default=False
        ),
    ],
) -> Answer:
    """Report a trading day by merchant and trader; exit code 1 if an account does not close.

    Orders count on the day on which they were completed.
    """
    from orderdesk_cli.progress import last_part  # noqa: PLC0415 only a report needs it

    parts = api.pages("report.day", date=of)
    day = last_part(parts, is_drawn=said.form is Form.TEXT)
    moving = ", ".join(str(each["account"]) for each in objects(day["moving"]))
    return Answer(
        [*rows_of_day(day)] if said.form is Form.CSV else day,
        ROWS if said.form is Form.CSV else REPORT,
        [_complaint(account) for account in objects(day["differences"])],
        f"in use while they were read, so closing may be off: {moving}" if moving else "",
    )


def rows_of_day(day: "Mapping[str, Json]") -> "Iterator[dict[str, Json]]":
    """Yield every account of both modes as one row."""
    for mode in ("live", "test"):
        of_mode = day[mode]
        assert isinstance(of_mode, Mapping)
        for kind in ("merchant", "trader"):
            for row in objects(of_mode[f"{kind}s"]):
                yield {**row, "mode": mode, "kind": kind, "id": row[f"{kind}_id"]}
        for row in objects(of_mode["accounts"]):
            kind, owner, _ = str(row["account"]).split(":")
            yield {**row, "mode": mode, "kind": kind, "id": owner}


def _complaint(account: "Mapping[str, Json]") -> str:
    """Say that an account does not close."""
    return (
        f"difference: {account['account']}: opening {account['opening']} and postings "
        f"{account['postings']} do not make closing {account['closing']} "
        f"(difference {account['difference']})"
    )
