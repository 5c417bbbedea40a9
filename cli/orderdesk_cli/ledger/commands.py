"""`orderdesk ledger …`: whether the books are right, and what accounts own."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.answering import Answer, Form
from orderdesk_cli.commands import Commands
from orderdesk_cli.options import ModeName, Since, Until
from orderdesk_cli.sheets.ledger import BALANCES, CHECKED, STATEMENT
from orderdesk_cli.sheets.sheet import objects

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Said

commands = Commands()
group = commands.typer


@commands.runs("check")
def check(api: "Api", said: "Said") -> Answer:
    """Prove the postings, balances, holds and counters; exit code 1 if anything is wrong.

    Orders may move meanwhile: a difference counts only if three readings find the same.
    """
    from orderdesk_cli.progress import last_part  # noqa: PLC0415 only the check needs it

    data = last_part(api.pages("ledger.check"), is_drawn=said.form is Form.TEXT)
    moving = [*objects(data["moving"])]
    warning = (
        f"{len(moving)} more differed in each of {data['passes']} passes, by changing "
        "amounts: money moves through them now; check again when less does"
    )
    return Answer(
        data,
        CHECKED,
        [f"finding: {finding['text']}" for finding in objects(data["findings"])],
        warning if moving else "",
    )


@commands.reads("ledger.balances", BALANCES)
def balances() -> None:
    """List what every account owns, live and test.

    Each account is read at its own time. While orders move, the totals may be off by their
    amounts.
    """


@commands.lists("ledger.statement", STATEMENT)
def statement(
    merchant_id: Annotated[
        str, typer.Argument(metavar="ID", help="Merchant id or name.", show_default=False)
    ],
    mode: Annotated[ModeName, typer.Option(help="Live or test money.")] = ModeName.LIVE,
    since: Since = None,
    until: Until = None,
) -> None:
    """List the postings of a merchant's accounts, the oldest first, with the balance after each."""
