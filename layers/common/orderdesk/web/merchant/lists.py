"""Parameters of lists and of sending callbacks, and the cursors of lists (contract section 4).

A statement's cursor contains the balances up to its place, so that no page sums the history again.
It is authenticated, so that a merchant cannot change these balances.
"""

import base64
import binascii
import hmac
import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator

from orderdesk.domain.accounts import TransferKind
from orderdesk.domain.callbacks.delivery import DeliveryState, delivery_key
from orderdesk.domain.callbacks.events import PLACE, CallbackType
from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import STATEMENT_CURSOR, base64url, link_token
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.callbacks.merchant import DeliveryFilter
from orderdesk.services.merchants.statement import AccountPosition, Position, PostingFilter
from orderdesk.services.orders.listing import OrderFilter
from orderdesk.services.ports import DEFAULT_LIMIT, MAX_LIMIT
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.merchant import parameters as wire
from orderdesk.web.merchant.parameters import Parameters, parse, problem

_ID_BYTES = 7  # 53 bits


def _cursor_id(value: JsonValue) -> int:
    try:
        raw = base64.b64decode(f"{value}==".encode("ascii"), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raw = b""
    if not isinstance(value, str) or len(raw) != _ID_BYTES:
        raise problem(wire.BAD_CURSOR)
    return int.from_bytes(raw)


class ListOrdersParameters(Parameters, defer_build=True):
    """listOrders' parameters; every one is optional."""

    status: Annotated[frozenset[OrderStatus], wire.some_of(OrderStatus)] | None = None
    order_type: Annotated[int, wire.within(min(OrderType), max(OrderType))] | None = None
    is_test: Annotated[int, wire.within(0, 1)] | None = None
    start_time: wire.UnixSeconds | None = None
    end_time: wire.UnixSeconds | None = None
    merchant_order_no: wire.Text | None = None
    cny_amount: wire.AmountFen | None = None
    metadata_key: wire.Text | None = None
    metadata_value: wire.StrictText | None = None
    limit: Annotated[int, wire.within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[int, BeforeValidator(_cursor_id)] | None = None

    def problems(self) -> list[FieldProblem]:
        """Return that a name or a value of metadata is alone."""
        pair = {"metadata_key": self.metadata_key, "metadata_value": self.metadata_value}
        missing = [name for name, value in pair.items() if value is None]
        return [FieldProblem(name, wire.MISSING) for name in missing] if len(missing) == 1 else []

    @property
    def wanted(self) -> OrderFilter:
        """The filter of the listing."""
        key, value = self.metadata_key, self.metadata_value
        return OrderFilter(
            statuses=self.status,
            order_type=None if self.order_type is None else OrderType(self.order_type),
            mode=wire.mode_of(self.is_test),
            start_time=self.start_time,
            end_time=self.end_time,
            min_fen=self.cny_amount,
            max_fen=self.cny_amount,
            metadata=None if key is None or value is None else (key, value),
        )


def order_cursor(before_id: int) -> str:
    """Return the opaque cursor of the id where a page ends."""
    return base64url(before_id.to_bytes(_ID_BYTES))


NO_ADDRESS = "is required: there is no default address"


def _place(value: JsonValue) -> str:
    text = value if isinstance(value, str) else ""
    padded = text + "=" * (-len(text) % 4)
    try:
        place = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (ValueError, binascii.Error):
        place = ""
    if PLACE.fullmatch(place) is None:
        raise problem(wire.BAD_CURSOR)
    return place


class ListEventsParameters(Parameters, defer_build=True):
    """listEvents' parameters beside the number, which is optional too."""

    type: Annotated[frozenset[CallbackType], wire.some_of(CallbackType)] | None = None
    start_time: wire.UnixSeconds | None = None
    end_time: wire.UnixSeconds | None = None
    limit: Annotated[int, wire.within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[str, BeforeValidator(_place)] | None = None

    @property
    def wanted(self) -> DeliveryFilter:
        """The filter: of an event only the first of its deliveries."""
        return DeliveryFilter(None, self.type, self.start_time, self.end_time, only_first=True)


class ListCallbacksParameters(ListEventsParameters, defer_build=True):
    """listCallbacks' parameters beside the number, which is optional too."""

    status: Annotated[frozenset[DeliveryState], wire.some_of(DeliveryState)] | None = None

    @property
    def wanted(self) -> DeliveryFilter:
        """The filter."""
        return DeliveryFilter(self.status, self.type, self.start_time, self.end_time)


class RedeliverParameters(Parameters, defer_build=True):
    """redeliverCallback's parameters: the callback to send again."""

    webhook_id: wire.Text
    endpoint_id: wire.Text | None = None

    @property
    def delivery_key(self) -> str:
        """The key of the delivery."""
        return delivery_key(self.webhook_id, self.endpoint_id or "")


class TestCallbackParameters(Parameters, defer_build=True):
    """testCallback's parameters: the endpoint, by default the merchant's address."""

    callback_url: wire.Text | None = None


def read_test(
    params: Mapping[str, JsonValue], *, allow_loopback: bool
) -> tuple[str | None, list[FieldProblem]]:
    """Parse the address, and collect its problems."""
    asked, problems = parse(TestCallbackParameters, params)
    url = asked.callback_url
    wrong = None if url is None else callback_url_problem(url, allow_loopback=allow_loopback)
    return url, problems if wrong is None else [FieldProblem("callback_url", wrong)]


def callbacks_cursor(place: str | None) -> str | None:
    """Return the opaque cursor of a place; None after the last page."""
    return None if place is None else base64url(place.encode())


_WITHDRAWALS_CURSOR = re.compile(r"w[0-9]{16}\Z")


def _cursor_us(value: JsonValue) -> int:
    if not isinstance(value, str) or _WITHDRAWALS_CURSOR.match(value) is None:
        raise problem(wire.BAD_CURSOR)
    return int(value[1:])


class StatementParameters(Parameters, defer_build=True):
    """statement's parameters; every one is optional."""

    is_test: Annotated[int, wire.within(0, 1)] | None = None
    start_time: wire.UnixSeconds | None = None
    end_time: wire.UnixSeconds | None = None
    order_no: wire.Text | None = None
    kind: Literal["funding", "settlement", "withdrawal", "release", "reversal"] | None = None
    limit: Annotated[int, wire.within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: wire.StrictText | None = None

    @property
    def wanted(self) -> PostingFilter | None:
        """Which of the postings are listed; None for all."""
        if self.order_no is None and self.kind is None:
            return None
        kind = None if self.kind is None else TransferKind(self.kind)
        return PostingFilter(self.order_no or "", kind)


class ListWithdrawalsParameters(Parameters, defer_build=True):
    """listWithdrawals' parameters; `cursor` is the time of the last one that was listed."""

    is_test: Annotated[int, wire.within(0, 1)] | None = None
    limit: Annotated[int, wire.within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[int, BeforeValidator(_cursor_us)] | None = None


def withdrawals_cursor(before_us: int | None) -> str | None:
    """Return the opaque cursor of a time; None after the last page."""
    return None if before_us is None else f"w{before_us:016d}"


def cursor_of(position: Position, mode: Mode, secret: bytes) -> str:
    """Return a position as a signed cursor; `secret` is the merchant's own."""
    reached = {name: [each.place, each.balance_micro] for name, each in position.reached.items()}
    text = json.dumps([mode.value, reached, sorted(position.listed)], separators=(",", ":"))
    sealed = base64url(text.encode())
    return f"{sealed}.{link_token(secret, STATEMENT_CURSOR, sealed)}"


def position_of(
    cursor: str, mode: Mode, secret: bytes, *, field: str = "cursor", mode_field: str = "is_test"
) -> Position:
    """Read a cursor of this merchant and mode, which came in the parameter `field`.

    Raises: InvalidParameters.
    """
    sealed, _, tag = cursor.partition(".")
    expected = link_token(secret, STATEMENT_CURSOR, sealed)
    if not hmac.compare_digest(tag.encode(), expected.encode()):
        raise InvalidParameters([FieldProblem(field, wire.BAD_CURSOR)])
    of_mode, reached, listed = json.loads(base64.urlsafe_b64decode(sealed + "=="))
    if of_mode != mode.value:
        raise InvalidParameters([FieldProblem(field, f"must be of the same {mode_field}")])
    return Position(
        {name: AccountPosition(*each) for name, each in reached.items()}, frozenset(listed)
    )
