"""Types of the commands' parameters (contract section 11).

Money and rates are strings, times are Unix seconds. null counts as not sent.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from orderdesk.domain import money
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.web.merchant.parameters import (
    BAD_CURSOR,
    NOT_TEXT,
    UnixSeconds,
    WireInt,
    exact,
    problem,
    within,
)

PAGE_MAX = 100


def told(text: str, default: object = ..., **schema: Any) -> Any:
    """Return a field with its description; `schema` is what its use case checks later."""
    return Field(default, description=text, json_schema_extra=schema or None)


_KEY = r"^[A-Za-z0-9_-]{1,64}$"
_TYPES = {each.name.lower(): each for each in OrderType}


class CommandParameters(BaseModel):
    """Base of the parameters of a command; an unknown name is an error."""

    # Validators are built on first use, because a container serves few of the commands.
    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True
    )


class WriteParameters(CommandParameters):
    """Base of the parameters of a command that writes."""

    idempotency_key: Annotated[str, StringConstraints(strict=True, pattern=_KEY)] | None = None


class NoParameters(CommandParameters):
    """A command without parameters."""


def _fixed(decimals: int, value: JsonValue) -> int:
    if not isinstance(value, str):
        raise problem(NOT_TEXT)
    return exact(money.parse_fixed, value, decimals, "must be a plain decimal number")


def _flag(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, JsonNumber) and value.text in {"0", "1"}:
        return value.text == "1"
    raise problem("must be true or false")


def _order_type(value: JsonValue) -> OrderType:
    if isinstance(value, str) and value in _TYPES:
        return _TYPES[value]
    raise problem("must be buy or sell")


def or_word[T](
    word: str, meaning: T, parse: Callable[[JsonValue], int]
) -> Callable[[JsonValue], int | T]:
    """Return a parser that also accepts a word, which means another value."""
    return lambda value: meaning if value == word else parse(value)


def decimal_text(decimals: int, instead: str | None = None) -> WithJsonSchema:
    """Return the schema of an amount, a JSON string; `instead` is a word that may stand for it."""
    number = rf"-?[0-9]+(\.[0-9]{{1,{decimals}}})?"
    pattern = number if instead is None else f"({number}|{instead})"
    return WithJsonSchema({"type": "string", "pattern": f"^{pattern}$"})


def count_text(least: int) -> WithJsonSchema:
    """Return the schema of a count that an empty text removes."""
    return WithJsonSchema({"anyOf": [{"type": "integer", "minimum": least}, {"const": ""}]})


cny_fen = partial(_fixed, money.CNY_DECIMALS)
usdt_micro = partial(_fixed, money.USDT_DECIMALS)
_rate_e4 = partial(_fixed, money.RATE_DECIMALS)
CnyFen = Annotated[int, BeforeValidator(cny_fen), decimal_text(money.CNY_DECIMALS)]
UsdtMicro = Annotated[int, BeforeValidator(usdt_micro), decimal_text(money.USDT_DECIMALS)]
RateE4 = Annotated[int, BeforeValidator(_rate_e4), decimal_text(money.RATE_DECIMALS)]
Flag = Annotated[bool, BeforeValidator(_flag)]
_SIDES = WithJsonSchema({"type": "string", "enum": list(_TYPES)})
Side = Annotated[OrderType, BeforeValidator(_order_type), _SIDES]
Id = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=128)]
FreeText = Annotated[str, StringConstraints(strict=True)]  # the use case checks its length
MerchantId = Annotated[Id, told("Merchant id or name.")]
TraderId = Annotated[Id, told("Trader id or name.")]
OrderNo = Annotated[Id, told("order_no or order_id.")]
Whole = WireInt  # the domain checks its range
Reason = Annotated[FreeText, told("Why; kept in the audit trail.")]
NeededReason = Annotated[FreeText, told("Why; kept in the audit trail.", minLength=1)]
"""A reason that the use case asks for."""

Memo = Annotated[FreeText, told("Why; kept in ledger and audit trail.", minLength=1)]
Seconds = Annotated[UnixSeconds, Field(json_schema_extra={"format": "unix-time"})]
_WHEN = "ISO date or time (Beijing time), or a span back from now: 24h, 7d."
Since = Annotated[Seconds, told(f"Then or later. {_WHEN}", format="unix-time")]
Until = Annotated[Seconds, told("Then or earlier.", format="unix-time")]
Limit = Annotated[int, within(1, PAGE_MAX)]
After = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=1024)]


def written_as(is_written: Callable[[str], object]) -> BeforeValidator:
    """Accept only a cursor for which this is true; the lists write no other."""

    def checked(value: JsonValue) -> str:
        if isinstance(value, str) and is_written(value):
            return value
        raise problem(BAD_CURSOR)

    return BeforeValidator(checked)


ModeName = Literal[Mode.LIVE, Mode.TEST]
