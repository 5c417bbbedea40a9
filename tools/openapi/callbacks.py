"""The callbacks: one webhook for each type, with a body from the relay's function."""

import json
from dataclasses import replace
from typing import Any

from orderdesk.domain.callbacks.events import CallbackType, Subject
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import OrderStatus, OrderSums, PayPage, Undone
from orderdesk.domain.pricing import OrderType
from tools.openapi import answers
from tools.openapi.samples import (
    DISABLED_EVENT,
    DRAFT,
    NOTICE_EVENT,
    TEST_EVENT,
    annotated,
    changed,
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

# The changes that cause callbacks: before, after.
_CHANGES: tuple[tuple[Subject | None, Subject], ...] = (
    (None, replace(_BUY, pending_no=DRAFT.pending_no)),
    (_BUY, order(OrderType.BUY, OrderStatus.PAID)),
    (_SELL, replace(order(OrderType.SELL, OrderStatus.ASSIGNED), undone=_REFUND)),
    (_BUY, annotated(order(OrderType.BUY, OrderStatus.COMPLETED))),
    (_BUY, order(OrderType.BUY, OrderStatus.CANCELLED)),
    (_BUY, replace(_STOPPED, sums=OrderSums(1000_00), pay_page=PayPage(payee_stopped_at=1))),
    (order(OrderType.BUY, OrderStatus.COMPLETED), replace(reversed_buy(), undone=_UNDONE)),
    (
        _BUY,
        replace(order(OrderType.BUY, OrderStatus.DISPUTED), sums=OrderSums(reported_fen=900_00)),
    ),
    (DRAFT, draft(DraftStatus.LOCKED)),
    (DRAFT, draft(DraftStatus.EXPIRED)),
)
_OF_CHANGES = [changed(before, after) for before, after in _CHANGES]
_EVENTS = {each.type: each for each in (TEST_EVENT, DISABLED_EVENT, NOTICE_EVENT, *_OF_CHANGES)}
_CLAIMED = changed(order(OrderType.SELL, OrderStatus.CANCELLED), claimed_sell())
"""A second order.reversed, which has the claim's fields."""


def _subject(kind: CallbackType) -> str:
    """Return the name of the schema of a type's data: OrderEvent, DraftEvent or EndpointEvent."""
    return f"{kind.value.partition('.')[0].capitalize()}Event"


def schemas() -> dict[str, Schema]:
    """Return the schemas of the callbacks' bodies."""
    bodies = {kind: json.loads(_EVENTS[kind].body) for kind in CallbackType}
    datas: dict[str, list[Any]] = {name: [] for name in sorted(map(_subject, bodies))}
    for kind, body in [*bodies.items(), (_CLAIMED.type, json.loads(_CLAIMED.body))]:
        datas[_subject(kind)].append(body["data"])
    found = {name: answers.of_view(name, *each) for name, each in datas.items()}
    for kind, body in bodies.items():
        own = {"type": answers.constant(kind.value), "data": answers.ref(_subject(kind))}
        found[name_of(kind)] = described("Event", answers.of_view("Event", body, **own))
    return found


def name_of(kind: CallbackType) -> str:
    """Return the name of a type's schema: OrderPaid for `order.paid`."""
    return "".join(word.capitalize() for word in kind.value.split("."))


def webhooks() -> dict[str, Schema]:
    """Return one webhook for each type."""
    return {kind.value: {"post": _operation(kind)} for kind in CallbackType}


def _operation(kind: CallbackType) -> Schema:
    event = _EVENTS[kind]
    parsed = json.loads(event.body)
    timestamp = parsed["timestamp"] + 1
    headers = {
        "webhook-id": event.webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(event.webhook_id, timestamp, event.body, [SECRET]),
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
