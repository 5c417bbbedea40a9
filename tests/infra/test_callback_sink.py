"""The sink distinguishes a verified callback from a forged one."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest
from standardwebhooks import Webhook

from local.callback_sink import CallbackSink, serve

SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()


@pytest.fixture
def url() -> Iterator[str]:
    """Yield the address of a sink with one merchant."""
    with serve(CallbackSink({"m1": SECRET})) as address:
        yield address


def post(url: str, merchant_id: str, secret: str) -> int:
    data = {"order_no": "B1", "remark": "款"}
    body = json.dumps({"type": "order.paid", "data": data}, ensure_ascii=False)
    now = datetime.now(UTC)
    headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("evt_1", now, body),
    }
    own = f"{url}/{merchant_id}"
    return httpx.post(own, content=body.encode(), headers=headers, timeout=None).status_code


def test_a_signed_callback_is_kept_as_verified(url: str) -> None:
    assert post(url, "m1", SECRET) == 204
    (kept,) = httpx.get(url, timeout=None).json()
    assert kept["verified"]
    assert (kept["webhook_id"], kept["type"], kept["order_no"]) == ("evt_1", "order.paid", "B1")
    assert kept["body"]["data"] == {"order_no": "B1", "remark": "款"}
    assert kept["headers"]["webhook-id"] == "evt_1"


@pytest.mark.parametrize(("merchant_id", "secret"), [("m1", OTHER), ("m2", SECRET)])
def test_a_forged_one_is_refused_and_kept_as_such(url: str, merchant_id: str, secret: str) -> None:
    assert post(url, merchant_id, secret) == 400
    assert [kept["verified"] for kept in httpx.get(url, timeout=None).json()] == [False]


def test_any_rubbish_is_kept(url: str) -> None:
    assert httpx.post(f"{url}/m1", content=b"\xff", timeout=None).status_code == 400
    assert httpx.get(url, timeout=None).json()[0]["body"] == {"base64": "/w=="}


@pytest.mark.parametrize("body", [b"\xff", b"[]", b"7", b'{"data": []}'])
def test_what_names_neither_type_nor_order_is_kept_without(url: str, body: bytes) -> None:
    assert httpx.post(f"{url}/m1", content=body, timeout=None).status_code == 400
    (kept,) = httpx.get(url, timeout=None).json()
    assert (kept["webhook_id"], kept["type"], kept["order_no"]) == (None, None, None)
    assert kept["verified"] is False
