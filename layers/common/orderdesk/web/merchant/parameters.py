"""Types of the merchants' parameters, and pydantic's errors in the contract's form.

Values arrive as `JsonValue`s: text, `JsonNumber`, bool, lists, maps. They are converted only as the
contract allows: ints may be digit strings, amounts may be numbers or strings.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from orderdesk.domain import money
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import (
    NUMBER_LENGTH_MAX,
    NUMBER_TOO_LONG,
    JsonNumber,
    JsonValue,
    is_absent,
    signable_problems,
)
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.authenticate import SignedCall
from orderdesk.web.codes import FIELDS_MAX
from orderdesk.web.http import Request

MISSING = "missing"
UNKNOWN_PARAMETER = "unknown parameter"
NOT_TEXT = "must be a string"
NOT_INTEGER = "must be an integer"
NOT_UNIX_SECONDS = "must be Unix seconds, an integer"
BAD_CURSOR = "must be a cursor of an earlier answer"
ONLY_TEST = "must be 1 with a test key"

# Long enough for a time in milliseconds, which is then refused as out of the window.
_INTEGER = re.compile(r"-?[0-9]{1,18}\Z")
_NONCE = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")


COMMON_PARAMETERS = frozenset({"api_key", "timestamp", "nonce", "signature"})


def integer(value: JsonValue) -> int | None:
    """Parse an int from a JSON number or a string of digits; None for anything else."""
    text = value.text if isinstance(value, JsonNumber) else value
    if not isinstance(text, str) or _INTEGER.match(text) is None:
        return None
    return int(text)


def read_common(
    request: Request, params: Mapping[str, JsonValue]
) -> tuple[SignedCall | None, list[FieldProblem]]:
    """Parse api_key, timestamp, nonce and signature, and check that the body can be signed.

    Return the call, or None and what is wrong.
    """
    # One more than is returned, so that the refusal can have `more`.
    problems = list(islice(signable_problems(params), FIELDS_MAX + 1))
    texts: dict[str, str] = {}
    for name in ("api_key", "nonce", "signature"):
        value = params.get(name)
        if is_absent(value):
            problems.append(FieldProblem(name, MISSING))
        elif not isinstance(value, str):
            problems.append(FieldProblem(name, NOT_TEXT))
        else:
            texts[name] = value
    if "nonce" in texts and _NONCE.match(texts["nonce"]) is None:
        problems.append(FieldProblem("nonce", "8 to 64 of [A-Za-z0-9_-]"))
    sent = params.get("timestamp")
    timestamp = integer(sent)
    if timestamp is None:
        problems.append(FieldProblem("timestamp", MISSING if is_absent(sent) else NOT_UNIX_SECONDS))
    if problems or timestamp is None:
        return None, problems
    call = SignedCall(
        method=request.method,
        path=request.route,
        source_ip=request.source_ip,
        timestamp=timestamp,
        params=params,
        **texts,
    )
    return call, []


MAX_TEXT_LENGTH = 255

# Pydantic shows a member of an enum as its repr.
_MEMBER = re.compile(r"<\w+\.\w+: ('\w+')>")
_TEXTS = {"missing": MISSING, "string_type": NOT_TEXT, "extra_forbidden": UNKNOWN_PARAMETER}


def problem(text: str) -> PydanticCustomError:
    """Return the error of a field that breaks a rule of the contract."""
    return PydanticCustomError("contract", "{text}", {"text": text})


LARGEST_INT = 10**18 - 1
ANY_INT = -LARGEST_INT, LARGEST_INT
"""What `integer` reads."""


def whole(wrong: str, first: int, last: int, value: JsonValue) -> int:
    """Parse an int of a range, both ends included; `wrong` is the problem of anything else."""
    number = integer(value)
    if number is None or not first <= number <= last:
        raise problem(wrong)
    return number


def _amount_fen(value: JsonValue) -> int:
    """Parse a CNY amount as fen, exactly, from the text of the number or string."""
    fen = _fen(value)
    if fen <= 0:
        raise problem("must be greater than 0")
    return fen


_BEYOND_FEN: int = 10 ** (money.MAX_INTEGER_DIGITS + money.CNY_DECIMALS)  # above every limit
_DISCOUNT_FEN_MAX = 100
_NO_DISCOUNT = re.compile(r"0+(\.0{1,2})?\Z")


def _discount_fen(value: JsonValue) -> int:
    """Parse a discount as fen: CNY 0.00 to 1.00."""
    text = value.text if isinstance(value, JsonNumber) else value
    if isinstance(text, str) and _NO_DISCOUNT.match(text):
        return 0
    fen = _fen(value)
    if fen > _DISCOUNT_FEN_MAX:
        raise problem("must be 0.00 to 1.00")
    return fen


def _fen(value: JsonValue) -> int:
    if not isinstance(value, str | JsonNumber):
        raise problem('must be a decimal string such as "100.50", or a number')
    text = value.text if isinstance(value, JsonNumber) else value
    if len(text) > NUMBER_LENGTH_MAX:
        raise problem(NUMBER_TOO_LONG)
    parse = money.parse_json_number if isinstance(value, JsonNumber) else money.parse_fixed
    wrong = 'must be a positive decimal number such as "100.50"'
    return exact(parse, text, money.CNY_DECIMALS, wrong, _BEYOND_FEN)


def exact(
    parse: Callable[[str, int], int],
    text: str,
    decimals: int,
    wrong: str,
    beyond: int | None = None,
) -> int:
    """Parse an amount; `wrong` is the problem of what is none, `beyond` what is too large."""
    try:
        return parse(text, decimals)
    except money.TooManyDecimals:
        raise problem(f"more than {decimals} decimals") from None
    except money.TooLarge:
        if beyond is None:
            raise problem("too large") from None
        return beyond
    except money.NotAnAmount:
        raise problem(wrong) from None


def one_of(*allowed: int) -> BeforeValidator:
    """Return a validator that accepts only these ints."""
    return BeforeValidator(partial(_one_of, allowed))


def _one_of(allowed: tuple[int, ...], value: JsonValue) -> int:
    number = integer(value)
    if number not in allowed:
        raise problem(f"must be {' or '.join(map(str, allowed))}")
    return number


def within(first: int, last: int) -> BeforeValidator:
    """Return a validator that accepts the ints of a range, both ends included."""
    return BeforeValidator(partial(whole, f"must be {first} to {last}", first, last))


def _some_of[E: StrEnum](enum: type[E], value: JsonValue) -> frozenset[E]:
    names = value.split(",") if isinstance(value, str) else [""]
    if not {name.strip() for name in names} <= set(enum):
        raise problem(f"must be one or more of these, with commas between them: {', '.join(enum)}")
    return frozenset(enum(name.strip()) for name in names)


def some_of[E: StrEnum](enum: type[E]) -> BeforeValidator:
    """Return a validator that accepts members of an enum with commas between them."""
    return BeforeValidator(partial(_some_of, enum))


WireInt = Annotated[int, BeforeValidator(partial(whole, NOT_INTEGER, *ANY_INT))]
UnixSeconds = Annotated[int, BeforeValidator(partial(whole, NOT_UNIX_SECONDS, *ANY_INT))]
AmountFen = Annotated[int, BeforeValidator(_amount_fen)]
DiscountFen = Annotated[int, BeforeValidator(_discount_fen)]
StrictText = Annotated[str, StringConstraints(strict=True)]
Text = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=MAX_TEXT_LENGTH)]


class Parameters(BaseModel):
    """Base of the parameter models: unknown names are ignored; errors never quote inputs."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    def problems(self) -> list[FieldProblem]:
        """Return what is wrong with parameters that are right on their own."""
        return []


