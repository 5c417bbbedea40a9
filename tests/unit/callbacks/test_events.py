"""Callbacks: the type for every row of section 6, and a body's fields (section 7)."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders.items import draft_item, draft_of, order_item, order_of
from orderdesk.domain.callbacks.events import (
    CallbackEvent,
    CallbackReference,
    CallbackType,
    Subject,
    UnreadableMessage,
    callback_event,
)
from orderdesk.domain.orders import drafts
from orderdesk.domain.orders.order import IdentityRecord, Order, OrderStatus, Receipt, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import BaseRate, FeePolicy, Mode, OrderType
from orderdesk.web.merchant.views import callback_data, queried_draft, queried_order
from tests.support.order_walks import NOW, Step, draft_steps, moves, other_changes
from tests.support.orders import held_draft, order_in
from tests.support.seed import with_changes

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


# Contract section 4's fields, without urls and payment details.
ORDER_FIELDS = {
    *("order_id", "order_no", "merchant_order_no", "order_type", "is_test", "status"),
    *("cny_amount", "rate", "usdt_amount", "merchant_amount", "deposit_amount", "service_amount"),
    *("merchant_actual_amount", "createtime", "updatetime", "expire_time", "timeline", "sequence"),
}
OWN_FIELDS = ("remark", "metadata")
DRAFT_FIELDS = {"pending_no", "merchant_order_no", "status", "expire_time", "is_test", "sequence"}
TOLD_STATUSES = sorted(set(OrderStatus) - {OrderStatus.PENDING, OrderStatus.MATCHING})

# Any text that a merchant may send; DynamoDB stores no lone surrogates.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
secrets = texts.map(lambda text: f"private-{text}")
methods = st.builds(
    PaymentMethod,
    method_type=st.sampled_from(MethodType),
    real_name=secrets,
    bank=secrets,
    sub_bank=secrets,
    card_number=secrets,
    account=secrets,
    qr_code=secrets,
)
records = st.builds(IdentityRecord, *[secrets] * 6)
entries = st.builds(
    TimelineEntry, st.sampled_from(OrderStatus), st.integers(1, 2**40), st.sampled_from(Actor)
)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Draw an order after a move, with a marker in every private field."""
    order = order_in(
        draw(st.sampled_from(OrderType)),
        draw(st.sampled_from(TOLD_STATUSES)),
        since=draw(st.integers(1, 2**40)),
        trader_id="private-trader",
        cny_fen=draw(st.integers(1, 10**11)),
        fees=FeePolicy(service_bps=60, deposit_bps=100),
        mode=draw(st.sampled_from(Mode)),
    )
    return with_changes(
        order,
        merchant_order_no=draw(st.none() | texts),
        base_rate=BaseRate(1, "private-source", 1),
        expire_time=draw(st.none() | st.integers(1, 2**40)),
        timeline=(*draw(st.lists(entries, max_size=5)), order.timeline[-1]),
        sequence=draw(st.integers(2, 99)),
        payment_method=draw(methods),
        pay_token_hash=draw(secrets),
        callback_url=draw(st.none() | secrets),
        remark=draw(st.none() | texts),
        metadata=draw(st.none() | st.dictionaries(st.just("cart"), texts, min_size=1)),
        identity=draw(records),
        receipts=(Receipt("private-key", "private-type", 1, 1),),
        pending_no="private-pending",
        passed_over=("private-trader",),
    )


@st.composite
def ended_drafts(draw: st.DrawFn) -> drafts.Draft:
    """Draw a draft after its end, with a marker in every private field."""
    held = held_draft(
        draw(st.integers(1, 2**40)),
        merchant_order_no=draw(st.none() | texts),
        mode=draw(st.sampled_from(Mode)),
        identity_token_hash=draw(secrets),
        callback_url=draw(st.none() | secrets),
        remark=draw(secrets),
        identity=draw(records),
    )
    return draw(st.sampled_from([drafts.locked, drafts.expired]))(held, held.createtime + 5)


def body_of(after: Subject) -> str:
    event = callback_event(replace(after, sequence=after.sequence - 1), after, callback_data)
    assert event is not None
    return event.body


@given(orders() | ended_drafts())
def test_nothing_private_is_in_a_body(after: Subject) -> None:
    body = body_of(with_changes(after, merchant_order_no=None, metadata=None))
    assert "private" not in body
    assert "http" not in body


@given(orders() | ended_drafts())
def test_a_body_has_exactly_the_contracts_fields(after: Subject) -> None:
    body = json.loads(body_of(after))
    data = body["data"]
    assert list(body) == ["type", "timestamp", "data"]
    own = {name for name in OWN_FIELDS if getattr(after.given, name) is not None}
    assert set(data) == (ORDER_FIELDS | own if isinstance(after, Order) else DRAFT_FIELDS)
    assert data["merchant_order_no"] == after.merchant_order_no
    assert (data["is_test"], data["sequence"]) == (after.mode.is_test, after.sequence)
    assert data["status"] == after.status.value
    if isinstance(after, Order) and after.status not in {OrderStatus.PENDING, OrderStatus.ASSIGNED}:
        assert data["expire_time"] is None, "no window runs"
    for entry in data.get("timeline", ()):
        assert set(entry) == {"status", "time", "by"}
        assert entry["by"] in set(Actor)


@given(orders() | ended_drafts())
def test_a_body_is_the_same_whoever_makes_it_again(after: Subject) -> None:
    """A relay that runs again reads the same image from the stream."""
    stored: Any = (
        order_of(from_item(to_item(order_item(after))))
        if isinstance(after, Order)
        else draft_of(from_item(to_item(draft_item(after))))
    )
    assert body_of(stored) == body_of(after)
    assert body_of(after).isascii()


@given(orders())
def test_an_order_is_told_as_query_order_tells_it(after: Order) -> None:
    told = json.loads(body_of(after))["data"]
    queried = queried_order(after, "u", after.updatetime)
    assert {name: queried.get(name) for name in told if name != "sequence"} == {
        name: value for name, value in told.items() if name != "sequence"
    }
    private = {"pay_url", "payment_method", "customer_payment_method"}
    private |= {"callback_url", "return_url"}
    assert queried.keys() - told.keys() <= private


@pytest.mark.parametrize("end", [drafts.locked, drafts.expired])
def test_a_draft_is_told_as_query_order_tells_it(end: Any) -> None:
    after = end(held_draft(NOW), NOW + 9)
    told = json.loads(body_of(after))["data"]
    assert queried_draft(after, "u", NOW + 9).items() <= told.items()


def test_an_order_from_a_draft_names_it_when_it_is_created_and_not_later() -> None:
    order = replace(order_in(OrderType.BUY, OrderStatus.PENDING, since=1), pending_no="D1")
    created = callback_event(None, order, callback_data)
    assert created is not None
    assert json.loads(created.body)["data"]["pending_no"] == "D1"
    paid = replace(order, status=OrderStatus.PAID, sequence=2)
    assert "pending_no" not in callback_data(paid)


def test_a_status_is_the_changes_own_and_not_the_clocks() -> None:
    """The window of an old order is over; its event shows its creation all the same."""
    order = order_in(OrderType.BUY, OrderStatus.PENDING, since=1)
    event = callback_event(None, replace(order, pending_no="D1", expire_time=2), callback_data)
    assert event is not None
    assert json.loads(event.body)["data"]["status"] == "pending"
