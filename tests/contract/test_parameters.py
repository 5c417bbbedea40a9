"""The parameter tables, contract sections 3 to 5; tests/unit/test_money.py reads amounts."""

from typing import Any

import pytest

from orderdesk.domain.pricing import FeePolicy
from tests.support.merchant_client import BANK, WALLET, MerchantClient, Raw, Reply, buy, sell
from tests.support.seed import Seed

NO_AMOUNT = 'must be a positive decimal number such as "100.50"'
NOT_DECIMAL = 'must be a decimal string such as "100.50", or a number'


def problems(reply: Reply) -> dict[str, str]:
    """Return the fields of a 1002, each with its problem."""
    assert (reply.status, reply.code, reply.data["reason"]) == (400, 1002, "invalid_parameter")
    return {entry["field"]: entry["problem"] for entry in reply.data["fields"]}


def without(params: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != name}


@pytest.mark.parametrize(
    ("sent", "wire"),
    [
        ("0.1", "0.10"),
        (Raw("0.1"), "0.10"),
        (Raw("100"), "100.00"),
        (Raw("1e3"), "1000.00"),
        (Raw("12345678901.23"), "12345678901.23"),
        ("12345678901.23", "12345678901.23"),
    ],
)
def test_amounts_stay_exact(seed: Seed, sent: Any, wire: str) -> None:
    seed.only_trader(min_cny_fen=1, max_cny_fen=10**15, available_micro=10**18)
    _, client = seed.add_merchant(max_cny_fen=10**15, max_open_cny_fen=10**15)
    reply = client.create(buy(cny_amount=sent))
    assert reply.data["cny_amount"] == wire


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        (None, "missing"),
        ("", "missing"),
        ("0", "must be greater than 0"),
        ("0.00", "must be greater than 0"),
        (Raw("0"), NO_AMOUNT),
        ("-1", NO_AMOUNT),
        ("1.001", "more than 2 decimals"),
        (Raw("1e-3"), "more than 2 decimals"),
        (Raw("9" * 33), "at most 32 characters"),
        ("9" * 33, "at most 32 characters"),
        (Raw("0.0" + "0" * 30), "at most 32 characters"),
        (Raw("700000.99999999999999999999999999999e0"), "at most 32 characters"),
        (True, NOT_DECIMAL),
        ({"a": "1"}, NOT_DECIMAL),
    ],
)
def test_what_is_no_amount(client: MerchantClient, sent: Any, problem: str) -> None:
    assert problems(client.create(buy(cny_amount=sent))) == {"cny_amount": problem}


@pytest.mark.parametrize("params", [buy(), sell()])
def test_the_required_fields(client: MerchantClient, params: dict[str, Any]) -> None:
    for name in ("order_type", "cny_amount"):
        assert problems(client.create(without(params, name))) == {name: "missing"}
    assert problems(client.create(without(sell(), "payment_method"))) == {
        "payment_method": "missing"
    }


@pytest.mark.parametrize("order_type", [0, 3, -1, "3", "buy", Raw("1.0"), True, [], "１"])
def test_the_order_type(client: MerchantClient, order_type: Any) -> None:
    assert problems(client.create(buy(order_type=order_type))) == {"order_type": "must be 1 or 2"}


def test_ints_may_come_as_digit_strings(client: MerchantClient) -> None:
    assert client.create(buy(order_type="1", is_test="0")).code == 1
    assert client.create(sell(order_type="2")).code == 1


@pytest.mark.parametrize("is_test", [2, -1, "2", "yes", True, Raw("0.0"), []])
def test_is_test(client: MerchantClient, is_test: Any) -> None:
    assert problems(client.create(buy(is_test=is_test))) == {"is_test": "must be 0 or 1"}


@pytest.mark.parametrize("is_test", [0, "0"])
@pytest.mark.parametrize("params", [buy(), sell()])
def test_the_test_route_refuses_live(
    client: MerchantClient, params: dict[str, Any], is_test: Any
) -> None:
    found = problems(client.create({**params, "is_test": is_test}, route="test"))
    assert found == {"is_test": "must be 1 on the test route"}


@pytest.mark.parametrize("method_type", ["cash", "BANK", "微信", 1, ["bank"]])
def test_a_buys_method_type(client: MerchantClient, method_type: Any) -> None:
    assert set(problems(client.create(buy(method_type=method_type)))) == {
        "method_type.0"
        if isinstance(method_type, list) and method_type != ["bank"]
        else "method_type"
    }


def test_a_sell_has_no_method_type_at_top_level(client: MerchantClient) -> None:
    assert client.create(sell(method_type="cash")).code == 1


