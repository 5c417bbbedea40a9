"""API Gateway's events as requests: an undecodable body is an empty body, never an error."""

import base64

import pytest

from orderdesk.web.http import request_of
from tests.support.events import proxy_event


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (base64.b64encode(b"\xff{}").decode(), b"\xff{}"),
        *((text, b"") for text in ("a", "ab==c", "e30=é", "\ud800", "=", "e30=\n")),
    ],
)
def test_a_body_is_its_bytes_and_what_is_no_base64_is_empty(text: str, body: bytes) -> None:
    event = proxy_event("POST", "/merchant/createOrder")
    assert request_of({**event, "body": text, "isBase64Encoded": True}).body == body


def test_no_text_outside_the_body_has_a_lone_surrogate() -> None:
    event = proxy_event("GET", "/desk")
    texts = {"token": "a\ud800é\U0001f600"}
    request = request_of(
        {**event, "pathParameters": texts, "queryStringParameters": texts, "headers": texts}
    )
    expected = {"token": "a?é\U0001f600"}
    assert (request.path_parameters, request.query, request.headers) == (expected,) * 3
