"""`orderdesk`: what operators do to a deployed stack (contract section 9)."""

import typer

from orderdesk_cli import audits, funds, rates, reports
from orderdesk_cli.callbacks import commands as callbacks
from orderdesk_cli.invocation import Invocation, JsonFlag, StackName
from orderdesk_cli.ledger import commands as ledger
from orderdesk_cli.merchants import commands as merchants
from orderdesk_cli.orders import commands as orders
from orderdesk_cli.orders import moves as order_moves
from orderdesk_cli.traders import commands as traders
from orderdesk_cli.withdrawals import commands as withdrawals

app = typer.Typer(
    name="orderdesk",
    help="Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(merchants.group, name="merchant")
app.add_typer(funds.group, name="fund")
app.add_typer(withdrawals.group, name="withdraw")
app.add_typer(traders.group, name="trader")
app.add_typer(rates.group, name="rate")
order_moves.register(orders.group)
app.add_typer(orders.group, name="order")
app.add_typer(callbacks.group, name="callback")
app.add_typer(ledger.group, name="ledger")
reports.register(app)
audits.register(app)


@app.callback()
def before_the_command(
    context: typer.Context, as_json: JsonFlag = False, stack: StackName = None
) -> None:
    """Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.

    AWS_ENDPOINT_URL points it to the local stack. Exit code 0: done, 1: refused, 2: usage.
    """
    said = context.ensure_object(Invocation)
    said.stack, said.as_json = stack, as_json


def main() -> None:
    """Run the console script."""
    app()


if __name__ == "__main__":
    main()
