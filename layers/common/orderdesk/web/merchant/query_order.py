"""The parameters of queryOrder and of the moves, advanceOrder's included (contract section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.services.orders.look_up import NumberKind
from orderdesk.web.merchant.parameters import MISSING, AmountFen, Parameters, Text, parse, present


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
    read, wrong = parse(model, sent)
    if len(given) > 1 and not wrong:
        wrong = [FieldProblem(name, "send only one of them") for name in given]
    if wrong:
        return ParsedQuery(None, "", tuple(wrong))
    return ParsedQuery(cast("NumberKind", given[0]), getattr(read, given[0]))


class AdvanceOrderParameters(Parameters, defer_build=True):
    """advanceOrder's parameters beside the order's number: the new status, a different sum."""

    to: Literal["paid", "assigned", "completed", "disputed", "expired", "cancelled", "locked"]
    amount: AmountFen | None = None

    def problems(self) -> list[FieldProblem]:
        """Return that a different sum is only reported with a dispute."""
        is_alone = self.amount is not None and self.to != "disputed"
        return [FieldProblem("amount", "only with to = disputed")] if is_alone else []

    @property
    def status(self) -> OrderStatus | DraftStatus:
        """The new status of the order or draft."""
        return DraftStatus.LOCKED if self.to == "locked" else OrderStatus(self.to)
