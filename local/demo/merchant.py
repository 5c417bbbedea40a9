"""A merchant's server in the demo; it signs its calls (contract section 2)."""

import json
import secrets
import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import urllib3

from local.demo.browser import ANSWER_SECONDS_MAX
from local.demo.steps import Unexpected
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue

DONE = 1
ANSWER_SHOWN_BYTES = 200

type Parameter = int | str | dict[str, JsonValue]


@dataclass(frozen=True)
class Merchant:
    """A merchant with its keys."""

    base_url: str
    api_key: str
    api_secret: str = field(repr=False)

    def create(self, **parameters: Parameter) -> dict[str, Any]:
        """Create an order or a draft; return createOrder's data. Raises: Unexpected."""
        return self.call("createOrder", parameters)

    def order(self, order_no: str) -> dict[str, Any]:
        """Return queryOrder's data of an order. Raises: Unexpected."""
        return self.call("queryOrder", {"order_no": order_no})

    def draft(self, pending_no: str) -> dict[str, Any]:
        """Return queryOrder's data of a draft. Raises: Unexpected."""
        return self.call("queryOrder", {"pending_no": pending_no})

    def require(self, order_no: str, status: str) -> str:
        """Check an order's status and return it. Raises: Unexpected."""
        found = str(self.order(order_no)["status"])
        if found != status:
            raise Unexpected(f"the order is {found}, not {status}")
        return found

    def available(self) -> Decimal:
        """Return the merchant's available live USDT. Raises: Unexpected."""
        return Decimal(self.call("balance", {})["live"]["available"])

    def call(self, name: str, parameters: dict[str, Parameter]) -> dict[str, Any]:
        """Sign and call a route below /merchant; return its data. Raises: Unexpected."""
        path = f"/merchant/{name}"
        whole: dict[str, Parameter] = {
            "api_key": self.api_key,
            "timestamp": int(time.time()),
            "nonce": secrets.token_hex(12),
            **parameters,
        }
        text = signing.string_to_sign("POST", path, {n: _signable(v) for n, v in whole.items()})
        body = {**whole, "signature": signing.sign(self.api_secret, text)}
        answer = urllib3.request(
            "POST", self.base_url + path, json=body, timeout=ANSWER_SECONDS_MAX, retries=False
        )
        return _data(name, answer.data)


def _signable(value: Parameter) -> JsonValue:
    return JsonNumber(str(value)) if isinstance(value, int) else value


def _data(name: str, body: bytes) -> dict[str, Any]:
    try:
        envelope = json.loads(body)
        code, message, data = envelope["code"], envelope["msg"], envelope["data"]
    except (ValueError, KeyError, TypeError):
        raise Unexpected(f"{name} answers {body[:ANSWER_SHOWN_BYTES]!r}") from None
    if code != DONE:
        raise Unexpected(f"{name} answers {code} {message}")
    done: dict[str, Any] = data
    return done
