"""Fill and sign a sample, checked with the merchant's independent client."""

import json
from typing import Any

import pytest

from events.sign import Unfillable, filled, fresh, given
from tests.support.merchant_client import Raw, sign

DEMO = {"merchant": {"api_key": "mk_test_123", "api_secret": "sk_test_456"}}
FRESH = fresh(1756617600, "Ab3dEf7hIj9kLm2n")


def sample(**params: str) -> dict[str, Any]:
    """Return a sample with some body parameters, as JSON texts."""
    pairs = "".join(f'"{name}":{text},' for name, text in params.items())
    head = '"api_key":"<merchant.api_key>","timestamp":<timestamp>,"nonce":"<nonce>",'
    return {
        "httpMethod": "POST",
        "resource": "/merchant/createOrder",
        "requestContext": {"requestId": "<request_id>"},
        "body": "{" + head + pairs + '"signature":"<signature>"}',
    }


def test_a_body_keeps_its_numbers_text_and_verifies() -> None:
    event = filled(sample(cny_amount="100.50"), DEMO, FRESH)
    assert '"cny_amount":100.50' in event["body"]
    params = json.loads(event["body"], parse_float=Raw)
    signature = params.pop("signature")
    assert signature == sign("sk_test_456", "/merchant/createOrder", params)


def test_each_filling_is_a_request_of_its_own() -> None:
    ids = {filled(sample(), DEMO, fresh(1, "n"))["requestContext"]["requestId"] for _ in range(2)}
    assert len(ids) == 2


def test_a_number_may_hold_anything() -> None:
    number = 'a"\\<nonce>订'
    values = given(number, None) | FRESH
    event = filled(sample(merchant_order_no='"<merchant_order_no>"'), DEMO, values)
    assert json.loads(event["body"])["merchant_order_no"] == number


def test_a_pay_url_gives_number_and_token() -> None:
    page = {"path": "/pay/<order_no>/<token>", "headers": {"Accept": "*/*"}, "body": None}
    values = given(None, "http://localhost:4566/stage/pay/B1/tok") | FRESH
    assert filled(page, DEMO, values) == {**page, "path": "/pay/B1/tok"}


def test_what_is_not_known_is_asked_for() -> None:
    with pytest.raises(Unfillable, match="<order_no> is not known"):
        filled(sample(order_no='"<order_no>"'), DEMO, FRESH)
    with pytest.raises(Unfillable, match=r"demo\.merchant of the stack"):
        filled(sample(), {}, FRESH)
    with pytest.raises(Unfillable, match="ends with /pay/"):
        given(None, "https://example.com/")
