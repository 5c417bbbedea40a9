"""listOrders' parameters (contract section 4)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.listing import DEFAULT_LIMIT, MAX_LIMIT, OrderFilter
from orderdesk.web.merchant.parameters import NOT_INTEGER, integer, present

_ID_BYTES = 7  # 53 bits


@dataclass(slots=True)
class ParsedListing:
    """The filter, limit and start of listOrders, or what is wrong with them."""

    wanted: OrderFilter = field(default_factory=OrderFilter)
    limit: int = DEFAULT_LIMIT
    before_id: int | None = None
    problems: list[FieldProblem] = field(default_factory=list)


def read_listing(params: Mapping[str, JsonValue]) -> ParsedListing:
    """Parse the filters, the limit and the cursor, and find every bad field at once."""
    sent, problems = present(params), list[FieldProblem]()
    statuses = _statuses(sent.get("status"), problems)
    order_type = _one_of(sent, "order_type", tuple(OrderType), problems)
    is_test = _one_of(sent, "is_test", (0, 1), problems)
    start, end = (_time(sent, name, problems) for name in ("start_time", "end_time"))
    limit = _one_of(sent, "limit", tuple(range(1, MAX_LIMIT + 1)), problems)
    before_id = _cursor_id(sent.get("cursor"), problems)
    wanted = OrderFilter(
        statuses=statuses,
        order_type=None if order_type is None else OrderType(order_type),
        mode=None if is_test is None else Mode.of(is_test),
        start_time=start,
        end_time=end,
    )
    return ParsedListing(wanted, limit or DEFAULT_LIMIT, before_id, problems)


def cursor_of(before_id: int) -> str:
    """Write the id where a page ends as a cursor, which merchants need not understand."""
    return base64.urlsafe_b64encode(before_id.to_bytes(_ID_BYTES)).rstrip(b"=").decode()


def _cursor_id(value: JsonValue, problems: list[FieldProblem]) -> int | None:
    if value is None:
        return None
    try:
        raw = base64.b64decode(f"{value}==".encode("ascii"), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raw = b""
    if not isinstance(value, str) or len(raw) != _ID_BYTES:
        problems.append(FieldProblem("cursor", "must be a cursor of an earlier answer"))
        return None
    return int.from_bytes(raw)


def _statuses(value: JsonValue, problems: list[FieldProblem]) -> frozenset[OrderStatus] | None:
    if value is None:
        return None
    names = value.split(",") if isinstance(value, str) else [""]
    known = set(OrderStatus)
    if not {name.strip() for name in names} <= known:
        problems.append(FieldProblem("status", "must be a comma list of order statuses"))
        return None
    return frozenset(OrderStatus(name.strip()) for name in names)


def _one_of(
    sent: Mapping[str, JsonValue],
    name: str,
    allowed: tuple[int, ...],
    problems: list[FieldProblem],
) -> int | None:
    if name not in sent:
        return None
    number = integer(sent[name])
    if number in allowed:
        return number
    problems.append(FieldProblem(name, f"must be {allowed[0]} to {allowed[-1]}"))
    return None


def _time(sent: Mapping[str, JsonValue], name: str, problems: list[FieldProblem]) -> int | None:
    if name not in sent:
        return None
    number = integer(sent[name])
    if number is None:
        problems.append(FieldProblem(name, NOT_INTEGER))
    return number
