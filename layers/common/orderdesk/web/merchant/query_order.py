"""The parameter of queryOrder and the moves: exactly one number (contract section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.services.orders.look_up import NumberKind
from orderdesk.web.merchant.parameters import MAX_TEXT_LENGTH, MISSING, NOT_TEXT, present

ORDER_NUMBER: tuple[NumberKind, ...] = ("merchant_order_no", "order_no")
ANY_NUMBER: tuple[NumberKind, ...] = (*ORDER_NUMBER, "pending_no")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The number to look up and its kind, or what is wrong with it."""

    kind: NumberKind | None
    number: str
    problems: tuple[FieldProblem, ...] = ()


def read_query(
    params: Mapping[str, JsonValue], names: tuple[NumberKind, ...] = ANY_NUMBER
) -> ParsedQuery:
    """Parse the one number; none, several, or one that is not text are problems."""
    sent = present(params)
    given = [name for name in names if name in sent]
    if not given:
        wrong = tuple(FieldProblem(name, f"{MISSING}: send one of them") for name in names)
        return ParsedQuery(None, "", wrong)
    wrong = tuple(
        FieldProblem(name, text)
        for name in given
        if (text := _problem(sent[name], alone=len(given) == 1)) is not None
    )
    if wrong:
        return ParsedQuery(None, "", wrong)
    return ParsedQuery(given[0], cast("str", sent[given[0]]))


def _problem(value: JsonValue, *, alone: bool) -> str | None:
    if not isinstance(value, str):
        return NOT_TEXT
    if len(value) > MAX_TEXT_LENGTH:
        return f"at most {MAX_TEXT_LENGTH} characters"
    return None if alone else "send only one of them"
