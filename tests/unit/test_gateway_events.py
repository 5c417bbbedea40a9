"""API Gateway's events as requests: what cannot be decoded is an empty body, never an error."""

import base64

import pytest

from orderdesk.web.http import request_of
from tests.support.events import proxy_event


@pytest.mark.parametrize("text", ["a", "ab==c", "e30=é", "\ud800", "=", "e30=\n"])
def test_a_body_that_is_no_base64_is_empty(text: str) -> None:
    event = proxy_event("POST", "/merchant/createOrder")
    assert request_of({**event, "body": text, "isBase64Encoded": True}).body == b""


def test_a_body_in_base64_is_its_bytes() -> None:
    event = proxy_event("POST", "/merchant/createOrder")
    text = base64.b64encode(b"\xff{}").decode()
    assert request_of({**event, "body": text, "isBase64Encoded": True}).body == b"\xff{}"
