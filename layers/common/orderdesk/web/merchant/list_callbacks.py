"""The parameters of listCallbacks, redeliverCallback and testCallback (contract section 4)."""

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.callbacks.delivery import DeliveryState, delivery_key
from orderdesk.domain.callbacks.events import PLACE, CallbackType
from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.services.callbacks.merchant import DeliveryFilter
from orderdesk.services.ports import DEFAULT_LIMIT, MAX_LIMIT
from orderdesk.web.merchant.parameters import (
    BAD_CURSOR,
    Parameters,
    Text,
    UnixSeconds,
    parse,
    problem,
    some_of,
    within,
)

NO_ADDRESS = "is required: there is no default address"


def _place(value: JsonValue) -> str:
    text = value if isinstance(value, str) else ""
    padded = text + "=" * (-len(text) % 4)
    try:
        place = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (ValueError, binascii.Error):
        place = ""
    if PLACE.fullmatch(place) is None:
        raise problem(BAD_CURSOR)
    return place


class ListEventsParameters(Parameters, defer_build=True):
    """listEvents' parameters beside the number, which is optional too."""

    type: Annotated[frozenset[CallbackType], some_of(CallbackType)] | None = None
    start_time: UnixSeconds | None = None
    end_time: UnixSeconds | None = None
    limit: Annotated[int, within(1, MAX_LIMIT)] = DEFAULT_LIMIT
    cursor: Annotated[str, BeforeValidator(_place)] | None = None

    @property
    def wanted(self) -> DeliveryFilter:
        """The filter: of an event only the first of its deliveries."""
        return DeliveryFilter(None, self.type, self.start_time, self.end_time, only_first=True)


class ListCallbacksParameters(ListEventsParameters, defer_build=True):
    """listCallbacks' parameters beside the number, which is optional too."""

    status: Annotated[frozenset[DeliveryState], some_of(DeliveryState)] | None = None

    @property
    def wanted(self) -> DeliveryFilter:
        """The filter."""
        return DeliveryFilter(self.status, self.type, self.start_time, self.end_time)


class RedeliverParameters(Parameters, defer_build=True):
    """redeliverCallback's parameters: the callback to send again."""

    webhook_id: Text
    endpoint_id: Text | None = None

    @property
    def delivery_key(self) -> str:
        """The key of the delivery."""
        return delivery_key(self.webhook_id, self.endpoint_id or "")


class TestCallbackParameters(Parameters, defer_build=True):
    """testCallback's parameters: the endpoint, by default the merchant's address."""

    callback_url: Text | None = None


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
    return None if place is None else base64.urlsafe_b64encode(place.encode()).rstrip(b"=").decode()
