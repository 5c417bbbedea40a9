"""Each client accepts callbacks signed by Standard Webhooks, and refuses all others."""

import base64
import hmac
import json
from typing import Any

import pytest

from tests.clients.languages import Built, without_empty
from tests.support.merchant_receiver import signed

SECRET = "whsec_" + base64.b64encode(bytes(range(24, 56))).decode()
OLD = "whsec_" + base64.b64encode(b"o" * 32).decode()
EVENT = {
    "type": "order.completed",
    "timestamp": 1756617600,
    "data": {
        "order_no": "B1",
        "order_id": 9007199254740991,
        "merchant_order_no": "订单 😀 \u2028/<&>",
        "cny_amount": "100.50",
        "sequence": 3,
        "timeline": [{"status": "pending", "time": 1756617600, "by": "merchant"}],
        "expire_time": None,
    },
}
BODY = json.dumps(EVENT, separators=(",", ":"))
RAW_BODY = json.dumps(EVENT, ensure_ascii=False, indent=1)


def cases() -> dict[str, tuple[dict[str, str], str, bool]]:
    """Return headers, body and whether they are valid, by name."""
    good = signed(BODY, SECRET)
    value = good["webhook-signature"].removeprefix("v1,")
    return {
        "as sent": (good, BODY, True),
        "a body in UTF-8, with white space": (signed(RAW_BODY, SECRET), RAW_BODY, True),
        "two signatures, ours last": (signed(BODY, OLD, SECRET), BODY, True),
        "two signatures, ours first": (signed(BODY, SECRET, OLD), BODY, True),
        "a version to come beside ours": (
            {**good, "webhook-signature": f"v1a,{value} v1,{value}"},
            BODY,
            True,
        ),
        "four minutes old": (signed(BODY, SECRET, age_seconds=240), BODY, True),
        "from a clock four minutes ahead": (signed(BODY, SECRET, age_seconds=-240), BODY, True),
        "six minutes old": (signed(BODY, SECRET, age_seconds=360), BODY, False),
        "from a clock six minutes ahead": (signed(BODY, SECRET, age_seconds=-360), BODY, False),
        "by another secret": (signed(BODY, OLD), BODY, False),
        "another body": (good, BODY.replace("100.50", "900.50"), False),
        "another id": ({**good, "webhook-id": "msg_B1_4"}, BODY, False),
        "another time": (
            {**good, "webhook-timestamp": str(int(good["webhook-timestamp"]) + 1)},
            BODY,
            False,
        ),
        "only another version": ({**good, "webhook-signature": f"v1a,{value}"}, BODY, False),
        "no version": ({**good, "webhook-signature": value}, BODY, False),
        "a signature cut short": ({**good, "webhook-signature": f"v1,{value[:-4]}"}, BODY, False),
        "an empty signature": ({**good, "webhook-signature": ""}, BODY, False),
        "no headers": ({}, BODY, False),
        "a time that is no number": ({**good, "webhook-timestamp": "now"}, BODY, False),
    }


NAMES = list(cases())


@pytest.fixture(scope="module")
def believed(client: Built) -> dict[str, tuple[Any, bool, str]]:
    return _believed(client, {})


def _believed(client: Built, changes: dict[str, bool]) -> dict[str, tuple[Any, bool, str]]:
    written = cases()
    answers = client.drive(
        [
            {"do": "verify", "secret": SECRET, "headers": headers, "body": body, **changes}
            for headers, body, _ in written.values()
        ]
    )
    return {
        name: (answer, good, body)
        for answer, (name, (_, body, good)) in zip(answers, written.items(), strict=True)
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_callback_is_accepted_or_refused(
    believed: dict[str, tuple[Any, bool, str]], name: str
) -> None:
    answer, good, body = believed[name]
    if good:
        assert list(answer) == ["event"]
        assert without_empty(answer["event"]) == without_empty(json.loads(body))
    else:
        assert list(answer) == ["invalid"]


def test_headers_of_a_framework_are_read(
    client: Built, believed: dict[str, tuple[Any, bool, str]]
) -> None:
    """Node reads Fetch's Headers, and PHP the lists of PSR-7."""
    assert _believed(client, {"of_framework": True}) == believed


@pytest.mark.parametrize("secret", ["whsec_abc", "whsec_", "", "whsec_???"])
def test_a_secret_that_is_none_makes_no_callback_authentic(client: Built, secret: str) -> None:
    """An empty key would let anybody sign."""
    body = json.dumps(EVENT)
    headers = signed(body, SECRET)
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    value = base64.b64encode(hmac.digest(b"", text, "sha256")).decode()
    empty = {**headers, "webhook-signature": f"v1,{value}"}
    [answer] = client.drive([{"do": "verify", "secret": secret, "headers": empty, "body": body}])
    assert "the secret is not whsec_ and base64" in answer["invalid"]


def test_unknown_fields_are_ignored(client: Built) -> None:
    later = {**EVENT, "later": 1, "data": {**EVENT["data"], "later": True}}  # type: ignore[dict-item]
    body = json.dumps(later)
    [answer] = client.drive(
        [{"do": "verify", "secret": SECRET, "headers": signed(body, SECRET), "body": body}]
    )
    assert answer["event"]["data"]["order_no"] == "B1"
