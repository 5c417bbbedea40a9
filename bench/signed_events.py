"""Makes API Gateway's events of signed buys from the project's sample, in a bare interpreter."""

import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Mapping
from itertools import cycle
from typing import Any

SAMPLE_AMOUNT = "1000.00"


def signed_events(job: Mapping[str, Any], number: int) -> list[dict[str, Any]]:
    """Make so many events of buys, each with a nonce and a merchant_order_no of its own.

    Of the job: `sample` (an event of events/create_order), `amounts` (in CNY, one after the other),
    `api_key`, `api_secret` and `run`, which no two jobs on the same tables share.
    """
    amounts = cycle(job["amounts"])
    return [_event(job, f"{job['run']}-{each:06d}", next(amounts)) for each in range(number)]


def _event(job: Mapping[str, Any], nonce: str, amount: str) -> dict[str, Any]:
    request_id = str(uuid.uuid4())
    event: dict[str, Any] = json.loads(
        json.dumps(job["sample"]).replace("<request_id>", request_id)
    )
    known = {
        "<merchant.api_key>": job["api_key"],
        "<timestamp>": str(int(time.time())),
        "<nonce>": nonce,
        SAMPLE_AMOUNT: amount,
    }
    body = str(event["body"])
    for placeholder, value in known.items():
        body = body.replace(placeholder, value)
    text = _string_to_sign(event["httpMethod"], event["resource"], body)
    signature = hmac.new(job["api_secret"].encode(), text.encode(), hashlib.sha256).hexdigest()
    event["body"] = body.replace("<signature>", signature)
    return event


def _string_to_sign(method: str, path: str, body: str) -> str:
    """Write contract section 2's string to sign; a sample's values are text and numbers."""
    params = json.loads(body, parse_int=str, parse_float=str)
    signed = sorted(name for name in params if name != "signature")
    return "\n".join([f"{method} {path}", *(f"{name}={_text(params[name])}" for name in signed)])


def _text(value: object) -> str:
    """Write a value as it is signed; an object as RFC 8785 does, where all in it is text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
