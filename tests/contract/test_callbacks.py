"""listCallbacks, redeliverCallback and testCallback (contract sections 4 and 7)."""

import pytest

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.domain.callbacks.delivery import DeliveryState, KeptAttempt
from orderdesk.services.callbacks.merchant import ATTEMPTS_A_PAGE, REDELIVERIES_OF_ONE, TESTS
from tests.support.deliveries import KEPT_REFUSED, KEPT_UNREACHED, keep_delivery
from tests.support.merchant_client import Reply, buy
from tests.support.seed import Seed

LIST, AGAIN = "/merchant/listCallbacks", "/merchant/redeliverCallback"
TEST = "/merchant/testCallback"


def ids(reply: Reply) -> list[str]:
    assert reply.code == 1, reply
    return [each["webhook_id"] for each in reply.data["callbacks"]]


def test_a_delivery_with_every_attempt(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    kept = keep_delivery(seed, merchant, next_ms=1_763_700_030_999)
    (shown,) = client.post(LIST, {}).data["callbacks"]
    assert shown == {
        "webhook_id": kept.event.webhook_id,
        "type": "order.paid",
        "order_no": kept.event.number,
        "pending_no": None,
        "status": "dead",
        "attempts": [
            {
                "time": 1_763_700_000,
                "http_status": KEPT_REFUSED.status,
                "latency_ms": 34,
                "failure": None,
                "answer": "no",
            },
            {
                "time": 1_763_700_005,
                "http_status": None,
                "latency_ms": 10_000,
                "failure": KEPT_UNREACHED.failure,
                "answer": "",
            },
        ],
        "next_time": 1_763_700_030,
    }


def test_a_merchants_own_newest_first_in_pages(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    stranger, _ = seed.add_merchant()
    keep_delivery(seed, stranger, timestamp=1_763_700_007)
    times = [1_763_700_000 + number // 2 for number in range(7)]
    kept = [keep_delivery(seed, merchant, timestamp=time) for time in times]
    newest = [e.key for e in sorted(kept, key=lambda e: e.place, reverse=True)]
    assert ids(client.post(LIST, {})) == newest
    seen, cursor = list[str](), None
    while True:
        reply = client.post(LIST, {"limit": 3, "cursor": cursor})
        seen += ids(reply)
        cursor = reply.data["cursor"]
        if cursor is None:
            break
    assert seen == newest


@pytest.mark.parametrize("name", ["order_no", "merchant_order_no"])
def test_those_of_one_order(seed: Seed, name: str) -> None:
    seed.only_trader()
    merchant, client = seed.add_merchant()
    made = client.create(buy(merchant_order_no="C-1")).data
    keep_delivery(seed, merchant)
    for sequence in (2, 3, 11):
        keep_delivery(seed, merchant, made["order_no"], sequence=sequence)
    newest = [f"msg_{made['order_no']}_{sequence}" for sequence in (11, 3, 2)]
    asked = {name: made[name]}
    assert ids(client.post(LIST, asked)) == newest
    first = client.post(LIST, {**asked, "limit": 2})
    assert ids(first) == newest[:2]
    rest = client.post(LIST, {**asked, "limit": 2, "cursor": first.data["cursor"]})
    assert (ids(rest), rest.data["cursor"]) == (newest[2:], None)


def test_malformed_records_are_left_out(seed: Seed) -> None:
    """A page that has only such records is not the end of the list."""
    seed.only_trader()
    merchant, client = seed.add_merchant()
    made = client.create(buy()).data
    kept = [keep_delivery(seed, merchant, made["order_no"], sequence=n).event for n in range(2, 7)]
    spoiled: tuple[Item, ...] = ({"state": "dying"}, {"body": b"-"}, {"attempts": None})
    for event, changes in zip(kept[2:], spoiled, strict=True):
        key: Item = {"webhook_id": event.webhook_id}
        item = seed.get(seed.tables.callbacks, key)
        assert item is not None
        seed.put(seed.tables.callbacks, {**item, **changes})
    whole = [event.webhook_id for event in kept[1::-1]]
    for asked in ({}, {"order_no": made["order_no"]}):
        assert ids(client.post(LIST, asked)) == whole
        first = client.post(LIST, {**asked, "limit": 1})
        assert ids(first) == whole[:1]
        assert ids(client.post(LIST, {**asked, "cursor": first.data["cursor"]})) == whole[1:]


def test_those_of_a_draft(seed: Seed) -> None:
    seed.only_trader()
    merchant, client = seed.add_merchant(identity_required=True)
    held = client.create(buy()).data["pending_no"]
    keep_delivery(seed, merchant, held)
    (shown,) = client.post(LIST, {"pending_no": held}).data["callbacks"]
    assert (shown["order_no"], shown["pending_no"]) == (None, held)


def test_a_page_of_many_attempts_is_short(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    attempt = KeptAttempt(1_763_700_000_000, 500, 1, None, "")
    for _ in range(3):
        keep_delivery(seed, merchant, attempts=(attempt,) * ATTEMPTS_A_PAGE)
    first = client.post(LIST, {})
    assert len(ids(first)) == 1
    assert first.data["cursor"] is not None


@pytest.mark.parametrize("state", DeliveryState)
def test_a_callback_is_sent_again_under_its_id(seed: Seed, state: DeliveryState) -> None:
    merchant, client = seed.add_merchant()
    kept = keep_delivery(seed, merchant, state=state)
    reply = client.post(AGAIN, {"webhook_id": kept.event.webhook_id})
    assert (reply.code, reply.data["status"]) == (1, "pending")
    assert reply.data["webhook_id"] == kept.event.webhook_id
    assert len(reply.data["attempts"]) == 2
    after = CallbackStore(seed.client, seed.tables.callbacks, 90).delivery(kept.event.webhook_id)
    assert after is not None
    assert (after.event, after.round) == (kept.event, 1)


def test_another_merchants_callback_is_not_found(seed: Seed) -> None:
    merchant, _ = seed.add_merchant()
    _, other = seed.add_merchant()
    kept = keep_delivery(seed, merchant)
    seed.put(seed.tables.callbacks, {"webhook_id": f"lanes#{merchant.merchant_id}", "a": 1})
    for webhook_id in (
        kept.event.webhook_id,
        "msg_B1_2",
        "lanes#m1",
        f"lanes#{merchant.merchant_id}",
    ):
        reply = other.post(AGAIN, {"webhook_id": webhook_id})
        assert (reply.status, reply.code) == (404, 2002)
    after = CallbackStore(seed.client, seed.tables.callbacks, 90).delivery(kept.event.webhook_id)
    assert after == kept


def test_redelivering_is_bounded(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    asked = {"webhook_id": keep_delivery(seed, merchant).event.webhook_id}
    most = REDELIVERIES_OF_ONE.most
    replies = [client.post(AGAIN, asked) for _ in range(2 * most + 1)]  # in one window, or in two
    refused = [reply for reply in replies if reply.code != 1]
    assert most <= len(replies) - len(refused) <= 2 * most
    assert {reply.code for reply in refused} == {1201}
    assert all(int(reply.headers["retry-after"]) > 0 for reply in refused)
    other = {"webhook_id": keep_delivery(seed, merchant).event.webhook_id}
    assert client.post(AGAIN, other).code == 1


def test_a_test_is_recorded_before_it_is_sent(seed: Seed) -> None:
    merchant, client = seed.add_merchant(callback_url="https://shop.example.com/")
    shown = client.post(TEST, {}).data
    assert shown | {"webhook_id": ""} == {
        "webhook_id": "",
        "type": "endpoint.test",
        "order_no": None,
        "pending_no": None,
        "status": "pending",
        "attempts": [],
        "next_time": None,
    }
    kept = seed.get(seed.tables.callbacks, {"webhook_id": shown["webhook_id"]})
    assert kept is not None
    assert kept["merchant_id"] == merchant.merchant_id
    assert shown["webhook_id"] in ids(client.post(LIST, {}))


def test_a_test_needs_an_address(seed: Seed) -> None:
    _, client = seed.add_merchant(callback_url="")
    refused = client.post(TEST, {})
    assert (refused.code, [each["field"] for each in refused.data["fields"]]) == (
        1002,
        ["callback_url"],
    )
    assert client.post(TEST, {"callback_url": "https://shop.example.com/"}).code == 1


def test_tests_are_bounded(seed: Seed) -> None:
    """A minute may begin in between, so one more minute's tests may pass."""
    _, client = seed.add_merchant(callback_url="https://shop.example.com/", max_rps=200)
    replies = [client.post(TEST, {}) for _ in range(2 * TESTS.most + 1)]
    refused = [reply for reply in replies if reply.code != 1]
    assert TESTS.most <= len(replies) - len(refused) <= 2 * TESTS.most
    assert {(reply.code, reply.status) for reply in refused} == {(1201, 429)}
    assert all(1 <= int(reply.headers["retry-after"]) <= 60 for reply in refused)
