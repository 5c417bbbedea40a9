"""Values on the command line: amounts and rates as integers, times as Unix microseconds."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

import typer

from orderdesk.domain import money
from orderdesk.domain.audit import US_PER_SECOND
from orderdesk.domain.operators import required_text_problems


def cny(text: str) -> int:
    """Read CNY as fen. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_cny, money.CNY_DECIMALS)


def usdt(text: str) -> int:
    """Read USDT as micro-USDT. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_usdt, money.USDT_DECIMALS)


def rate(text: str) -> int:
    """Read a CNY-per-USDT rate as 1/10 000. Raises: typer.BadParameter."""
    return _fixed(text, money.parse_rate, money.RATE_DECIMALS)


def point_in_time(text: str) -> int:
    """Read Unix seconds or an ISO 8601 date or time as Unix microseconds; UTC where no zone is.

    Raises: typer.BadParameter.
    """
    try:
        if text.isascii() and text.isdigit():
            moment = datetime.fromtimestamp(int(text), UTC)
        else:
            moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        raise typer.BadParameter(f"{text!r} is neither Unix seconds nor an ISO date") from None
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since_epoch = zoned - datetime.fromtimestamp(0, UTC)
    return (
        since_epoch.days * 86_400 + since_epoch.seconds
    ) * US_PER_SECOND + since_epoch.microseconds


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


MerchantId = Annotated[str, typer.Argument(metavar="ID", help="Merchant id.", show_default=False)]
TraderId = Annotated[str, typer.Argument(metavar="ID", help="Trader id.", show_default=False)]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; kept in the audit trail.")]
RequiredReason = Annotated[
    str,
    typer.Option("--reason", parser=remark, metavar="TEXT", help="Why; kept in the audit trail."),
]
