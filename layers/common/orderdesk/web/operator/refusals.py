"""The refusals of the operators' API, and the codes that merchants do not have."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from orderdesk.domain.errors import Refusal
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.operators import OperatorRefusal, UnacceptableTerms
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.matching import Misfit
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.moves import command_of
from orderdesk.services.operator.orders import find_order
from orderdesk.services.ports import Orders
from orderdesk.web.codes import CODES, UNKNOWN_ROUTE, Code, InvalidParameters, code_of


class NotAnOperator(OperatorRefusal, reason="not_an_operator"):
    """AWS allows the request, but its identity names no person."""

    def __init__(self) -> None:
        super().__init__(
            "your AWS identity names no person: call as an IAM user, or as a role that the stack's "
            "parameter OperatorRolePatterns lists"
        )


class UnknownCommand(OperatorRefusal, reason=UNKNOWN_ROUTE):
    """The path is not exactly a command's."""

    def __init__(self) -> None:
        super().__init__("no such command: the path is / or /solo/ and the command's exact name")


OPERATOR_CODES: Mapping[str, Code] = MappingProxyType(
    {
        "not_found": Code(2002, 404, "there is no such thing", "对象不存在"),
        "state_conflict": Code(
            2003, 409, "the present state does not allow this", "当前状态不允许此操作"
        ),
        "insufficient_balance": Code(
            2102, 409, "the USDT balance is insufficient", "USDT 余额不足"
        ),
        "second_person_needed": Code(
            2301, 403, "another person has to decide this", "需要另一位操作员处理"
        ),
        "idempotency_conflict": Code(
            2302,
            409,
            "the idempotency key was used with other parameters",
            "该幂等键已用于其他参数",
        ),
        "not_an_operator": Code(
            2303, 403, "the AWS identity names no person", "该 AWS 身份不对应任何人员"
        ),
        "invalid_parameter": CODES["invalid_parameter"],
        UNKNOWN_ROUTE: CODES[UNKNOWN_ROUTE],
    }
)


def data_of(refusal: Refusal) -> dict[str, object]:
    """Return the envelope's `data` of a refusal."""
    data = {"reason": refusal.reason, **refusal.data}
    if isinstance(refusal, UnacceptableTerms):
        data |= InvalidParameters(refusal.problems).data
    return data


def operator_code_of(refusal: Refusal) -> Code:
    """Return the code of a refusal; an operator's own ones have other texts than a merchant's."""
    is_own = isinstance(refusal, OperatorRefusal)
    return OPERATOR_CODES[refusal.reason] if is_own else code_of(refusal)


def order_to_move(orders: Orders, number: str, now: int) -> Order:
    """Find an order (`now` in Unix seconds). Raises: UnknownId, OperatorRefusal for a draft."""
    found = find_order(orders, number)
    if isinstance(found, Draft):
        raise OperatorRefusal(draft_text(found, now), status=found.status_at(now).value)
    return found


@contextmanager
def moving(orders: Orders, number: str, now: int) -> Iterator[Order]:
    """Find an order (`now` in Unix seconds); a conflict with its status says what is possible.

    Raises: UnknownId, OperatorRefusal.
    """
    order = order_to_move(orders, number, now)
    try:
        yield order
    except StateConflict as error:
        status = OrderStatus(error.status)
        raise OperatorRefusal(conflict_text(order, status), status=error.status) from None


def conflict_text(order: Order, status: OrderStatus) -> str:
    """Return an order's status and the moves that an operator can make from there."""
    possible = [
        " ".join([command.replace(".", " "), *parameters.values()])
        for row in TRANSITIONS
        if row.is_of(order) and status in row.sources and Actor.OPERATOR in row.actors
        for command, parameters in [command_of(row.move)]
    ]
    is_its = status is OrderStatus.ASSIGNED and order.status is status
    whose = f" to trader {order.trader_id}" if is_its else ""
    which = f"possible now: {', '.join(possible)}" if possible else "operators cannot move it now"
    return f"{order.order_type.name.lower()} {order.order_no} is {status.value}{whose}; {which}"


def draft_text(draft: Draft, now: int) -> str:
    """Return that a draft is no order, and which order it became (`now` in Unix seconds)."""
    status = draft.status_at(now).value
    became = f"; its order is {draft.order_no}" if draft.order_no else ""
    return f"{draft.pending_no} is a draft ({status}), not an order{became}"


def misfit_text(misfits: Sequence[str], trader: Trader, order: Order, now: int) -> str:
    """Return every rule that excludes a trader from an order (`now` in Unix seconds)."""
    reasons = "; ".join(_misfit_words(Misfit(name), trader, order, now) for name in misfits)
    return f"trader {trader.trader_id} cannot take {order.order_no}: {reasons}"


def _misfit_words(misfit: Misfit, trader: Trader, order: Order, now: int) -> str:  # noqa: PLR0911
    this_is = f"this is {format_cny(order.quote.cny_fen)}"
    match misfit:
        case Misfit.MODE:
            return f"a {order.mode.value} order goes to a {order.mode.value} trader only"
        case Misfit.SUSPENDED:
            return "it is suspended (`trader online` lifts that)"
        case Misfit.METHOD:
            return f"it has no {order.payment_method.method_type.value} method"
        case Misfit.RANGE:
            smallest, largest = format_cny(trader.smallest_fen), format_cny(trader.largest_fen)
            return f"it takes {smallest} to {largest} CNY, {this_is}"
        case Misfit.BALANCE:
            return f"it has {format_usdt(trader.counts.available_micro)} USDT available"
        case Misfit.OPEN_ORDERS:
            return f"it has {trader.counts.open_orders} open orders of {trader.most_open} allowed"
        case Misfit.DAILY_CAP:
            used = format_cny(trader.used_on(trading_day(now)))
            cap = format_cny(trader.most_a_day_fen or 0)
            return f"it has used {used} of its {cap} CNY a day, {this_is}"
