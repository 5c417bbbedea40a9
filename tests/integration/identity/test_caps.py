"""A merchant's cap on failed verifications, and the alarm when it is reached."""

import json

import pytest

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
    capsys.readouterr()
    assert sold(client, 99, "13800000001").code == 2202
    (line,) = [
        entry
        for entry in map(json.loads, capsys.readouterr().out.splitlines())
        if "capped_by" in entry
    ]
    assert (line["level"], line["capped_by"]) == ("WARNING", "merchant")
    assert line["merchant_id"] == client.api_key.split("_")[1]
    assert sold(agreed(world), 99, "13800000001").code == 1


def test_passing_customers_do_not_use_a_merchants_failures_up(world: World) -> None:
    client = agreed(world)
    codes = {sold(client, person, "13800000001").code for person in range(MOST + 2)}
    assert codes == {1}


def test_a_persons_cap_uses_no_merchants_failure_up(world: World) -> None:
    first, second = agreed(world), agreed(world)
    for number in range(5):
        assert sold(first, 1, f"1380{number:03d}0000").code == 2201
    for number in range(MOST + 1):
        assert sold(second, 1, f"1390{number:03d}0000").code == 2202
    assert sold(second, 2).code == 2201
