"""A merchant's cap on failed verifications, and the alarm when it is reached."""

import json
import os
import time
from dataclasses import replace
from typing import Any

import pytest
from botocore.session import Session

from orderdesk.adapters.dynamodb.failure_caps import MERCHANT_FAILURES_HARD, FailureCapStore
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.adapters.kms import KmsPseudonyms
from orderdesk.domain.identity import Identity
from orderdesk.domain.merchants.merchant import merchant_id_of
from orderdesk.domain.pricing import Mode
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck
from tests.support.identities import id_card
from tests.support.merchant_client import MerchantClient, Reply, sell
from tests.support.world import ENVIRONMENT, World

MOST = int(ENVIRONMENT["VERIFICATION_FAILURES_PER_HOUR"])
PLENTY_MICRO = 10**15


def agreed(world: World) -> MerchantClient:
    merchant, client = world.add_merchant(identity_required=True)
    world.fund(merchant, PLENTY_MICRO)
    return client


def sold(client: MerchantClient, person: int, mobile: str = "13800000000") -> Reply:
    card = id_card(f"11010120000101{person:03d}")
    identity = {"customer_name": "测试丙", "id_card": card, "mobile": mobile}
    return client.create(sell(**identity))


def test_a_merchant_has_so_many_failures_in_an_hour(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    client = agreed(world)
    assert [sold(client, person).code for person in range(MOST)] == [2201] * MOST
    guards: list[Any] = world.items(world.tables.guards)
    ends = [each["expires_at"] for each in guards if each.keys() & {"failures", "failed"}]
    assert len(ends) == 1 + MOST
    assert min(ends) > time.time(), "deleted while it counts"
    capsys.readouterr()
    assert sold(client, 0, "13800000001").code == 2202, "a repeated failure"
    (line,) = [
        entry
        for entry in map(json.loads, capsys.readouterr().out.splitlines())
        if "capped_by" in entry
    ]
    assert (line["level"], line["capped_by"]) == ("WARNING", "merchant")
    assert line["merchant_id"] == merchant_id_of(client.api_key)
    assert sold(agreed(world), 0, "13800000001").code == 1
    assert sold(client, 98).code == 2201, "a first try"
    assert sold(client, 99, "13800000001").code == 1
    assert sold(client, 99, "13800000002").code == 1, "it has not failed"


def test_a_merchants_numbers_count_without_marks_and_in_full_width(world: World) -> None:
    client, card = agreed(world), id_card()
    full_width = "".join(chr(0xFEE0 + ord(digit)) for digit in card)
    taken = {"customer_name": "测试\u3000丙", "mobile": "\u202d13800000001\u202c"}
    for number in (full_width, f"\u200b{card}"):
        assert client.create(sell(**taken, id_card=number)).code == 1
    orders = map(order_of, world.items("Orders", "order"))
    assert {order.identity and order.identity.masked_name for order in orders} == {"测**"}
    grouped = client.create(sell(**taken, id_card=f"{card[:6]} {card[6:]}"))
    assert (grouped.code, grouped.data["fields"][0]["field"]) == (1002, "id_card")


def test_failures_of_test_orders_use_up_no_live_cap(world: World) -> None:
    merchant, client = world.add_merchant(identity_required=True)
    world.fund(merchant, PLENTY_MICRO)
    world.fund(merchant, PLENTY_MICRO, Mode.TEST)
    test = {"mobile": "13800000000", "is_test": 1, "customer_name": "测试丁"}
    cards = [id_card(f"11010120000202{person:03d}") for person in range(MOST)]
    calls = [client.create(sell(**test, id_card=card)) for card in cards]
    assert {reply.code for reply in calls} == {2201}
    assert client.create(sell(**test, id_card=cards[0])).code == 2202, "a repeated failure"
    assert client.create(sell(**{**test, "is_test": 0}, id_card=cards[0])).code == 2201


def caps_of(world: World, merchant_failures_most: int) -> FailureCapStore:
    pseudonyms = KmsPseudonyms(Session(), os.environ["IDENTITY_KEY_ARN"]).pseudonym
    return FailureCapStore(
        world.client, world.tables.guards, pseudonyms, merchant_failures_most=merchant_failures_most
    )


def test_a_draft_is_tried_beyond_the_merchants_cap(world: World) -> None:
    """Its customer failed before, for another draft; each draft has one attempt."""
    caps = caps_of(world, 1)
    identity = Identity("测试丙", id_card(), "13800000000")
    other = replace(identity, mobile="13800010000")
    now = 1_900_000_000
    assert callable(caps.reserve(CustomerCheck(identity, "m1", now)))
    assert caps.reserve(CustomerCheck(other, "m1", now)) is Cap.MERCHANT
    assert callable(caps.reserve(CustomerCheck(other, "m1", now, has_draft=True)))


def test_a_repeated_failure_counts_for_the_merchant_alone(world: World) -> None:
    caps = caps_of(world, 9)
    tried = CustomerCheck(Identity("测试丙", id_card(), "13800000000"), "m1", 1_900_000_000)
    assert callable(caps.reserve(tried))
    take_back = caps.reserve(tried)
    counts = {len(i["failed"]) if "failed" in i else i["failures"] for i in items_of(world)}
    assert counts == {1, 2}
    assert callable(take_back)
    take_back()
    assert [i["failures"] for i in items_of(world) if "failures" in i] == [1]


def test_a_merchants_cap_is_of_an_hour(world: World) -> None:
    caps = caps_of(world, 1)
    first, hour = Identity("测试丙", id_card(), "13800000000"), 1_900_000_000 // 3600 * 3600
    other = replace(first, mobile="13800010000")
    assert callable(caps.reserve(CustomerCheck(first, "m1", hour)))
    assert caps.reserve(CustomerCheck(other, "m1", hour + 3599)) is Cap.MERCHANT
    assert callable(caps.reserve(CustomerCheck(other, "m1", hour + 3600)))


def items_of(world: World) -> list[Any]:
    """Return the counts of failures."""
    return [i for i in world.items("Guards") if str(i["pk"]).startswith("failures#")]


def test_beyond_the_hard_cap_nothing_is_tried(world: World) -> None:
    client = agreed(world)
    assert sold(client, 1).code == 2201
    [counter] = [i for i in world.items("Guards") if str(i["pk"]).startswith("failures#merchant")]
    world.put("Guards", {**counter, "failures": MERCHANT_FAILURES_HARD})
    assert sold(client, 2, "13800000001").code == 2202
