"""The parameters of listCallbacks, redeliverCallback and testCallback (contract section 4)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, ValidationError

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
    present,
    problem,
    problems_of,
    some_of,
    within,
)
from orderdesk.web.merchant.query_order import AnyNumber, OrderNumber, ParsedQuery, read_query

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


class ListCallbacksParameters(ListEventsParameters, defer_build=True):
    """listCallbacks' parameters beside the number, which is optional too."""

    status: Annotated[frozenset[DeliveryState], some_of(DeliveryState)] | None = None


class RedeliverParameters(Parameters, defer_build=True):
    """redeliverCallback's parameters: the callback to send again."""

    webhook_id: Text
    endpoint_id: Text | None = None


class TestCallbackParameters(Parameters, defer_build=True):
    """testCallback's parameters: the endpoint, by default the merchant's address."""

    callback_url: Text | None = None


@dataclass(frozen=True, slots=True)
class ParsedCallbacks:
    """The requested deliveries, or what is wrong; `query` is None for those of all orders."""

    query: ParsedQuery | None = None
    limit: int = DEFAULT_LIMIT
    place: str | None = None
    wanted: DeliveryFilter = field(default_factory=DeliveryFilter)
    problems: tuple[FieldProblem, ...] = ()


def read_callbacks(
    params: Mapping[str, JsonValue],
    model: type[ListEventsParameters] = ListCallbacksParameters,
    numbers: type[OrderNumber] = AnyNumber,
    *,
    only_first: bool = False,
) -> ParsedCallbacks:
    """Parse the number, if any, and the other parameters, and collect all problems."""
    sent = present(params)
    has_number = any(name in sent for name in numbers.model_fields)
    query = read_query(params, numbers) if has_number else None
    wrong = query.problems if query is not None else ()
    try:
        read = model.model_validate(sent)
    except ValidationError as error:
        return ParsedCallbacks(problems=(*wrong, *problems_of(error)))
    states = read.status if isinstance(read, ListCallbacksParameters) else None
    wanted = DeliveryFilter(states, read.type, read.start_time, read.end_time, only_first)
    return ParsedCallbacks(query, read.limit, read.cursor, wanted, wrong)


def read_redelivery(params: Mapping[str, JsonValue]) -> tuple[str, tuple[FieldProblem, ...]]:
    """Parse the key of a delivery, and collect the problems."""
    try:
        read = RedeliverParameters.model_validate(present(params))
        return delivery_key(read.webhook_id, read.endpoint_id or ""), ()
    except ValidationError as error:
        return "", tuple(problems_of(error))


def read_test(
    params: Mapping[str, JsonValue], *, allow_loopback: bool
) -> tuple[str | None, tuple[FieldProblem, ...]]:
    """Parse the address, and collect its problems."""
    try:
        url = TestCallbackParameters.model_validate(present(params)).callback_url
    except ValidationError as error:
        return None, tuple(problems_of(error))
    wrong = None if url is None else callback_url_problem(url, allow_loopback=allow_loopback)
    return url, () if wrong is None else (FieldProblem("callback_url", wrong),)


def callbacks_cursor(place: str) -> str:
    """Return the opaque cursor of a place."""
    return base64.urlsafe_b64encode(place.encode()).rstrip(b"=").decode()
