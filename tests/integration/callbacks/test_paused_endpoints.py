"""Paused endpoints: their items, what waits for them, and the sweep."""

from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore, endpoint_item
from orderdesk.adapters.dynamodb.marshal import Value, to_item
from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.endpoints import (
    DELIVERIES_TO_PAUSE,
    FAILURES_TO_PAUSE,
    Endpoint,
    EndpointId,
    EndpointState,
)
from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.pricing import Mode
from tests.support.callback_functions import CallbackWorld
from tests.support.deliveries import EVENT, NOW_MS, REFUSED, TAKEN
from tests.support.world import World

ORIGIN = "https://shop.example.com"


@pytest.fixture
def store(world: World) -> EndpointStore:
    return EndpointStore(world.client, "Callbacks", 90)


def place(callbacks: CallbackWorld, origin: str = ORIGIN, mode: Mode = Mode.LIVE) -> EndpointId:
    return EndpointId(callbacks.merchant.merchant_id, mode, origin)


def fail_until_paused(callbacks: CallbackWorld) -> list[str]:
    """Fail deliveries until their endpoint is paused; return their webhook_ids."""
    events = [callbacks.event(f"B{n}") for n in range(DELIVERIES_TO_PAUSE)]
    callbacks.post.script = [REFUSED]
    callbacks.put(*events)
    callbacks.deliver()
    for _ in range(FAILURES_TO_PAUSE):
        callbacks.pass_time(seconds=40)
        for event in events:
            if callbacks.delivery(event.webhook_id).waits is None:
                callbacks.put_again(event)
        callbacks.deliver()
    return [event.webhook_id for event in events]


def test_a_state_is_read_as_it_was_written(callbacks: CallbackWorld, store: EndpointStore) -> None:
    id_ = place(callbacks)
    failing = Endpoint(id_, version=1, failures=3, webhook_ids=("a", "b"), first_ms=5_000)
    store.save(failing)
    store.save(failing)
    assert store.endpoint(id_) == failing
    with pytest.raises(ChangedMeanwhile):
        store.save(replace(failing, failures=4))
    assert (list(store.due(10**15)), store.paused(id_.merchant_id, Mode.LIVE, 9)) == ([], [])
    paused = Endpoint(id_, version=2, since_ms=NOW_MS, probes=2, probe_ms=NOW_MS + 9)
    store.save(paused)
    assert list(store.due(NOW_MS + 9)) == [paused]
    assert list(store.due(NOW_MS + 8)) == []
    assert store.paused(id_.merchant_id, Mode.LIVE, 9) == [paused]
    assert store.paused(id_.merchant_id, Mode.TEST, 9) == []
    draining = Endpoint(id_, version=3, resumed_ms=NOW_MS)
    store.save(draining)
    assert (list(store.due(NOW_MS)), store.paused(id_.merchant_id, Mode.LIVE, 9)) == (
        [draining],
        [],
    )
    with pytest.raises(ChangedMeanwhile):
        store.remove(paused)
    store.remove(draining)
    store.remove(draining)
    assert store.endpoint(id_) is None


def test_a_pause_and_its_event_are_one_write(
    callbacks: CallbackWorld, store: EndpointStore
) -> None:
    id_, event = place(callbacks), opened(replace(EVENT, webhook_id="msg_1"))
    paused = Endpoint(id_, version=1, since_ms=NOW_MS)
    store.save(paused, event)
    stored, unseen = (opened(replace(EVENT, webhook_id=id_)) for id_ in ("msg_2", "msg_3"))
    callbacks.put_record(stored)
    for endpoint, other in ((replace(paused, version=2), stored), (paused, unseen)):
        with pytest.raises(ChangedMeanwhile):
            store.save(endpoint, other)
    assert store.endpoint(id_) == paused
    assert callbacks.delivery("msg_1") == event
    assert callbacks.store.delivery("msg_3") is None


def test_paused_probed_and_drained(callbacks: CallbackWorld, store: EndpointStore) -> None:
    ids = fail_until_paused(callbacks)
    paused = store.endpoint(place(callbacks))
    assert paused is not None
    assert paused.state is EndpointState.PAUSED
    late = callbacks.event("B99")
    callbacks.put(late)
    callbacks.deliver()
    assert callbacks.delivery(late.webhook_id).waits is not None
    callbacks.post.script = [TAKEN]
    callbacks.pass_time(seconds=700)
    sent = len(callbacks.post.sent)
    callbacks.sweep()
    callbacks.deliver()
    assert len(callbacks.post.sent) > sent
    for _ in range(3):
        callbacks.pass_time(seconds=200)
        callbacks.sweep()
        callbacks.deliver()
    states = {callbacks.delivery(each).state for each in (*ids, late.webhook_id)}
    assert states == {DeliveryState.DELIVERED}
    callbacks.sweep()
    assert store.endpoint(place(callbacks)) is None
    assert all("due_key" not in row for row in callbacks.world.items("Callbacks"))


def test_malformed_endpoints_stop_no_other(
    callbacks: CallbackWorld, store: EndpointStore, caplog: pytest.LogCaptureFixture
) -> None:
    ids = fail_until_paused(callbacks)
    spoiled: list[dict[str, Value]] = [
        {"webhook_id": "endpoint#no-endpoint"},
        {"probes": None},
        {"probe_ms": "late"},
        {"webhook_ids": 5},
    ]
    for number, changes in enumerate(spoiled):
        broken = Endpoint(place(callbacks, f"https://{number}.example"), version=1, since_ms=NOW_MS)
        item = {**endpoint_item(broken), "due_ms": 1, **changes}
        callbacks.world.client.put_item(TableName="Callbacks", Item=to_item(item))
    merchant_id = callbacks.merchant.merchant_id
    assert [each.id for each in store.paused(merchant_id, Mode.LIVE, 9)] == [place(callbacks)]
    callbacks.post.script = [TAKEN]
    caplog.clear()
    for _ in range(3):
        callbacks.pass_time(seconds=700)
        callbacks.sweep()
        callbacks.deliver()
    assert {callbacks.delivery(each).state for each in ids} == {DeliveryState.DELIVERED}
    reported = [record.getMessage() for record in caplog.records].count("unexpected")
    assert reported == 3 * len(spoiled)


def test_merchants_and_operators_see_what_is_paused(
    callbacks: CallbackWorld, store: EndpointStore
) -> None:
    merchant, client = callbacks.world.add_merchant()
    for mode in Mode:
        id_ = EndpointId(merchant.merchant_id, mode, f"https://{mode}.example.com")
        store.save(Endpoint(id_, version=1, since_ms=NOW_MS, probe_ms=NOW_MS))
    listed = client.post("/merchant/listCallbacks", {}).data
    since = NOW_MS // 1000
    assert listed["paused"] == [
        {"origin": "https://live.example.com", "since": since},
        {"origin": "https://test.example.com", "since": since},
    ]
    assert listed["callbacks"] == []


def test_what_waits_is_read_from_the_time_at_which_it_is_due(
    callbacks: CallbackWorld, store: EndpointStore
) -> None:
    waiting = fail_until_paused(callbacks)
    due = {each: callbacks.delivery(each).due_ms or 0 for each in waiting}
    first = min(due.values())
    at_once = {each for each in due if due[each] == first}
    assert set(store.waiting(place(callbacks), first, 100)) == at_once
    assert store.waiting(place(callbacks), first - 1, 100) == []
