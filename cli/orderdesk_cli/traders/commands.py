"""`orderdesk trader …`."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.options import Reason, TraderId, cny
from orderdesk_cli.sheets.traders import CODE, TRADER, TRADERS

commands = Commands()
group = commands.typer

_COUNT_DIGITS_MAX = 9


class MethodType(StrEnum):
    """The types of receiving methods."""

    BANK = "bank"
    WECHAT = "wechat"
    ALIPAY = "alipay"


def _cap(parse: Callable[[str], str]) -> Callable[[str], str]:
    """Return a parser of a cap; an empty text removes it."""

    def cap(text: str) -> str:
        return parse(text) if text else text

    return cap


def _count(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) <= _COUNT_DIGITS_MAX and int(text)):
        raise typer.BadParameter(f"{text!r} is no whole number from 1 on")
    return text


Text = Annotated[str | None, typer.Option(metavar="TEXT")]
Smallest = typer.Option("--min", parser=cny, metavar="CNY", help="Smallest order.")
Largest = typer.Option("--max", parser=cny, metavar="CNY", help="Largest order.")
Type = Annotated[MethodType, typer.Argument(metavar="|".join(MethodType), show_default=False)]


@commands.writes("trader.add", CODE)
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    *,
    min_cny: Annotated[str, Smallest],
    max_cny: Annotated[str, Largest],
    is_test: Annotated[bool, typer.Option("--test", help="Takes test orders only.")] = False,
    max_open: Annotated[
        int | None, typer.Option(min=1, help="Open orders at a time; no cap if absent.")
    ] = None,
    daily_cny: Annotated[
        str | None, typer.Option(parser=cny, metavar="CNY", help="A day (UTC+8); no cap if absent.")
    ] = None,
    unique_amounts: Annotated[
        bool,
        typer.Option("--unique-amounts", help="Never two open buys of one amount on one method."),
    ] = False,
    reason: Reason = None,
) -> None:
    """Add a trader, offline; the access code is shown this one time."""


@commands.writes("trader.set", TRADER, name="set")
def set_terms(
    trader_id: TraderId,
    *,
    min_cny: Annotated[str | None, Smallest] = None,
    max_cny: Annotated[str | None, Largest] = None,
    max_open: Annotated[
        str | None,
        typer.Option(parser=_cap(_count), metavar="N", help='Open orders; "" for no cap.'),
    ] = None,
    daily_cny: Annotated[
        str | None, typer.Option(parser=_cap(cny), metavar="CNY", help='A day; "" for no cap.')
    ] = None,
    unique_amounts: Annotated[
        bool | None,
        typer.Option(
            "--unique-amounts/--no-unique-amounts",
            help="Never two open buys of one amount on one method.",
        ),
    ] = None,
    reason: Reason = None,
) -> None:
    """Change a trader's limits for orders to come; what is not named stays as it is."""


@commands.writes("trader.add-method", TRADER)
def add_method(
    trader_id: TraderId,
    method_type: Type,
    *,
    real_name: Text = None,
    bank: Text = None,
    sub_bank: Text = None,
    card_number: Text = None,
    account: Text = None,
    qr_code: Annotated[str | None, typer.Option(metavar="URL")] = None,
    reason: Reason = None,
) -> None:
    """Give a trader a receiving method; it replaces the one of the same type.

    bank needs --real-name, --bank, --sub-bank and --card-number; wechat and alipay need
    --real-name, --account and --qr-code.
    """


@commands.writes("trader.remove-method", TRADER)
def remove_method(trader_id: TraderId, method_type: Type, reason: Reason = None) -> None:
    """Remove a trader's receiving method; its open orders keep theirs."""


def _reset_code(name: str) -> None:
    @commands.writes("trader.reset-code", CODE, name=name)
    def reset_code(trader_id: TraderId, reason: Reason = None) -> None:
        """Give a trader a new access code, shown this one time; the earlier one stops working."""


for _name in ("reset-code", "new-code"):
    _reset_code(_name)


@commands.lists("trader.list", TRADERS)
def list_all() -> None:
    """List all traders, the newest last."""


@commands.reads("trader.show", TRADER)
def show(trader_id: TraderId) -> None:
    """Show a trader: limits, balance, open orders, methods (masked)."""


@commands.writes("trader.online", TRADER)
def online(trader_id: TraderId, reason: Reason = None) -> None:
    """Put a trader into the rotation; also lifts a suspension."""


@commands.writes("trader.offline", TRADER)
def offline(trader_id: TraderId, reason: Reason = None) -> None:
    """Take a trader out of the rotation; its open orders run their course."""


@commands.writes("trader.suspend", TRADER)
def suspend(trader_id: TraderId, reason: Reason = None) -> None:
    """Let a trader make no move until an operator puts it online; its sells are given back.

    Safe to repeat: it gives back what an interrupted run left.
    """
