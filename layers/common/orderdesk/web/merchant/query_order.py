"""The parameters of queryOrder and of the moves, advanceOrder's included (contract section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import ValidationError

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.services.orders.look_up import NumberKind
from orderdesk.web.merchant.parameters import (
    MISSING,
    AmountFen,
    Parameters,
    Text,
    present,
    problems_of,
)


class OrderNumber(Parameters, defer_build=True):
    """The numbers of an order, of which exactly one is sent."""

    merchant_order_no: Text | None = None
    order_no: Text | None = None


class AnyNumber(OrderNumber, defer_build=True):
    """The numbers of an order or draft, of which exactly one is sent."""

    pending_no: Text | None = None


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The number to look up and its kind, or what is wrong with it."""

    kind: NumberKind | None
    number: str
    problems: tuple[FieldProblem, ...] = ()


def read_query(
    params: Mapping[str, JsonValue], model: type[OrderNumber] = AnyNumber
) -> ParsedQuery:
    """Parse the number; none, several, or one that is not a string are problems."""
    sent = present(params)
    given = [name for name in model.model_fields if name in sent]
    if not given:
        wrong = [FieldProblem(name, f"{MISSING}: send one of them") for name in model.model_fields]
        return ParsedQuery(None, "", tuple(wrong))
    try:
        read = model.model_validate(sent)
    except ValidationError as error:
        return ParsedQuery(None, "", tuple(problems_of(error)))
    if len(given) > 1:
        wrong = [FieldProblem(name, "send only one of them") for name in given]
        return ParsedQuery(None, "", tuple(wrong))
    return ParsedQuery(cast("NumberKind", given[0]), getattr(read, given[0]))


class AdvanceOrderParameters(Parameters, defer_build=True):
    """advanceOrder's parameters beside the order's number: the new status, a different sum."""

    to: Literal["paid", "assigned", "completed", "disputed", "expired", "cancelled", "locked"]
    amount: AmountFen | None = None


@dataclass(frozen=True, slots=True)
class ParsedAdvance:
    """The order and its new status, or what is wrong with the parameters."""

    query: ParsedQuery
    to: OrderStatus | DraftStatus | None
    problems: tuple[FieldProblem, ...] = ()
    amount_fen: int | None = None


def read_advance(params: Mapping[str, JsonValue]) -> ParsedAdvance:
    """Parse the number and the status, and collect all problems."""
    query = read_query(params)
    try:
        read = AdvanceOrderParameters.model_validate(present(params))
    except ValidationError as error:
        return ParsedAdvance(query, None, (*query.problems, *problems_of(error)))
    problems = query.problems
    if read.amount is not None and read.to != "disputed":
        problems = (*problems, FieldProblem("amount", "only with to = disputed"))
    to = DraftStatus.LOCKED if read.to == "locked" else OrderStatus(read.to)
    return ParsedAdvance(query, to, problems, read.amount)