@pytest.mark.parametrize(
    ("name", "limit"), [("merchant_order_no", 255), ("remark", 255), ("customer_name", 255)]
)
def test_lengths_count_characters(client: MerchantClient, name: str, limit: int) -> None:
    assert client.create(buy(**{name: "汉" * limit})).code == 1
    found = problems(client.create(buy(**{name: "汉" * (limit + 1)})))
    assert found == {name: f"at most {limit} characters"}


@pytest.mark.parametrize("name", ["merchant_order_no", "remark", "customer_name", "callback_url"])
@pytest.mark.parametrize("value", [1, True, ["x"], {"a": "x"}])
def test_texts_are_strings(client: MerchantClient, name: str, value: Any) -> None:
    assert problems(client.create(buy(**{name: value}))) == {name: "must be a string"}


def test_identity_fields_have_their_lengths(client: MerchantClient) -> None:
    found = problems(client.create(buy(id_card="1" * 17, mobile="1" * 12)))
    assert found == {"id_card": "must have 18 characters", "mobile": "must have 11 characters"}
    assert client.create(buy(id_card="1" * 18, mobile="1" * 11)).code == 1


@pytest.mark.parametrize(
    "url",
    [
        "ftp://m.example.com/",
        "http://m.example.com:22/",
        "http://169.254.169.254/latest/meta-data",
        "https://m.example.com/" + "a" * 255,
    ],
)
def test_callback_urls_that_lead_where_they_should_not(client: MerchantClient, url: str) -> None:
    assert set(problems(client.create(buy(callback_url=url)))) == {"callback_url"}


@pytest.mark.parametrize(
    "url", ["https://m.example.com/cb?a=b", "http://m.example.com:8080", "https://1.1.1.1/cb"]
)
def test_callback_urls_that_do(client: MerchantClient, url: str) -> None:
    assert client.create(buy(callback_url=url)).code == 1


@pytest.mark.parametrize("name", ["real_name", "bank", "sub_bank", "card_number"])
@pytest.mark.parametrize("value", [None, ""])
def test_what_a_bank_card_requires(client: MerchantClient, name: str, value: Any) -> None:
    sent = without(BANK, name) if value is None else {**BANK, name: value}
    found = problems(client.create(sell(payment_method=sent)))
    assert found == {f"payment_method.{name}": "missing"}


@pytest.mark.parametrize("kind", ["wechat", "alipay"])
@pytest.mark.parametrize("name", ["real_name", "account", "qr_code"])
def test_what_a_wallet_requires(client: MerchantClient, kind: str, name: str) -> None:
    sent = {**without(WALLET, name), "method_type": kind}
    found = problems(client.create(sell(payment_method=sent)))
    assert found == {f"payment_method.{name}": "missing"}


def test_a_payment_method_without_a_type_is_a_bank_card(client: MerchantClient) -> None:
    reply = client.create(sell(payment_method=without(BANK, "method_type")))
    assert reply.data["customer_payment_method"]["method_type"] == "bank"


@pytest.mark.parametrize("value", ["bank", 5, True, ["a"]])
def test_a_payment_method_is_an_object(client: MerchantClient, value: Any) -> None:
    assert problems(client.create(sell(payment_method=value))) == {
        "payment_method": "must be an object"
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("method_type", "cash"),
        ("card_number", "not digits"),
        ("card_number", "123"),
        ("real_name", "x" * 256),
        ("qr_code", "javascript:alert(1)"),
        ("qr_code", "no url"),
        ("qr_code", "https://"),
        ("qr_code", "ftp://img.example.com/code.png"),
        ("qr_code", "other-wallet://x"),
        ("qr_code", "00020101021226"),
        ("real_name", " "),
        ("bank", "\u200b\u200e"),
        ("bank", "a\nb"),
    ],
)
def test_malformed_fields_of_a_payment_method(
    client: MerchantClient, name: str, value: str
) -> None:
    base = WALLET if name == "qr_code" else BANK
    found = problems(client.create(sell(payment_method={**base, name: value})))
    assert set(found) == {f"payment_method.{name}"}


def test_a_problem_says_the_expected_form(client: MerchantClient) -> None:
    card = problems(client.create(sell(payment_method={**BANK, "card_number": "123"})))
    assert "4 to 32 digits" in card["payment_method.card_number"]
    listed = problems(client.post("/merchant/listOrders", {"end_time": "now", "status": "open"}))
    assert "Unix seconds" in listed["end_time"]
    assert "pending, paid" in listed["status"]


def test_every_bad_field_is_listed_at_once(client: MerchantClient) -> None:
    reply = client.create(
        sell(
            cny_amount="-1",
            is_test=7,
            merchant_order_no="x" * 256,
            callback_url="ftp://x",
            remark=5,
            id_card="1",
            mobile="2",
            payment_method={"method_type": "bank", "card_number": "x", "bank": "b"},
        )
    )
    assert set(problems(reply)) == {
        "cny_amount",
        "is_test",
        "merchant_order_no",
        "callback_url",
        "remark",
        "id_card",
        "mobile",
        "payment_method.card_number",
        "payment_method.real_name",
        "payment_method.sub_bank",
    }


