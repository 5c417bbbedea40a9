"""`orderdesk fund …`: USDT that comes in from outside; live money needs a second person."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.options import Amount, Memo, MerchantId, TraderId
from orderdesk_cli.sheets.funds import FORESEEN, TRANSFERRED

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

commands = Commands()
group = commands.typer

TestAccount = Annotated[bool, typer.Option("--test", help="Its test account.")]
TestTrader = Annotated[bool, typer.Option("--test", help="Only if it is a test trader.")]


def asks_about(command: str) -> "Foreseen":
    """Return what shows the money command before it is asked for."""
    kind = command.rpartition(".")[2]

    def shown(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
        its_id = given[f"{kind}_id"]
        named = api.call(f"{kind}.show", **{f"{kind}_id": its_id})
        return {**given, "command": command, f"{kind}_name": named.get("name")}, FORESEEN

    return shown


@commands.writes("fund.merchant", TRANSFERRED, asks=asks_about("fund.merchant"))
def fund_merchant(
    merchant_id: MerchantId, amount: Amount, *, memo: Memo, is_test: TestAccount = False
) -> None:
    """Fund a merchant's account, the live one unless --test."""


@commands.writes("fund.trader", TRANSFERRED, asks=asks_about("fund.trader"))
def fund_trader(
    trader_id: TraderId, amount: Amount, *, memo: Memo, is_test: TestTrader = False
) -> None:
    """Fund a trader's account, which is live or test as the trader is."""
