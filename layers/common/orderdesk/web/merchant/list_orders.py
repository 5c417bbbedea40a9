"""listOrders' parameters (contract section 4)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, ValidationError

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.listing import OrderFilter
from orderdesk.services.ports import DEFAULT_LIMIT, MAX_LIMIT
from orderdesk.web.merchant.parameters import (
    BAD_CURSOR,
    MISSING,
    AmountFen,
    Parameters,
    StrictText,
    Text,
    UnixSeconds,
    present,
    problem,
    problems_of,
    some_of,
    within,
)

_ID_BYTES = 7  # 53 bits


def _cursor_id(value: JsonValue) -> int:
    try:
        raw = base64.b64decode(f"{value}==".encode("ascii"), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raw = b""
    if not isinstance(value, str) or len(raw) != _ID_BYTES:
        raise problem(BAD_CURSOR)
    return int.from_bytes(raw)


class ListOrdersParameters(Parameters, defer_build=True):
    """listOrders' parameters; every one is optional."""

    status: Annotated[frozenset[OrderStatus], some_of(OrderStatus)] | None = None
    order_type: Annotated[int, within(min(OrderType), max(OrderType))] | None = None
    is_test: Annotated[int, within(0, 1)] | None = None
    start_time: UnixSeconds | None = None
    end_time: UnixSeconds | None = None
    merchant_order_no: Text | None = None
    cny_amount: AmountFen | None = None
    metadata_key: Text | None = None
    metadata_value: StrictText | None = None
    limit: Annotated[int, within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[int, BeforeValidator(_cursor_id)] | None = None


@dataclass(frozen=True, slots=True)
class ParsedListing:
    """The filter, limit and start of a listing, or what is wrong with the parameters."""

    wanted: OrderFilter = field(default_factory=OrderFilter)
    merchant_order_no: str | None = None
    limit: int = DEFAULT_LIMIT
    before_id: int | None = None
    problems: tuple[FieldProblem, ...] = ()


def read_listing(params: Mapping[str, JsonValue]) -> ParsedListing:
    """Parse the filters, the limit and the cursor, and collect all problems."""
    try:
        read = ListOrdersParameters.model_validate(present(params))
    except ValidationError as error:
        return ParsedListing(problems=tuple(problems_of(error)))
    pair = {"metadata_key": read.metadata_key, "metadata_value": read.metadata_value}
    missing = [name for name, value in pair.items() if value is None]
    alone = [FieldProblem(name, MISSING) for name in missing] if len(missing) == 1 else []
    wanted = OrderFilter(
        statuses=read.status,
        order_type=None if read.order_type is None else OrderType(read.order_type),
        mode=None if read.is_test is None else Mode.of(read.is_test),
        start_time=read.start_time,
        end_time=read.end_time,
        cny_fen=read.cny_amount,
        metadata=_pair(read.metadata_key, read.metadata_value),
    )
    return ParsedListing(wanted, read.merchant_order_no, read.limit, read.cursor, tuple(alone))


def _pair(name: str | None, value: str | None) -> tuple[str, str] | None:
    return None if name is None or value is None else (name, value)


def order_cursor(before_id: int) -> str:
    """Return the opaque cursor of the id where a page ends."""
    return base64.urlsafe_b64encode(before_id.to_bytes(_ID_BYTES)).rstrip(b"=").decode()
