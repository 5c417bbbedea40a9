"""`orderdesk withdraw …`: USDT that goes out; live money needs a second person."""

from orderdesk_cli.commands import Commands
from orderdesk_cli.funds import TestAccount, TestTrader, asks_about
from orderdesk_cli.options import Amount, Memo, MerchantId, TraderId
from orderdesk_cli.proposals import OpenOnly, approve_command, reject_command
from orderdesk_cli.sheets.funds import TRANSFERRED
from orderdesk_cli.sheets.proposals import PROPOSALS

commands = Commands()
group = commands.typer


@commands.writes("withdraw.merchant", TRANSFERRED, asks=asks_about("withdraw.merchant"))
def withdraw_merchant(
    merchant_id: MerchantId, amount: Amount, *, memo: Memo, is_test: TestAccount = False
) -> None:
    """Propose a withdrawal from a merchant's account: held now, paid out once it is approved."""


@commands.writes("withdraw.trader", TRANSFERRED, asks=asks_about("withdraw.trader"))
def withdraw_trader(
    trader_id: TraderId, amount: Amount, *, memo: Memo, is_test: TestTrader = False
) -> None:
    """Propose a withdrawal from a trader's account: held now, paid out once it is approved."""


approve_command(commands)
reject_command(commands)


@commands.lists("withdraw.list", PROPOSALS)
def list_withdrawals(open_only: OpenOnly = False) -> None:
    """List withdrawals, the newest first."""
