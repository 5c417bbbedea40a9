"""Field types of the merchants' parameters, and pydantic's errors as the contract's problems.

Values arrive as `JsonValue`s: text, `JsonNumber`, bool, lists, maps. Nothing is coerced but what
the contract allows: ints may come as digit strings, amounts as a number or a string.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from orderdesk.domain import money
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.signing import JsonNumber, JsonValue, is_absent
from orderdesk.web.common_parameters import MISSING, NOT_INTEGER, NOT_TEXT, integer

MAX_TEXT_LENGTH = 255

_TEXTS = {
    "missing": MISSING,
    "string_type": NOT_TEXT,
}


def problem(text: str) -> PydanticCustomError:
    """Make the error of a field that is wrong in one of the contract's own ways."""
    return PydanticCustomError("contract", "{text}", {"text": text})


def _int(value: JsonValue) -> int:
    number = integer(value)
    if number is None:
        raise problem(NOT_INTEGER)
    return number


def _amount_fen(value: JsonValue) -> int:
    """Read a CNY amount as fen, exactly; it is the number's own text that counts."""
    if not isinstance(value, str | JsonNumber):
        raise problem("must be a number or a decimal string")
    try:
        fen = _number_fen(value.text) if isinstance(value, JsonNumber) else money.parse_cny(value)
    except money.TooManyDecimals:
        raise problem("more than 2 decimals") from None
    except money.TooLarge:
        raise problem("too large") from None
    except money.NotAnAmount:
        raise problem("must be a positive decimal number") from None
    if fen <= 0:
        raise problem("must be greater than 0")
    return fen


def _number_fen(text: str) -> int:
    """Read a JSON number, which may carry a sign and an exponent: `1e3` is 1000.00.

    Raises: money.NotAnAmount, money.TooManyDecimals, money.TooLarge.
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise money.NotAnAmount from None
    if number.is_signed() or not number:
        raise money.NotAnAmount
    if "e" in text.lower():
        # How many decimals were written says nothing there: 100000e-4 is 10.
        number = number.normalize()
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if -exponent > money.CNY_DECIMALS:
        raise money.TooManyDecimals
    if number.adjusted() >= money.MAX_INTEGER_DIGITS:
        raise money.TooLarge
    return int(number.scaleb(money.CNY_DECIMALS))


WireInt = Annotated[int, BeforeValidator(_int)]
AmountFen = Annotated[int, BeforeValidator(_amount_fen)]
Text = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=MAX_TEXT_LENGTH)]


class Parameters(BaseModel):
    """Base of the parameter models: unknown names are ignored, inputs are never quoted."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


def present(params: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Leave out what counts as not sent (null and ""), also inside objects."""
    return {
        name: present(value) if isinstance(value, dict) else value
        for name, value in params.items()
        if not is_absent(value)
    }


def problems_of(error: ValidationError) -> list[FieldProblem]:
    """List every bad field of a pydantic error, dotted, without the values."""
    return [_problem_of(details) for details in error.errors(include_url=False)]


def _problem_of(details: ErrorDetails) -> FieldProblem:
    name = ".".join(str(part) for part in details["loc"])
    kind, context = details["type"], details.get("ctx", {})
    if kind == "contract":
        return FieldProblem(name, str(context["text"]))
    if kind == "string_too_long":
        return FieldProblem(name, f"at most {context['max_length']} characters")
    if kind in {"literal_error", "enum"}:
        return FieldProblem(name, f"must be {context['expected']}")
    return FieldProblem(name, _TEXTS.get(kind, "malformed"))
