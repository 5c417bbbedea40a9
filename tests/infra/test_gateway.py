"""API Gateway's own responses on the deployed stack have the envelope."""

from collections.abc import Iterator

import httpx
import pytest

from local.stack import STAGE, Stack
from orderdesk.web.codes import UNKNOWN_ROUTE
from tests.support import openapi

SETTINGS = "/~1pay~1{order_no}~1{token}~1status/GET/throttling"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", ""),
        ("POST", "/"),
        ("POST", "/merchant/nope"),
        ("GET", "/merchant/createOrder"),
        ("PUT", "/merchant/queryOrder"),
        ("POST", "/MERCHANT/createOrder"),
        ("OPTIONS", "/test/createOrder"),
    ],
)
def test_an_unknown_route_returns_4000(stack: Stack, method: str, path: str) -> None:
    answer = httpx.request(method, stack.base_url + path, timeout=None)
    assert answer.status_code == 404
    assert answer.json() == openapi.document()["components"]["examples"][UNKNOWN_ROUTE]["value"]
    assert answer.headers["x-request-id"]


@pytest.fixture
def throttled(stack: Stack) -> Iterator[str]:
    """Limit a route to one request per second during a test, and return its URL."""
    gateway = stack.client("apigateway")

    def limit(value: str) -> None:
        operations = [
            {"op": "replace", "path": f"{SETTINGS}/{name}", "value": value}
            for name in ("rateLimit", "burstLimit")
        ]
        api = stack.outputs["RestApiId"]
        gateway.update_stage(restApiId=api, stageName=STAGE, patchOperations=operations)

    limit("1")
    yield f"{stack.base_url}/pay/x/y/status"
    limit("1000")


def test_a_throttled_response_has_retry_after(throttled: str) -> None:
    answers = (httpx.get(throttled, timeout=None) for _ in range(20))
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.headers["retry-after"] == "1"
    assert refused.headers["x-request-id"]
    assert (refused.json()["code"], refused.json()["data"]) == (
        1201,
        {"reason": "too_many_requests"},
    )
