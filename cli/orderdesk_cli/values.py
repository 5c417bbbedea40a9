"""Values on the command line: amounts and rates as integers, times as Unix microseconds."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from orderdesk.domain import money
from orderdesk.domain.operators import required_text_problems
from orderdesk.domain.times import US_PER_SECOND

_COUNT_DIGITS_MAX = 9
_SPAN = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[smhdw])\Z")
_SPAN_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def cny(text: str) -> int:
    """Read CNY as fen. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_cny, money.CNY_DECIMALS)


class Side(StrEnum):
    """The merchant's side of an order."""

    BUY = "buy"
    SELL = "sell"


NO_CAP = -1
"""What `cap` and `cny_cap` make of an empty text: the cap is removed."""


def cap(text: str) -> int:
    """Read a count of at least 1, or NO_CAP. Raises: typer.BadParameter."""
    if not text:
        return NO_CAP
    if not (text.isascii() and text.isdigit() and len(text) <= _COUNT_DIGITS_MAX and int(text)):
        raise typer.BadParameter(f"{text!r} is no whole number from 1 on")
    return int(text)


def cny_cap(text: str) -> int:
    """Read CNY as fen, or NO_CAP. Raises: typer.BadParameter."""
    return cny(text) if text else NO_CAP


def usdt(text: str) -> int:
    """Read USDT as micro-USDT. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_usdt, money.USDT_DECIMALS)


def rate(text: str) -> int:
    """Read a CNY-per-USDT rate as 1/10 000. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_rate, money.RATE_DECIMALS)


@dataclass(frozen=True, slots=True)
class PointInTime:
    """A time in Unix microseconds, or a span in microseconds back from now."""

    us: int
    is_ago: bool = False

    def at_us(self, now_us: int) -> int:
        """Give it in Unix microseconds."""
        return now_us - self.us if self.is_ago else self.us


def point_in_time(text: str) -> PointInTime:
    """Read Unix seconds, an ISO 8601 date or time (UTC where no zone is), or a span such as 24h.

    Raises: typer.BadParameter.
    """
    span = _SPAN.match(text)
    if span is not None:
        seconds = int(span["count"]) * _SPAN_SECONDS[span["unit"]]
        return PointInTime(seconds * US_PER_SECOND, is_ago=True)
    try:
        if text.isascii() and text.isdigit():
            moment = datetime.fromtimestamp(int(text), UTC)
        else:
            moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise typer.BadParameter(
            f"{text!r} is no ISO date or time, no Unix seconds and no span such as 24h or 7d"
        ) from None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since_epoch = zoned - datetime.fromtimestamp(0, UTC)
    return PointInTime(
        (since_epoch.days * 86_400 + since_epoch.seconds) * US_PER_SECOND + since_epoch.microseconds
    )


def remark(text: str) -> str:
    """Read a text that the trail must tell: one line, not empty. Raises: typer.BadParameter."""
    problems = [problem.problem for problem in required_text_problems("", text)]
    if problems:
        raise typer.BadParameter(", ".join(problems))
    return text


def _fixed(text: str, parse: Callable[[str], int], decimals: int) -> int:
    try:
        return parse(text)
    except money.TooManyDecimals:
        raise typer.BadParameter(f"{text!r} has more than {decimals} decimals") from None
    except money.TooLarge:
        raise typer.BadParameter(f"{text!r} is too large") from None
    except money.NotAnAmount:
        raise typer.BadParameter(f"{text!r} is no plain decimal number") from None


TIME_FORMS = "ISO date or time (UTC), or a span back from now: 24h, 7d."
MerchantId = Annotated[str, typer.Argument(metavar="ID", help="Merchant id.", show_default=False)]
TraderId = Annotated[str, typer.Argument(metavar="ID", help="Trader id.", show_default=False)]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; kept in the audit trail.")]
RequiredReason = Annotated[
    str,
    typer.Option("--reason", parser=remark, metavar="TEXT", help="Why; kept in the audit trail."),
]
