"""The callbacks: one webhook for each type, with a body from the relay's function."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from orderdesk.domain.callbacks.events import CallbackType, Subject, callback_event
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import OrderStatus, OrderSums, PayPage, Undone
from orderdesk.domain.pricing import OrderType
from orderdesk.web.merchant import views
from tools.openapi import answers
from tools.openapi.samples import (
    DISABLED_EVENT,
    DRAFT,
    NOTICE_EVENT,
    TEST_EVENT,
    annotated,
    claimed_sell,
    draft,
    order,
    refunded_buy,
    reversed_buy,
)
from tools.openapi.texts import Schema, described, labelled, texts

SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSBleGFtcGxlcw=="
_BUY, _SELL = order(OrderType.BUY), order(OrderType.SELL)
_STOPPED = order(OrderType.BUY, OrderStatus.EXPIRED)
_REFUND = Undone(refund_of=_BUY.order_no)
_UNDONE = replace(reversed_buy().undone, refunds=refunded_buy().undone.refunds)

# The change that causes each type: before, after.
_CHANGES: Mapping[CallbackType, tuple[Subject | None, Subject]] = {
    CallbackType.ORDER_CREATED: (None, replace(_BUY, pending_no=DRAFT.pending_no)),
    CallbackType.ORDER_PAID: (_BUY, order(OrderType.BUY, OrderStatus.PAID)),
    CallbackType.ORDER_ASSIGNED: (
        _SELL,
        replace(order(OrderType.SELL, OrderStatus.ASSIGNED), undone=_REFUND),
    ),
    CallbackType.ORDER_COMPLETED: (_BUY, annotated(order(OrderType.BUY, OrderStatus.COMPLETED))),
    CallbackType.ORDER_CANCELLED: (_BUY, order(OrderType.BUY, OrderStatus.CANCELLED)),
    CallbackType.ORDER_EXPIRED: (
        _BUY,
        replace(_STOPPED, sums=OrderSums(1000_00), pay_page=PayPage(payee_stopped_at=1)),
    ),
    CallbackType.ORDER_REVERSED: (
        order(OrderType.BUY, OrderStatus.COMPLETED),
        replace(reversed_buy(), undone=_UNDONE),
    ),
    CallbackType.ORDER_DISPUTED: (
        _BUY,
        replace(order(OrderType.BUY, OrderStatus.DISPUTED), sums=OrderSums(reported_fen=900_00)),
    ),
    CallbackType.DRAFT_LOCKED: (DRAFT, draft(DraftStatus.LOCKED)),
    CallbackType.DRAFT_EXPIRED: (DRAFT, draft(DraftStatus.EXPIRED)),
}


_OF_ENDPOINTS = {event.type: event for event in (TEST_EVENT, DISABLED_EVENT, NOTICE_EVENT)}


def _sent(kind: CallbackType) -> tuple[str, str]:
    """Return the webhook-id and the body of a type's example."""
    event = _OF_ENDPOINTS.get(kind) or callback_event(*_CHANGES[kind], views.callback_data)
    assert event is not None
    assert event.type is kind
    return event.webhook_id, event.body


def _data(name: str, kinds: Iterable[CallbackType]) -> Iterator[Mapping[str, Any]]:
    """Yield data of a subject's types that have together all of its fields."""
    for kind in kinds:
        yield json.loads(_sent(kind)[1])["data"]
    if name == "OrderEvent":
        cancelled = order(OrderType.SELL, OrderStatus.CANCELLED)
        event = callback_event(cancelled, claimed_sell(), views.callback_data)
        assert event is not None
        yield json.loads(event.body)["data"]


def _subject(kind: CallbackType) -> str:
    """Return the name of the schema of a type's data: OrderEvent, DraftEvent or EndpointEvent."""
    return f"{kind.value.partition('.')[0].capitalize()}Event"


def schemas() -> dict[str, Schema]:
    """Return the schemas of the callbacks' bodies."""
    kinds = groupby(sorted(CallbackType, key=_subject), _subject)
    found = {name: answers.of_view(name, *_data(name, members)) for name, members in kinds}
    for kind in CallbackType:
        data = answers.ref(_subject(kind))
        body = json.loads(_sent(kind)[1])
        event = answers.of_view("Event", body, type=answers.constant(kind.value), data=data)
        found[name_of(kind)] = described("Event", event)
    return found


def name_of(kind: CallbackType) -> str:
    """Return the name of a type's schema: OrderPaid for `order.paid`."""
    return "".join(word.capitalize() for word in kind.value.split("."))


def webhooks() -> dict[str, Schema]:
    """Return one webhook for each type."""
    return {kind.value: {"post": _operation(kind)} for kind in CallbackType}


def _operation(kind: CallbackType) -> Schema:
    webhook_id, body = _sent(kind)
    parsed = json.loads(body)
    timestamp = parsed["timestamp"] + 1
    headers = {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(webhook_id, timestamp, body, [SECRET]),
    }
    content = {"schema": answers.ref(name_of(kind)), "examples": {"callback": {"value": parsed}}}
    return {
        "operationId": name_of(kind),
        "summary": kind.value,
        **labelled(texts()["callbacks"][kind.value]),
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "schema": {"type": "string"},
                "example": value,
            }
            for name, value in headers.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "2XX": {"description": "Accepted. After any other answer the callback is retried."}
        },
    }
