"""Contract sections 1 to 3: invalid bodies; tests/fuzz checks that none causes a 5xx."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.merchant_client import BANK, MerchantClient, buy, sell

LIVE = "/merchant/createOrder"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "not json",
        "[]",
        "null",
        '"text"',
        "1",
        '{"a":1',
        '{"a":1}}',
        "{'a':1}",
        '{"api_key":"a","api_key":"b"}',
        '{"o":{"a":"1","a":"2"}}',
        '{"cny_amount":NaN}',
        '{"cny_amount":Infinity}',
        '{"cny_amount":-Infinity}',
        '{"cny_amount":01}',
        '{"cny_amount":+1}',
        '{"cny_amount":.5}',
        '{"a":"\ttab"}',
        '{"remark":"\\ud800"}',
        '{"\\udc00":"x"}',
        '{"o":{"k":["\\ud83d"]}}',
        "\ufeff{}",
        "[" * 30_000,
        '{"o":' * 10_000,
        '{"o":' * 100 + "1" + "}" * 100,
        b"\xff\xfe{}",
        b'{"remark":"\xc3\x28"}',
        '{"a":1}\x00',
    ],
)
def test_what_is_no_json_object_is_an_invalid_body(
    client: MerchantClient, body: str | bytes
) -> None:
    reply = client.post_text(LIVE, body)
    assert (reply.status, reply.code, reply.data["reason"]) in {
        (400, 1001, "invalid_body"),
        # The emulator replaces bytes that are not UTF-8 before the function receives them.
        (400, 1002, "invalid_parameter") if isinstance(body, bytes) else (),
    }


@pytest.mark.parametrize(
    "content_type", ["text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"]
)
def test_another_content_type(client: MerchantClient, content_type: str) -> None:
    reply = client.post(LIVE, buy(), {"content-type": content_type})
    assert (reply.status, reply.code, reply.data["reason"]) == (415, 1001, "invalid_body")


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"]
)
def test_json_by_any_spelling(client: MerchantClient, content_type: str) -> None:
    assert client.post(LIVE, buy(), {"content-type": content_type}).code == 1


def test_a_body_over_64_kib(client: MerchantClient) -> None:
    assert client.post_text(LIVE, '{"a":"%s"}' % ("x" * 65 * 1024)).status == 413
    reply = client.post(LIVE, buy(padding="汉" * 22_000))
    assert (reply.status, reply.code, reply.data["reason"]) == (413, 1001, "invalid_body")


def test_a_body_of_almost_64_kib(client: MerchantClient) -> None:
    assert client.post(LIVE, buy(padding="x" * 65_000)).code == 1


@pytest.mark.parametrize("field", ["remark", "merchant_order_no", "unknown", "method_type"])
@pytest.mark.parametrize("text", ["a\nb", "\x00", "tab\t", "\x7f", "\x85"])
def test_control_characters_in_top_level_strings_are_refused(
    client: MerchantClient, field: str, text: str
) -> None:
    reply = client.create(buy(**{field: text}))
    assert (reply.status, reply.code) == (400, 1002)
    assert field in {entry["field"] for entry in reply.data["fields"]}


@pytest.mark.parametrize("name", ["Remark", "re mark", "1st", "a=b", "", "_a", "ключ", "a\nb"])
def test_names_that_cannot_be_signed(client: MerchantClient, name: str) -> None:
    reply = client.create(buy(**{name: "x"}))
    assert (reply.status, reply.code) == (400, 1002)


@pytest.mark.parametrize("leaf", [1, 1.5, True, None])
def test_leaves_of_objects_are_strings(client: MerchantClient, leaf: Any) -> None:
    method = {**BANK, "card_number": leaf}
    reply = client.create(sell(payment_method=method))
    assert (reply.status, reply.code) == (400, 1002)
    assert "payment_method.card_number" in {entry["field"] for entry in reply.data["fields"]}


def test_a_long_number_is_refused_before_the_key_is_known(client: MerchantClient) -> None:
    reply = client.post_text(LIVE, '{"n":%s}' % ("1" * 33))
    assert (reply.status, reply.code) == (400, 1002)
    assert {"field": "n", "problem": "at most 32 characters"} in reply.data["fields"]


def test_a_long_amount_is_refused_before_the_key_is_known(client: MerchantClient) -> None:
    stranger = replace(client, api_key="mk_live_nobody")
    for length, code in ((32, 1101), (33, 1002)):
        reply = stranger.create(buy(cny_amount="1" * length))
        assert reply.code == code
    assert reply.data["fields"] == [{"field": "cny_amount", "problem": "at most 32 characters"}]
