"""The types of contract section 7, for every row of section 6."""

import json

import pytest

from orderdesk.domain.callbacks.events import (
    CallbackEvent,
    CallbackReference,
    CallbackType,
    UnreadableMessage,
    callback_event,
)
from orderdesk.web.merchant.views import callback_data
from tests.support.order_walks import NOW, Step, draft_steps, moves, other_changes

# Status after a move -> type, as the contract lists them. A return to `matching` has no event.
TOLD = {
    "paid": "order.paid",
    "assigned": "order.assigned",
    "completed": "order.completed",
    "cancelled": "order.cancelled",
    "expired": "order.expired",
    "disputed": "order.disputed",
    "matching": None,
}
OTHERS = {
    "new buy": None,
    "new sell": None,
    "new from a draft": "order.created",
    "receipt": None,
    "reversed": "order.reversed",
    "draft held": None,
    "draft asked": None,
    "draft given back": None,
    "draft verified": None,
    "draft locked": "draft.locked",
    "draft expired": "draft.expired",
    "draft completed": None,
}
MOVES = {step.name: step for step in moves()}
CHANGES = {step.name: step for step in (*draft_steps(), *other_changes())}


def event_of(step: Step) -> CallbackEvent | None:
    return callback_event(step.before, step.after, callback_data)


def told(step: Step) -> str | None:
    event = event_of(step)
    return None if event is None else event.type.value


@pytest.mark.parametrize("name", MOVES)
def test_every_move(name: str) -> None:
    step = MOVES[name]
    assert told(step) == TOLD[step.after.status.value]


@pytest.mark.parametrize("name", OTHERS)
def test_everything_else(name: str) -> None:
    assert told(CHANGES[name]) == OTHERS[name]


def test_nothing_else_can_happen() -> None:
    assert {step.after.status.value for step in MOVES.values()} == TOLD.keys()
    assert len(MOVES) >= 20
    assert CHANGES.keys() == OTHERS.keys()
    types = {told(step) for step in (*MOVES.values(), *CHANGES.values())}
    of_endpoints = {kind.value for kind in CallbackType if kind.is_of_account}
    assert types - {None} == {kind.value for kind in CallbackType} - of_endpoints


@pytest.mark.parametrize("step", [*MOVES.values(), *CHANGES.values()], ids=lambda step: step.name)
def test_what_an_event_says(step: Step) -> None:
    event = event_of(step)
    if event is None:
        return
    after = step.after
    assert event.webhook_id == f"msg_{event.number}_{after.sequence}"
    assert (event.merchant_id, event.sequence) == (after.merchant_id, after.sequence)
    assert event.number in {getattr(after, "order_no", None), getattr(after, "pending_no", None)}
    assert event.timestamp == NOW
    assert event.callback_url == after.given.callback_url
    body = json.loads(event.body)
    assert (body["type"], body["timestamp"]) == (event.type.value, NOW)
    assert body["data"]["status"] == after.status.value
    assert body["data"]["sequence"] == event.sequence


def test_the_same_image_again_is_no_event() -> None:
    (paid,) = (step for name, step in MOVES.items() if name.endswith("pay paid"))
    assert callback_event(paid.after, paid.after, callback_data) is None


WHOLE = {"webhook_id": "msg_1", "merchant_id": "m1", "round": 1, "turn": 2, "visits": 3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"webhook_id": None},
        {"merchant_id": 1},
        {"round": "2"},
        {"turn": 1.5},
        {"visits": "private"},
    ],
    ids=str,
)
def test_what_is_no_reference_is_refused_and_not_quoted(wrong: dict[str, object]) -> None:
    with pytest.raises(UnreadableMessage) as refused:
        CallbackReference.from_json(json.dumps({**WHOLE, **wrong}))
    assert (str(refused.value), refused.value.__cause__) == ("", None)


@pytest.mark.parametrize("text", ["", "[]", "1", "null", '"private"', "{", "{}"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(UnreadableMessage):
        CallbackReference.from_json(text)
