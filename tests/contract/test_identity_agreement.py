"""createOrder with an identity agreement (specification, identity verification rules)."""

import time
from typing import Any

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.identities import identity
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed

FAILS, UNAVAILABLE = "13800000000", "13800009999"


def test_a_buy_with_a_verified_customer_is_created(agreed: MerchantClient) -> None:
    reply = agreed.create(buy(**identity()))
    assert (reply.code, reply.data["result_status"]) == (1, "success")


def test_a_sell_with_a_verified_customer_is_created(agreed: MerchantClient) -> None:
    assert agreed.create(sell(**identity())).data["status"] == "matching"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {**identity(), "mobile": None},
        {**identity(), "id_card": "1"},
        {**identity(), "id_card": 5},
        {**identity(), "customer_name": ["x"]},
        {**identity(), "customer_name": "x" * 300},
        identity(mobile=FAILS),
        identity(mobile=UNAVAILABLE),
    ],
)
def test_a_buy_without_a_verified_customer_is_held_as_a_draft(
    seed: Seed, agreed: MerchantClient, fields: dict[str, Any]
) -> None:
    before = int(time.time())
    reply = agreed.create(buy(merchant_order_no="I-1", **fields))
    assert (reply.status, reply.code) == (200, 1)
    data = reply.data
    assert set(data) == {"result_status", "pending_no", "identity_url", "expire_time"}
    assert data["result_status"] == "pending_identity"
    assert data["pending_no"].startswith("D" + time.strftime("%Y%m%d", time.gmtime()))
    assert f"/identity/{data['pending_no']}/" in data["identity_url"]
    assert before <= data["expire_time"] - 7200 <= time.time()
    draft = agreed.query(pending_no=data["pending_no"]).data
    assert draft == {
        "pending_no": data["pending_no"],
        "merchant_order_no": "I-1",
        "status": "held",
        "expire_time": data["expire_time"],
        "identity_url": data["identity_url"],
    }
    assert agreed.query(merchant_order_no="I-1").data == draft
    again = agreed.create(buy(merchant_order_no="I-1", **identity()))
    assert (again.code, again.data["pending_no"]) == (2001, data["pending_no"])


def test_a_draft_holds_no_trader(seed: Seed, agreed: MerchantClient) -> None:
    trader = seed.only_trader()
    agreed.create(buy())
    assert seed.trader(trader.trader_id) == trader


def test_without_a_trader_there_is_no_draft(seed: Seed, agreed: MerchantClient) -> None:
    seed.clear_rotation()
    assert agreed.create(buy(merchant_order_no="I-2")).code == 2101
    assert agreed.query(merchant_order_no="I-2").code == 2002


@pytest.mark.parametrize("fields", [{}, {"mobile": FAILS[:-1] + "1"}, identity(mobile=FAILS)])
def test_a_sell_without_a_verified_customer_is_refused(
    agreed: MerchantClient, fields: dict[str, str]
) -> None:
    reply = agreed.create(sell(merchant_order_no="I-3", **fields))
    assert (reply.status, reply.code) == (422, 2201)
    assert reply.data == {"reason": "identity_verification_failed"}
    assert agreed.query(merchant_order_no="I-3").code == 2002


def test_a_sell_is_retryable_while_the_provider_is_unavailable(agreed: MerchantClient) -> None:
    reply = agreed.create(sell(merchant_order_no="I-4", **identity(mobile=UNAVAILABLE)))
    assert (reply.status, reply.code) == (503, 2202)
    assert reply.data == {"reason": "identity_provider_unavailable"}
    assert agreed.create(sell(merchant_order_no="I-4", **identity())).code == 1


def test_a_sells_malformed_identity_is_a_parameter_error(agreed: MerchantClient) -> None:
    reply = agreed.create(sell(**{**identity(), "id_card": "1"}))
    assert (reply.code, reply.data["fields"][0]["field"]) == (1002, "id_card")


def test_the_test_route_asks_for_no_identity(seed: Seed, agreed: MerchantClient) -> None:
    seed.add_trader(mode=Mode.TEST)
    assert agreed.create(buy(), route="test").data["result_status"] == "success"


def test_a_replay_reaches_no_provider(agreed: MerchantClient) -> None:
    params = agreed.signed("/merchant/createOrder", buy(**identity(mobile=FAILS)))
    assert agreed.post_as_is("/merchant/createOrder", params).code == 1
    assert agreed.post_as_is("/merchant/createOrder", params).code == 1104


def test_a_draft_past_its_life_frees_its_number(seed: Seed, agreed: MerchantClient) -> None:
    pending_no = agreed.create(buy(merchant_order_no="I-5")).data["pending_no"]
    seed.age_draft(pending_no, "I-5", seconds=7200)
    data = agreed.query(pending_no=pending_no).data
    assert data["status"] == "expired"
    assert "identity_url" not in data
    assert agreed.create(buy(merchant_order_no="I-5", **identity())).code == 1
