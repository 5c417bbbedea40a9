"""`orderdesk rate …`."""

from typing import Annotated

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.options import Rate, Reason, Side
from orderdesk_cli.sheets.rates import RATES

commands = Commands()
group = commands.typer


@commands.writes("rate.set", RATES)
def set_side(
    order_type: Annotated[Side, typer.Argument(metavar="buy|sell", show_default=False)],
    rate: Rate,
    reason: Reason = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Also if it changes by more than 5 %.")
    ] = False,
) -> None:
    """Set the base rate of a side as of now; a change of more than 5 % needs --yes."""


@commands.reads("rate.list", RATES, name="show")
def show() -> None:
    """Show the base rates and since when they are set."""
