"""`orderdesk`: what operators do to a deployed stack (contract section 9)."""

import gc
import sys
from functools import cached_property
from importlib import import_module
from typing import Any

import click

from orderdesk_cli.commands import Invocation
from orderdesk_cli.options import parameters

# Where pyOpenSSL is installed, botocore would import it, only to find Python's own SSLContext.
sys.modules.setdefault("urllib3.contrib.pyopenssl", None)  # type: ignore[arg-type]

GROUPS = {
    "merchant": ("parties", "Merchants: their agreements and credentials."),
    "fund": ("money", "USDT that comes in from outside."),
    "withdraw": ("money", "USDT that goes out: one person proposes it, another approves it."),
    "deposit": ("money", "Merchants' deposits."),
    "fees": ("money", "The fees and the spread of merchants' orders."),
    "proposal": ("money", "What one person proposed and another decides."),
    "trader": ("parties", "Traders: limits, receiving methods, duty."),
    "block": ("parties", "Whose orders are refused."),
    "desk": ("parties", "The limits of a trading day, over all merchants."),
    "rate": ("money", "Base rates, CNY per USDT."),
    "order": ("orders", "Orders and drafts."),
    "draft": ("orders", "Buys that wait for an identity check."),
    "callback": ("orders", "Callbacks: their deliveries, attempt by attempt."),
    "ledger": ("ledger", "Double entry: accounts, postings, and whether they add up."),
}
"""Each group's module and help."""

TOP = {
    "approve": "money",
    "reject": "money",
    "report": "ledger",
    "audit": "ledger",
    "rights": "ledger",
    "console": "console",
    "doctor": "doctor",
    "preflight": "preflight",
}
"""The modules of the commands outside groups."""


class Later(click.Group):
    """Commands that are imported when one of them is looked up.

    Importing all commands takes longer than most of them run. Without a name of its own in GROUPS
    it is the program, with the groups and the commands outside them.
    """

    def __init__(self, name: str, **attributes: Any) -> None:
        super().__init__(name, **attributes)
        del self.__dict__["commands"]  # leaves it to the property

    @cached_property
    def commands(self) -> Any:  # type: ignore[override]
        assert self.name is not None
        if self.name in GROUPS:
            return _declared(GROUPS[self.name][0], self.name)
        return {name: _made(name) for name in (*GROUPS, *TOP)}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 as click calls it
        """Return the names in the order of the declarations."""
        return [*self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; the program imports nothing else."""
        if self.name not in GROUPS and cmd_name in (*GROUPS, *TOP):
            return _made(cmd_name)
        return super().get_command(ctx, cmd_name)


def _made(name: str) -> click.Command:
    """Return a group or a command outside groups."""
    if name in GROUPS:
        return Later(name, help=GROUPS[name][1])
    return _declared(TOP[name], "")[name]


def _declared(module: str, group: str) -> dict[str, click.Command]:
    """Return a module's commands of a group by name; "" is outside groups."""
    return {each.name: each for each in import_module(f"orderdesk_cli.{module}").COMMANDS[group]}


def _before(*, as_json: bool, stack: str | None) -> None:
    said = click.get_current_context().ensure_object(Invocation)
    said.stack, said.as_json = stack, as_json


app = Later(
    "orderdesk",
    callback=_before,
    params=parameters("as_json stack"),
    help="""Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.

    AWS_ENDPOINT_URL points it to the local stack. Exit code 0: done, 1: refused, 2: usage,
    3: waits for a second person.
    """,
)


def main() -> None:
    """Run the console script."""
    # Importing and reading the SDK's models leave almost no garbage; looking for it takes a sixth
    # of the time. A command collects again once it has opened its stack.
    gc.disable()
    app()


if __name__ == "__main__":
    main()