def test_missing_common_parameters_come_with_the_other_problems(client: MerchantClient) -> None:
    params = {**client.signed("/merchant/createOrder", buy(cny_amount="x")), "nonce": None}
    found = problems(client.post_as_is("/merchant/createOrder", params))
    assert set(found) == {"nonce", "cny_amount"}


def test_the_merchants_range(seed: Seed) -> None:
    seed.only_trader()
    _, client = seed.add_merchant(min_cny_fen=100_00, max_cny_fen=200_00)
    assert client.create(buy(cny_amount="100")).code == 1
    assert client.create(buy(cny_amount="200.00")).code == 1
    huge = "9" * 32
    assert client.post("/merchant/listOrders", {"cny_amount": huge}).data["orders"] == []
    for amount in ("99.99", "200.01", "1000000000000000", huge, Raw(huge), Raw("1e400")):
        reply = client.create(buy(cny_amount=amount))
        assert (reply.status, reply.code) == (400, 1003)
        assert reply.data == {
            "reason": "amount_out_of_range",
            "min_cny": "100.00",
            "max_cny": "200.00",
        }


def test_fees_that_eat_the_order_are_out_of_range(seed: Seed) -> None:
    seed.only_trader()
    _, client = seed.add_merchant(fees=FeePolicy(service_fixed_micro=1_000_000))
    refused = client.create(buy(cny_amount="7.23"))
    assert (refused.code, refused.data) == (1003, {"reason": "amount_out_of_range"})
    assert client.create(buy(cny_amount="7.24")).code == 1


NUMBERS = ["merchant_order_no", "order_no"]
WRONG_VALUES: dict[str, dict[str, list[Any]]] = {
    "listOrders": {
        "status": ["paid,unknown", 5],
        "order_type": [3],
        "is_test": ["yes"],
        "start_time": ["soon"],
        "end_time": [{"t": "1"}],
        "limit": [0, 101, "many"],
        "cursor": ["not a cursor", "游标", 5],
    },
    "statement": {
        "is_test": [2],
        "limit": [0, 101],
        "start_time": ["noon"],
        "end_time": ["1.5"],
        "cursor": ["x", "a.b", ["a"]],
    },
    "listCallbacks": {"limit": [101], "cursor": ["x", "汉", 7]},
    "testCallback": {"callback_url": [7, "ftp://shop.example.com", "http://10.0.0.1", "x" * 256]},
    "redeliverCallback": {"webhook_id": [None, 7, ["a"], "x" * 256]},
}
BAD: list[tuple[str, dict[str, Any], list[str]]] = [
    ("merchant/queryOrder", {}, [*NUMBERS, "pending_no"]),
    ("merchant/queryOrder", {"order_no": ""}, [*NUMBERS, "pending_no"]),
    ("merchant/queryOrder", {"order_no": "a", "pending_no": "b"}, ["order_no", "pending_no"]),
    ("merchant/queryOrder", {"order_no": 5}, ["order_no"]),
    ("merchant/queryOrder", {"order_no": {"a": "b"}}, ["order_no"]),
    ("merchant/queryOrder", {"merchant_order_no": "x" * 256}, ["merchant_order_no"]),
    *(
        (f"merchant/{route}", params, NUMBERS)
        for route in ("cancelOrder", "disputeOrder")
        for params in ({}, {"order_no": "a", "merchant_order_no": "b"})
    ),
    ("test/advanceOrder", {}, [*NUMBERS, "pending_no", "to"]),
    ("test/advanceOrder", {"order_no": "B1"}, ["to"]),
    ("test/advanceOrder", {"order_no": "B1", "to": "pending"}, ["to"]),
    ("test/advanceOrder", {"order_no": "B1", "to": 1}, ["to"]),
    ("test/advanceOrder", {"order_no": "B1", "merchant_order_no": "A", "to": "paid"}, NUMBERS),
    ("merchant/listCallbacks", {"order_no": 1}, ["order_no"]),
    *(
        (f"merchant/{route}", {name: value}, [name])
        for route, values in WRONG_VALUES.items()
        for name, wrong in values.items()
        for value in wrong
    ),
]


@pytest.mark.parametrize(("route", "params", "fields"), BAD)
def test_other_routes_name_their_bad_parameters(
    client: MerchantClient, route: str, params: dict[str, Any], fields: list[str]
) -> None:
    assert sorted(problems(client.post(f"/{route}", params))) == fields
