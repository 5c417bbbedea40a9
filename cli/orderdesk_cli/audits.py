"""`orderdesk audit`: every action of operators, and traders' of their settings."""

from typing import Annotated

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.options import Since, Until
from orderdesk_cli.sheets.audit import ENTRIES

commands = Commands()


@commands.lists("audit.list", ENTRIES, name="audit")
def audit(
    since: Since = None,
    until: Until = None,
    operator: Annotated[
        str | None,
        typer.Option(
            metavar="O", help="Only this operator's or trader's; of an ARN the last part."
        ),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Only about this merchant, trader, order, callback …"),
    ] = None,
) -> None:
    """List what operators did, and traders to their own settings, the newest last."""
