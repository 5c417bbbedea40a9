"""createOrder and queryOrder: business rules and answers (contract sections 3 to 6)."""

import time

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import BANK, MerchantClient, buy, sell
from tests.support.seed import Seed

ORDER_FIELDS = {
    "order_id",
    "order_no",
    "merchant_order_no",
    "order_type",
    "is_test",
    "status",
    "cny_amount",
    "rate",
    "usdt_amount",
    "merchant_amount",
    "deposit_amount",
    "service_amount",
    "merchant_actual_amount",
    "createtime",
    "updatetime",
    "expire_time",
    "timeline",
}


def test_every_answer_wears_the_envelope_and_a_request_id(client: MerchantClient) -> None:
    before = int(time.time())
    for reply in (client.create(buy()), client.create({}), client.query(order_no="B1")):
        assert list(reply.envelope) == ["code", "msg", "data", "time"]
        assert before <= reply.envelope["time"] <= time.time()
        assert len(reply.headers["x-request-id"]) >= 16
        assert reply.headers["content-type"].startswith("application/json")
        assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("accept_language", "msg"),
    [
        (None, "no such order"),
        ("en-GB,en;q=0.9", "no such order"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "订单不存在"),
        ("en;q=0.5, zh;q=0.6", "订单不存在"),
        ("zh;q=0", "no such order"),
        ("fr, *;q=0.1", "no such order"),
        (";;q==,zh;q=x", "no such order"),
    ],
)
def test_messages_are_chinese_where_zh_is_preferred(
    client: MerchantClient, accept_language: str | None, msg: str
) -> None:
    headers = {} if accept_language is None else {"accept-language": accept_language}
    reply = client.post("/merchant/queryOrder", {"order_no": "B1"}, headers)
    assert reply.envelope["msg"] == msg


@pytest.mark.parametrize("method_type", ["bank", "wechat", "alipay"])
def test_a_buy_gets_a_trader_of_the_kind_it_asks_for(
    client: MerchantClient, method_type: str
) -> None:
    method = client.create(buy(method_type=method_type)).data["payment_method"]
    assert method["method_type"] == method_type
    shown = {name for name, value in method.items() if value}
    expected = (
        {"bank", "sub_bank", "card_number"} if method_type == "bank" else {"account", "qr_code"}
    )
    assert shown == {"method_type", "real_name", *expected}


def test_no_trader(seed: Seed, client: MerchantClient) -> None:
    seed.clear_rotation()
    params = client.signed("/merchant/createOrder", buy(merchant_order_no="A-1"))
    reply = client.post_as_is("/merchant/createOrder", params)
    assert (reply.status, reply.code, reply.data) == (409, 2101, {"reason": "no_trader_available"})
    assert client.post_as_is("/merchant/createOrder", params).code == 1104
    assert client.query(merchant_order_no="A-1").code == 2002
    seed.add_trader()
    assert client.create(buy(merchant_order_no="A-1")).code == 1


def test_insufficient_balance(seed: Seed) -> None:
    _, client = seed.add_merchant()
    reply = client.create(sell(merchant_order_no="A-1"))
    assert (reply.status, reply.code) == (409, 2102)
    assert reply.data == {"reason": "insufficient_balance"}
    assert client.query(merchant_order_no="A-1").code == 2002


def test_rate_unavailable(seed: Seed, client: MerchantClient) -> None:
    too_old = int(time.time()) - 40 * 86_400
    try:
        seed.set_rates(buy_e4=72360, sell_e4=71640, set_at=too_old)
        for params in (buy(), sell()):
            reply = client.create(params)
            assert (reply.status, reply.code) == (503, 2103)
            assert reply.data == {"reason": "rate_unavailable"}
            assert int(reply.headers["retry-after"]) > 0
    finally:
        seed.set_rates(buy_e4=72360, sell_e4=71640)


@pytest.mark.parametrize("number", ["order_no", "merchant_order_no"])
def test_a_buy_is_queried(client: MerchantClient, number: str) -> None:
    created = client.create(buy(merchant_order_no="Q-1")).data
    reply = client.query(**{number: created[number]})
    data = reply.data
    assert set(data) == ORDER_FIELDS | {"payment_method", "pay_url"}
    same = ("order_no", "merchant_order_no", "status", "cny_amount", "rate", "payment_method")
    for name in (*same, "pay_url"):
        assert data[name] == created[name]
    assert (data["is_test"], data["order_type"]) == (0, 1)
    assert data["usdt_amount"] == "138.197899"
    assert data["expire_time"] == data["createtime"] + 900
    created_by = {"status": "pending", "time": data["createtime"], "by": "merchant"}
    assert data["timeline"] == [created_by]
    assert data["updatetime"] == data["createtime"]


def test_a_sell_is_queried(client: MerchantClient) -> None:
    created = client.create(sell(merchant_order_no="Q-2")).data
    data = client.query(order_no=created["order_no"]).data
    assert set(data) == ORDER_FIELDS | {"customer_payment_method"}
    assert data["order_id"] == created["order_id"]
    assert data["customer_payment_method"] == created["customer_payment_method"]
    assert data["customer_payment_method"]["card_number"] == BANK["card_number"]
    assert (data["status"], data["expire_time"]) == ("matching", None)


def test_a_test_order_says_so(seed: Seed, client: MerchantClient) -> None:
    seed.add_trader(mode=Mode.TEST)
    created = client.create(buy(), route="test").data
    assert client.query(order_no=created["order_no"]).data["is_test"] == 1


@pytest.mark.parametrize(
    "route",
    [
        *("merchant/queryOrder", "merchant/cancelOrder", "merchant/disputeOrder"),
        *("merchant/listCallbacks", "test/advanceOrder"),
    ],
)
def test_another_merchants_order_is_not_found(
    seed: Seed, client: MerchantClient, route: str
) -> None:
    own = "test" if route.startswith("test") else "merchant"
    if own == "test":
        seed.add_trader(mode=Mode.TEST)
    order_no = client.create(buy(merchant_order_no="Q-3"), route=own).data["order_no"]
    move = {"to": "paid"} if own == "test" else {}
    _, other = seed.add_merchant()
    for number in ({"order_no": order_no}, {"merchant_order_no": "Q-3"}, {"order_no": "B1"}):
        reply = other.post(f"/{route}", {**number, **move})
        assert (reply.status, reply.code, reply.data) == (404, 2002, {"reason": "order_not_found"})


@pytest.mark.parametrize(
    "number",
    [
        {"order_no": "B202611210000000000000000"},
        {"order_no": "rates"},
        {"order_no": "number#x#y"},
        {"pending_no": "D202611210000000000000000"},
        {"merchant_order_no": "never used"},
        {"order_no": "汉"},
    ],
)
def test_numbers_of_nothing_are_not_found(client: MerchantClient, number: dict[str, str]) -> None:
    assert client.query(**number).code == 2002
