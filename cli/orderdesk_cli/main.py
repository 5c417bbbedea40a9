"""`orderdesk`: what operators do to a deployed stack (contract section 9)."""

import gc

import typer

from orderdesk_cli import audits, proposals, reports, rights
from orderdesk_cli.console import command as console
from orderdesk_cli.doctor import command as doctor
from orderdesk_cli.invocation import PLAIN, Invocation, JsonFlag, StackName
from orderdesk_cli.parts import later
from orderdesk_cli.preflight import command as preflight

GROUPS: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "merchant": (
        "Merchants: their agreements and credentials.",
        {
            "merchants.commands": (
                *("add", "list", "show", "limits", "suspend", "resume", "rotate-secret"),
                *("rotate-callback-secret", "set"),
            )
        },
    ),
    "fund": ("USDT that comes in from outside.", {"funds": ("merchant", "trader")}),
    "withdraw": (
        "USDT that goes out: one person proposes it, another approves it.",
        {"withdrawals": ("merchant", "trader", "approve", "reject", "list")},
    ),
    "proposal": (
        "What one person proposed and another decides.",
        {"proposals": ("approve", "reject", "list", "show", "reveal")},
    ),
    "trader": (
        "Traders: limits, receiving methods, duty.",
        {
            "traders.commands": (
                *("add", "set", "add-method", "remove-method", "reset-code", "new-code", "list"),
                *("show", "online", "offline", "suspend"),
            )
        },
    ),
    "rate": ("Base rates, CNY per USDT.", {"rates": ("set", "show")}),
    "order": (
        "Orders and drafts.",
        {
            "orders.commands": ("show", "list", "find", "history", "ask"),
            "orders.evidence": ("evidence",),
            "orders.moves": ("assign", "unassign", "cancel", "dispute", "resolve"),
        },
    ),
    "callback": (
        "Callbacks: their deliveries, attempt by attempt.",
        {"callbacks.commands": ("list", "dead", "show", "redeliver")},
    ),
    "ledger": (
        "Double entry: accounts, postings, and whether they add up.",
        {"ledger.commands": ("check", "balances", "statement")},
    ),
}
"""Each group's help, and its commands by the module of this package that has them."""

app = typer.Typer(
    name="orderdesk",
    help="Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=PLAIN,
)
for _name, (_text, _modules) in GROUPS.items():
    _full = {f"orderdesk_cli.{module}": names for module, names in _modules.items()}
    app.add_typer(later(_text, _full), name=_name)
for _module in (reports, audits, rights, console, doctor, preflight):
    _module.commands.join(app)
proposals.top.join(app)


@app.callback()
def before_the_command(
    context: typer.Context, as_json: JsonFlag = False, stack: StackName = None
) -> None:
    """Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.

    AWS_ENDPOINT_URL points it to the local stack. Exit code 0: done, 1: refused, 2: usage,
    3: waits for a second person.
    """
    said = context.ensure_object(Invocation)
    said.stack, said.as_json = stack, as_json


def main() -> None:
    """Run the console script."""
    # Importing and reading the SDK's models leave almost no garbage; looking for it takes a sixth
    # of the time. A command collects again once it has opened its stack.
    gc.disable()
    app()


if __name__ == "__main__":
    main()
