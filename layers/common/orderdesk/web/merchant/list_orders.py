"""listOrders' parameters (contract section 4)."""

import base64
import binascii
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
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
    mode_of,
    problem,
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

    def problems(self) -> list[FieldProblem]:
        """Return that a name or a value of metadata is alone."""
        pair = {"metadata_key": self.metadata_key, "metadata_value": self.metadata_value}
        missing = [name for name, value in pair.items() if value is None]
        return [FieldProblem(name, MISSING) for name in missing] if len(missing) == 1 else []

    @property
    def wanted(self) -> OrderFilter:
        """The filter of the listing."""
        key, value = self.metadata_key, self.metadata_value
        return OrderFilter(
            statuses=self.status,
            order_type=None if self.order_type is None else OrderType(self.order_type),
            mode=mode_of(self.is_test),
            start_time=self.start_time,
            end_time=self.end_time,
            min_fen=self.cny_amount,
            max_fen=self.cny_amount,
            metadata=None if key is None or value is None else (key, value),
        )


def order_cursor(before_id: int) -> str:
    """Return the opaque cursor of the id where a page ends."""
    return base64.urlsafe_b64encode(before_id.to_bytes(_ID_BYTES)).rstrip(b"=").decode()
