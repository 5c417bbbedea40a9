"""`orderdesk`: what operators do to a deployed stack (contract section 9)."""

import gc
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module

import click

from orderdesk_cli.commands import Invocation
from orderdesk_cli.options import parameters

# Where pyOpenSSL is installed, botocore would import it, only to find Python's own SSLContext.
sys.modules.setdefault("urllib3.contrib.pyopenssl", None)  # type: ignore[arg-type]

COMMANDS = {
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
    "approve": ("money", ""),
    "reject": ("money", ""),
    "report": ("ledger", ""),
    "audit": ("ledger", ""),
    "rights": ("ledger", ""),
    "console": ("console", ""),
    "doctor": ("doctor", ""),
    "preflight": ("preflight", ""),
}
"""Each command's module, and the help of those that are groups."""


class _Imported(Mapping[str, click.Command]):
    """The commands by name; a module is imported when one of its commands is looked up.

    Importing all commands takes longer than most of them run.
    """

    def __getitem__(self, name: str) -> click.Command:
        module, text = COMMANDS[name]
        declared = import_module(f"orderdesk_cli.{module}").COMMANDS
        if text:
            return Group(name, declared[name], help=text)
        found: dict[str, click.Command] = {each.name: each for each in declared[""]}
        return found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Group(click.Group):
    """A group whose help has the commands in the order of their declaration."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 as click calls it
        return [*self.commands]


def _before(*, as_json: bool, stack: str | None) -> None:
    said = click.get_current_context().ensure_object(Invocation)
    said.stack, said.as_json = stack, as_json


app = Group(
    "orderdesk",
    _Imported(),  # type: ignore[arg-type]  # nothing adds a command
    callback=_before,
    params=parameters("as_json stack"),
    help="""Operate a deployed orderdesk: merchants, traders, funds, rates, orders, callbacks.

    AWS_ENDPOINT_URL points it to the local stack. Exit code 0: done, 1: refused, 2: usage,
    3: waits for a second person.
    """,
)


def main() -> None:
    # Importing and reading the SDK's models leave almost no garbage; looking for it takes a sixth
    # of the time. A command collects again once it has opened its stack.
    gc.disable()
    app()


if __name__ == "__main__":
    main()
