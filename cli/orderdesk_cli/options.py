"""Arguments and options that commands share, checked before anything is sent."""

import re
import time
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from orderdesk_cli.beijing import BEIJING
from orderdesk_cli.plain_text import is_control

US_PER_SECOND = 1_000_000
CNY_DECIMALS, USDT_DECIMALS, RATE_DECIMALS = 2, 6, 4
_TEXT_LENGTH_MAX = 255
_AMOUNT = re.compile(r"[0-9]{1,15}(?:\.([0-9]+))?\Z")
_SPAN = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[smhdw])\Z")
_SPAN_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


class Side(StrEnum):
    """The merchant's side of an order."""

    BUY = "buy"
    SELL = "sell"


class ModeName(StrEnum):
    """Live or test money."""

    LIVE = "live"
    TEST = "test"


def amount(decimals: int) -> Callable[[str], str]:
    """Return a parser of amounts with at most so many decimals; the text stays as it is."""

    def parse(text: str) -> str:
        found = _AMOUNT.match(text)
        if found is None:
            raise typer.BadParameter(f"{text!r} is no plain decimal number")
        if len(found[1] or "") > decimals:
            raise typer.BadParameter(f"{text!r} has more than {decimals} decimals")
        return text

    return parse


cny, usdt, rate = amount(CNY_DECIMALS), amount(USDT_DECIMALS), amount(RATE_DECIMALS)


def since(text: str) -> int:
    """Read a time as the first whole Unix second not before it. Raises: typer.BadParameter."""
    return -(-moment_us(text, time.time_ns() // 1000) // US_PER_SECOND)


def until(text: str) -> int:
    """Read a time as the last whole Unix second not after it. Raises: typer.BadParameter."""
    return moment_us(text, time.time_ns() // 1000) // US_PER_SECOND


def moment_us(text: str, now_us: int) -> int:
    """Read a time as Unix microseconds: Unix seconds, ISO 8601, or a span back such as 24h.

    A time without a zone is Beijing time. Raises: typer.BadParameter.
    """
    span = _SPAN.match(text)
    if span is not None:
        return now_us - int(span["count"]) * _SPAN_SECONDS[span["unit"]] * US_PER_SECOND
    try:
        if text.isascii() and text.isdigit():
            moment = datetime.fromtimestamp(int(text), BEIJING)
        else:
            moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise typer.BadParameter(
            f"{text!r} is no ISO date or time, no Unix seconds and no span such as 24h or 7d"
        ) from None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=BEIJING)
    since_epoch = zoned - datetime.fromtimestamp(0, BEIJING)
    whole = since_epoch.days * 86_400 + since_epoch.seconds
    return whole * US_PER_SECOND + since_epoch.microseconds


def remark(text: str) -> str:
    """Read a text that the audit trail keeps: one line, not empty. Raises: typer.BadParameter."""
    if not text.strip():
        raise typer.BadParameter("must not be empty")
    if len(text) > _TEXT_LENGTH_MAX:
        raise typer.BadParameter(f"at most {_TEXT_LENGTH_MAX} characters")
    if any(is_control(letter) for letter in text):
        raise typer.BadParameter("must not hold control characters")
    return text


TIME_FORMS = "ISO date or time (Beijing time), or a span back from now: 24h, 7d."

MerchantId = Annotated[
    str, typer.Argument(metavar="ID", help="Merchant id or name.", show_default=False)
]
TraderId = Annotated[
    str, typer.Argument(metavar="ID", help="Trader id or name.", show_default=False)
]
OfMerchant = Annotated[
    str | None, typer.Option("--merchant", metavar="ID", help="Only this merchant's; id or name.")
]
OfTrader = Annotated[
    str | None, typer.Option("--trader", metavar="ID", help="Only this trader's; id or name.")
]
Since = Annotated[
    int | None, typer.Option(parser=since, metavar="T", help=f"Then or later. {TIME_FORMS}")
]
Until = Annotated[int | None, typer.Option(parser=until, metavar="T", help="Then or earlier.")]
Rate = Annotated[
    str, typer.Argument(parser=rate, metavar="RATE", help="CNY per USDT.", show_default=False)
]
Amount = Annotated[
    str, typer.Argument(parser=usdt, metavar="AMOUNT", help="USDT.", show_default=False)
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Why; kept in the audit trail.")]
Memo = Annotated[
    str,
    typer.Option(parser=remark, metavar="TEXT", help="Why; kept in ledger and audit trail."),
]
RequiredReason = Annotated[
    str,
    typer.Option("--reason", parser=remark, metavar="TEXT", help="Why; kept in the audit trail."),
]