def names_of(*models: type[Parameters]) -> frozenset[str]:
    """Return the names of all parameters of the models."""
    return frozenset(name for model in models for name in model.model_fields)


def present(params: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Return the parameters without null and "", which count as not sent, also inside objects."""
    return {
        name: present(value) if isinstance(value, dict) else value
        for name, value in params.items()
        if not is_absent(value)
    }


def parse[P: Parameters](
    model: type[P], params: Mapping[str, JsonValue]
) -> tuple[P, list[FieldProblem]]:
    """Parse a call's parameters, and collect the problems; with any, only the defaults are set."""
    try:
        asked = model.model_validate(present(params))
    except ValidationError as error:
        return cast("P", model.model_construct()), problems_of(error)
    return asked, asked.problems()


def mode_of(is_test: int | None) -> Mode | None:
    """Return the mode that the parameter `is_test` names; None if it was not sent."""
    return None if is_test is None else Mode.of(is_test)


def problems_of(error: ValidationError) -> list[FieldProblem]:
    """Return the bad fields of a pydantic error by their dotted names, without values."""
    return [_problem_of(details) for details in error.errors(include_url=False)]


def _problem_of(details: ErrorDetails) -> FieldProblem:
    name = ".".join(str(part) for part in details["loc"])
    kind, context = details["type"], details.get("ctx", {})
    if kind == "contract":
        return FieldProblem(name, str(context["text"]))
    if kind == "string_too_long":
        return FieldProblem(name, f"at most {context['max_length']} characters")
    if kind in {"literal_error", "enum"}:
        return FieldProblem(name, f"must be {_MEMBER.sub(r'\1', context['expected'])}")
    return FieldProblem(name, _TEXTS.get(kind, "malformed"))
