"""Answers that help with integration: contract sections 1 to 4."""

from typing import Any

import pytest

from tests.support.merchant_client import (
    BANK,
    WALLET,
    MerchantClient,
    Reply,
    buy,
    sell,
    string_to_sign,
)
from tests.support.seed import Seed

LISTING = "/merchant/listOrders"


def ignored(reply: Reply) -> Any:
    assert reply.code == 1, reply
    return reply.data.get("ignored")


def test_unknown_parameters_are_named(client: MerchantClient) -> None:
    assert ignored(client.create(buy(zebra="1", callbackurl="x", note={"a": "b"}))) == [
        "callbackurl",
        "note",
        "zebra",
    ]
    assert ignored(client.create(sell(bank="A"))) == ["bank"]
    assert ignored(client.post("/merchant/balance", {"is_test": 1})) == ["is_test"]


def test_known_and_absent_parameters_are_not_named(client: MerchantClient) -> None:
    everything = buy(
        merchant_order_no="N-1",
        callback_url="https://m.example.com/",
        return_url="https://m.example.com/",
        remark="a",
        is_test=0,
        method_type="bank",
        customer_name="张三",
        id_card="1" * 18,
        mobile="1" * 11,
        payment_method=BANK,
    )
    made = client.create(everything)
    assert ignored(made) is None
    assert ignored(client.create(sell(method_type="bank", unknown="", other=None))) is None
    number = {"order_no": made.data["order_no"]}
    for route in ("queryOrder", "cancelOrder"):
        assert ignored(client.post(f"/merchant/{route}", number)) is None
    filters = {"status": "pending", "order_type": 1, "is_test": 0, "limit": 1}
    assert ignored(client.post(LISTING, {**filters, "start_time": 1, "end_time": 2})) is None


def test_at_most_twenty_and_each_cut(client: MerchantClient) -> None:
    named = ignored(client.create(buy(**{f"n{number:02}": "1" for number in range(40)})))
    assert named == [f"n{number:02}" for number in range(20)]
    (long,) = ignored(client.create(buy(**{"x" * 500: "1"})))
    assert (len(long), long[-1]) == (128, "…")


def test_the_test_route_shows_what_it_signed(client: MerchantClient) -> None:
    params = {**client.common(), **buy(remark="汉字", z={"b": "2", "a": "1"})}
    reply = client.post_as_is("/test/createOrder", {**params, "signature": "0" * 64})
    assert (reply.status, reply.code) == (401, 1102)
    assert reply.data == {
        "reason": "bad_signature",
        "string_to_sign": string_to_sign("POST", "/test/createOrder", params),
    }


def test_it_shows_four_kib_of_whole_characters(client: MerchantClient) -> None:
    params = {**client.common(), "aaa": "汉" * 3000, "signature": "0"}
    text = client.post_as_is("/test/createOrder", params).data["string_to_sign"]
    assert 4094 <= len(text.encode()) <= 4096
    assert string_to_sign("POST", "/test/createOrder", params).startswith(text)


def test_no_other_route_and_no_other_code_shows_it(client: MerchantClient) -> None:
    unsigned = {**client.common(), **buy(), "signature": "0" * 64}
    for path in ("/merchant/createOrder", "/merchant/queryOrder", LISTING):
        assert client.post_as_is(path, unsigned).data == {"reason": "bad_signature"}
    stranger = {**unsigned, "api_key": "mk_nobody_x"}
    assert client.post_as_is("/test/createOrder", stranger).data == {"reason": "unknown_api_key"}


BUYS = [
    ({}, True),
    ({"cny_amount": 1000}, True),
    ({"method_type": "bank", "remark": "x", "return_url": "https://m.example.com/"}, True),
    ({"cny_amount": "1000.01"}, False),
    ({"method_type": "alipay"}, False),
    ({"is_test": 1}, False),
    ({"order_type": 2, "payment_method": BANK}, False),
]


@pytest.mark.parametrize(("changes", "same"), BUYS)
def test_a_used_number_says_whether_the_buy_is_the_same(
    client: MerchantClient, changes: dict[str, Any], *, same: bool
) -> None:
    first = client.create(buy(merchant_order_no="A-1")).data["order_no"]
    again = client.create(buy(merchant_order_no="A-1", **changes))
    assert (again.status, again.code) == (409, 2001)
    assert again.data == {"reason": "merchant_order_no_exists", "order_no": first, "same": same}


def bank(**changes: str) -> dict[str, str]:
    return {**BANK, **changes}


SELLS = [
    (BANK, True),
    (bank(card_number="6200 0000 0000 0000 017", account="dropped"), True),
    ({name: value for name, value in BANK.items() if name != "method_type"}, True),
    (bank(real_name="测试丙"), False),
    (bank(card_number="6200000000000000025"), False),
    (WALLET, False),
]


@pytest.mark.parametrize(("method", "same"), SELLS)
def test_a_used_number_says_whether_the_sell_is_the_same(
    client: MerchantClient, method: dict[str, str], *, same: bool
) -> None:
    client.create(sell(merchant_order_no="A-1"))
    again = client.create(sell(merchant_order_no="A-1", payment_method=method))
    assert (again.code, again.data["same"]) == (2001, same)


def test_it_says_so_when_the_order_would_be_refused_anyway(
    seed: Seed, client: MerchantClient
) -> None:
    client.create(buy(merchant_order_no="A-1"))
    seed.clear_rotation()
    assert client.create(buy(merchant_order_no="A-1")).data["same"] is True
    other = client.create(buy(merchant_order_no="A-1", cny_amount="2.00"))
    assert (other.code, other.data["same"]) == (2001, False)


def test_a_draft_says_so_too(seed: Seed) -> None:
    seed.only_trader()
    _, client = seed.add_merchant(identity_required=True)
    held = client.create(buy(merchant_order_no="A-1")).data["pending_no"]
    for amount, same in (("1000.00", True), ("7.00", False)):
        again = client.create(buy(merchant_order_no="A-1", cny_amount=amount))
        assert again.code == 2001
        assert (again.data["pending_no"], again.data["same"]) == (held, same)


@pytest.mark.parametrize(
    "url",
    [
        "https://m.example.com/back?order=1#done",
        "http://localhost:3000/",
        "https://例子.example/返回",
        "https://m.example.com/" + "a" * 233,
    ],
)
def test_return_urls(client: MerchantClient, url: str) -> None:
    assert client.create(buy(return_url=url)).code == 1
    assert client.create(sell(return_url=url)).code == 1


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//m.example.com/",
        "m.example.com",
        "https://",
        "https:///path",
        "https://m.example.com:99999/",
        "https://m.example.com/a b",
        "https://m.example.com\\@evil.example/",
        "https://bank.example@evil.example/",
        "https://m.example.com/\u202e",
        "https://[::1/",
        "https://m.example.com/" + "a" * 234,
        7,
        ["https://m.example.com/"],
    ],
)
def test_what_is_no_return_url(client: MerchantClient, url: Any) -> None:
    for params in (buy(return_url=url), sell(return_url=url)):
        reply = client.create(params)
        assert reply.code == 1002
        assert [entry["field"] for entry in reply.data["fields"]] == ["return_url"]
