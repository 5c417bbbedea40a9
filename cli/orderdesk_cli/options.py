"""Arguments and options that commands share, checked before anything is sent."""

import re
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from orderdesk_cli.beijing import BEIJING
from orderdesk_cli.plain_text import is_control

US_PER_SECOND = 1_000_000
CNY_DECIMALS, USDT_DECIMALS, RATE_DECIMALS = 2, 6, 4
SIDES, MODES = ("buy", "sell"), ("live", "test")
_TEXT_LENGTH_MAX = 255
_AMOUNT = re.compile(r"[0-9]{1,15}(?:\.([0-9]+))?\Z")
_SPAN = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[smhdw])\Z")
_SPAN_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def amount(decimals: int) -> Callable[[str], str]:
    """Return a parser of amounts with at most so many decimals; the text stays as it is."""

    def parse(text: str) -> str:
        found = _AMOUNT.match(text)
        if found is None:
            raise click.BadParameter(f"{text!r} is no plain decimal number")
        if len(found[1] or "") > decimals:
            raise click.BadParameter(f"{text!r} has more than {decimals} decimals")
        return text

    return parse


cny, usdt, rate = amount(CNY_DECIMALS), amount(USDT_DECIMALS), amount(RATE_DECIMALS)


def count(text: str) -> str:
    """Read a whole number from 1 on; the text stays as it is. Raises: click.BadParameter."""
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
        raise click.BadParameter(f"{text!r} is no whole number from 1 on")
    return text


def since(text: str) -> int:
    """Read a time as the first whole Unix second not before it. Raises: click.BadParameter."""
    return -(-moment_us(text, time.time_ns() // 1000) // US_PER_SECOND)


def until(text: str) -> int:
    """Read a time as the last whole Unix second not after it. Raises: click.BadParameter."""
    return moment_us(text, time.time_ns() // 1000) // US_PER_SECOND


def moment_us(text: str, now_us: int) -> int:
    """Read a time as Unix microseconds: Unix seconds, ISO 8601, or a span back such as 24h.

    A time without a zone is Beijing time. Raises: click.BadParameter.
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
        raise click.BadParameter(
            f"{text!r} is no ISO date or time, no Unix seconds and no span such as 24h or 7d"
        ) from None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=BEIJING)
    since_epoch = zoned - datetime.fromtimestamp(0, BEIJING)
    whole = since_epoch.days * 86_400 + since_epoch.seconds
    return whole * US_PER_SECOND + since_epoch.microseconds


def remark(text: str) -> str:
    """Read a text that the audit trail keeps: one line, not empty. Raises: click.BadParameter."""
    if not text.strip():
        raise click.BadParameter("must not be empty")
    if len(text) > _TEXT_LENGTH_MAX:
        raise click.BadParameter(f"at most {_TEXT_LENGTH_MAX} characters")
    if any(is_control(letter) for letter in text):
        raise click.BadParameter("must not hold control characters")
    return text


def argument(name: str, metavar: str, text: str, kind: Any = str, **more: Any) -> click.Argument:
    """Return an argument, which is a parameter of the API."""
    return click.Argument([name], type=kind, metavar=metavar, help=text, **more)


def option(
    name: str, metavar: str, text: str, kind: Any = str, *, flag: str = "", **more: Any
) -> click.Option:
    """Return an option of a parameter of the API; the flag is the parameter's name if absent."""
    flags = [flag or f"--{name.replace('_', '-')}", name]
    return click.Option(flags, type=kind, metavar=metavar, help=text, **more)


def switch(name: str, flag: str, text: str, **more: Any) -> click.Option:
    """Return an option without a value; `--a/--no-a` is None if neither was given."""
    default = None if "/" in flag else False
    return click.Option([*flag.split(","), name], is_flag=True, default=default, help=text, **more)


def choice(name: str, values: tuple[str, ...], text: str, flag: str = "") -> click.Option:
    """Return an option that takes one of a few words."""
    return option(name, "|".join(values), text, click.Choice(values), flag=flag)


_WHEN = "ISO date or time (Beijing time), or a span back from now: 24h, 7d."

MERCHANT_ID = argument("merchant_id", "ID", "Merchant id or name.")
TRADER_ID = argument("trader_id", "ID", "Trader id or name.")
OF_MERCHANT = option("merchant_id", "ID", "Only this merchant's; id or name.", flag="--merchant")
OF_TRADER = option("trader_id", "ID", "Only this trader's; id or name.", flag="--trader")
SINCE = option("since", "T", f"Then or later. {_WHEN}", since)
UNTIL = option("until", "T", "Then or earlier.", until)
REASON = option("reason", "TEXT", "Why; kept in the audit trail.")
REQUIRED_REASON = option("reason", "TEXT", "Why; kept in the audit trail.", remark, required=True)
ORDER_NO = argument("order_no", "NO", "order_no or order_id.")
MODE = choice("mode", MODES, "Only live, or only test orders.")
