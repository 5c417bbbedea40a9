"""A merchant's client, written from the contract and independent of the package.

It signs as contract section 2 says, with the rfc8785 package for objects and arrays.
"""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785


class Raw(str):
    """A JSON number that is sent and signed with exactly this text."""

    __slots__ = ()


def signed_text(value: Any) -> str:
    """Return the text of a parameter's value in the string to sign."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return rfc8785.dumps(value).decode()
    return json.dumps(value)


def string_to_sign(method: str, path: str, params: Mapping[str, Any]) -> str:
    lines = [f"{method} {path}"]
    for name in sorted(params, key=str.encode):
        value = params[name]
        if name == "signature" or value is None or value == "":
            continue
        lines.append(f"{name}={signed_text(value)}")
    return "\n".join(lines)


def sign(api_secret: str, path: str, params: Mapping[str, Any]) -> str:
    text = string_to_sign("POST", path, params)
    return hmac.new(api_secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def body_of(params: Mapping[str, Any]) -> str:
    """Return the JSON body; `Raw` numbers keep their text."""
    pairs = (
        f"{json.dumps(name)}:{value if isinstance(value, Raw) else json.dumps(value)}"
        for name, value in params.items()
    )
    return "{" + ",".join(pairs) + "}"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: HTTP status, envelope, headers with lower-case names."""

    status: int
    envelope: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def code(self) -> int:
        code = self.envelope.get("code")
        assert isinstance(code, int), f"no envelope: {self}"
        return code

    @property
    def data(self) -> Any:
        return self.envelope["data"]


type Send = Callable[[str, bytes, Mapping[str, str]], Reply]
"""Posts a body to a path with headers, over HTTP or to a handler in this process."""


@dataclass(frozen=True, slots=True)
class MerchantClient:
    """Calls the merchant API as a merchant would."""

    send: Send
    api_key: str
    api_secret: str

    def common(self) -> dict[str, Any]:
        """Return new common parameters, unsigned."""
        return {
            "api_key": self.api_key,
            "timestamp": int(time.time()),
            "nonce": secrets.token_hex(12),
        }

    def signed(self, path: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters with the signature, and with common ones where missing."""
        whole = {**self.common(), **params}
        return {**whole, "signature": sign(self.api_secret, path, whole)}

    def post(
        self, path: str, params: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> Reply:
        return self.post_as_is(path, self.signed(path, params), headers)

    def post_as_is(
        self, path: str, params: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Post parameters as they are, with whatever signature they have."""
        return self.post_text(path, body_of(params), headers)

    def post_text(
        self, path: str, body: str | bytes, headers: Mapping[str, str] | None = None
    ) -> Reply:
        raw = body.encode() if isinstance(body, str) else body
        return self.send(path, raw, {"content-type": "application/json", **(headers or {})})

    def create(self, params: Mapping[str, Any], *, route: str = "merchant") -> Reply:
        return self.post(f"/{route}/createOrder", params)

    def query(self, **number: str) -> Reply:
        return self.post("/merchant/queryOrder", number)

    def cancel(self, created: Reply) -> Reply:
        return self.post("/merchant/cancelOrder", {"order_no": created.data["order_no"]})

    def dispute(self, created: Reply) -> Reply:
        return self.post("/merchant/disputeOrder", {"order_no": created.data["order_no"]})

    def listed(self, **params: Any) -> Any:
        reply = self.post("/merchant/listOrders", params)
        assert reply.code == 1, reply
        return reply.data

    def balance(self) -> Any:
        return self.post("/merchant/balance", {}).data


def buy(**changes: Any) -> dict[str, Any]:
    return {"order_type": 1, "cny_amount": "1000.00", **changes}


BANK = {
    "method_type": "bank",
    "real_name": "测试甲",
    "bank": "测试银行",
    "sub_bank": "测试支行",
    "card_number": "6200000000000000017",
}
WALLET = {
    "method_type": "alipay",
    "real_name": "测试乙",
    "account": "payee@example.com",
    "qr_code": "https://img.example.com/code.png",
}


def sell(**changes: Any) -> dict[str, Any]:
    return {"order_type": 2, "cny_amount": "1000.00", "payment_method": dict(BANK), **changes}
