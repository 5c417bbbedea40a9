"""advanceOrder's parameters (contract section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.web.merchant.parameters import Parameters, present, problems_of
from orderdesk.web.merchant.query_order import OrderNumber, ParsedQuery, read_query


class AdvanceOrderParameters(Parameters, defer_build=True):
    """advanceOrder's parameter beside the order's number: the new status."""

    to: Literal["paid", "assigned", "completed", "disputed", "expired", "cancelled"]


@dataclass(frozen=True, slots=True)
class ParsedAdvance:
    """The order and its new status, or what is wrong with the parameters."""

    query: ParsedQuery
    to: OrderStatus | None
    problems: tuple[FieldProblem, ...] = ()


def read_advance(params: Mapping[str, JsonValue]) -> ParsedAdvance:
    """Parse the number and the status, and collect all problems."""
    query = read_query(params, OrderNumber)
    try:
        read = AdvanceOrderParameters.model_validate(present(params))
    except ValidationError as error:
        return ParsedAdvance(query, None, (*query.problems, *problems_of(error)))
    return ParsedAdvance(query, OrderStatus(read.to), query.problems)
