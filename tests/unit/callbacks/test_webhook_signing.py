"""Our signatures, verified by the official Standard Webhooks library and by published vectors."""

import base64
import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from docs.make_signing_vectors import callback_vectors
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.credentials import new_callback_secret
from tests.support.template import ROOT

OLD, NEW, FOREIGN = (new_callback_secret(SystemChance().below) for _ in range(3))
BODY = '{"type":"order.paid","data":{"merchant_order_no":"订单"}}'

VECTORS: dict[str, Any] = json.loads((ROOT / "docs" / "callback-vectors.json").read_text("utf-8"))


def verifies(secret: str, header: str, *, webhook_id: str, timestamp: int, body: str) -> bool:
    headers = {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": header,
    }
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return False
    return True


@pytest.mark.parametrize("secret", [OLD, NEW], ids=["old", "new"])
def test_while_a_secret_is_rotated_either_verifies(secret: str) -> None:
    now = int(time.time())
    header = sign("msg_1", now, BODY, [NEW, OLD])
    assert [part.partition(",")[0] for part in header.split(" ")] == ["v1", "v1"]
    assert header.split(" ")[0] == sign("msg_1", now, BODY, [NEW])
    assert verifies(secret, header, webhook_id="msg_1", timestamp=now, body=BODY)
    assert not verifies(FOREIGN, header, webhook_id="msg_1", timestamp=now, body=BODY)


@given(
    key=st.binary(min_size=24, max_size=64),
    webhook_id=st.from_regex(r"msg_[A-Za-z0-9_]{1,40}", fullmatch=True),
    data=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"])),
        st.text(st.characters(exclude_categories=["Cs"])) | st.integers(),
    ),
)
def test_as_the_official_library_signs(
    key: bytes, webhook_id: str, data: dict[str, object]
) -> None:
    secret = "whsec_" + base64.b64encode(key).decode()
    body, now = json.dumps(data, ensure_ascii=False), int(time.time())
    header = sign(webhook_id, now, body, [secret])
    assert header == Webhook(secret).sign(webhook_id, datetime.fromtimestamp(now, UTC), body)
    assert verifies(secret, header, webhook_id=webhook_id, timestamp=now, body=body)


@pytest.mark.parametrize("secret", ["", "whsec_", "sk_abc", "whsec_not base64"])
def test_what_is_no_secret_is_refused_and_not_quoted(secret: str) -> None:
    with pytest.raises(ValueError, match="secret") as refused:
        sign("msg_1", 1, BODY, [secret])
    assert "abc" not in str(refused.value)


def test_without_a_secret_nothing_is_signed() -> None:
    with pytest.raises(ValueError, match="nothing"):
        sign("msg_1", 1, BODY, [])


def test_the_published_file_is_what_its_maker_makes() -> None:
    assert callback_vectors() == VECTORS, "make openapi"


@pytest.mark.parametrize(
    "vector", [*VECTORS["accepted"], *VECTORS["refused"]], ids=lambda vector: vector["name"]
)
def test_published_vectors(vector: dict[str, Any]) -> None:
    headers = vector["headers"]
    sent = int(headers["webhook-timestamp"])
    ours = sign(headers["webhook-id"], sent, vector["body"], [vector["secret"]])
    signatures = headers["webhook-signature"].split(" ")
    assert (ours in signatures) is (vector.get("by") != "signature")
    if ours in signatures:
        is_fresh = abs(VECTORS["now"] - sent) <= VECTORS["tolerance_seconds"]
        assert is_fresh is ("by" not in vector)
