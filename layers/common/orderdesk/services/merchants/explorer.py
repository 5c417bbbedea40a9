"""The API explorer: sign a call with a merchant's own test key, and send it (contract section 12).

The call goes over HTTP to the public address, like the merchant's own. Only the test key's secrets
are decrypted.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.callbacks.delivery import Attempt
from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.keys import KeyVault

METHOD = "POST"


class NoTestKey(Refusal):
    """The merchant has no test key yet."""

    reason = "no_test_key"


class Sends(Protocol):
    """Sends a request within limits of time and size."""

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        """Post once; return the response or the failure."""


@dataclass(frozen=True, slots=True)
class SignedBody:
    """A call's string to sign, its signature, and the whole body."""

    string_to_sign: str = field(repr=False)
    signature: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExplorerPorts:
    """`sender` is created on first use, because most requests need none."""

    vault: KeyVault
    new_nonce: Callable[[], str]
    sender: Callable[[], Sends]

    def sign(
        self, merchant: Merchant, path: str, params: Mapping[str, JsonValue], now: int
    ) -> SignedBody:
        """Add the common parameters, and sign with the newest secret of the test key.

        `params` must have no `signable_problems`. A timestamp and a nonce of their own are kept, so
        that a developer can try what is refused. Raises: NoTestKey, TryAgain.
        """
        if not merchant.test_api_key:
            raise NoTestKey
        sealed = merchant.sealed_test_secrets
        secret = self.vault.unseal_key(merchant.merchant_id, Mode.TEST, sealed).api_secrets[0]
        whole: dict[str, JsonValue] = {
            "timestamp": JsonNumber(str(now)),
            "nonce": self.new_nonce(),
            **params,
            "api_key": merchant.test_api_key,
        }
        text = signing.string_to_sign(METHOD, path, whole)
        signature = signing.sign(secret, text)
        return SignedBody(text, signature, json_text({**whole, "signature": signature}))


def json_text(value: JsonValue) -> str:
    """Serialise a value; each number keeps its text."""
    match value:
        case JsonNumber():
            return value.text
        case dict():
            members = (f"{json_text(name)}:{json_text(inner)}" for name, inner in value.items())
            return f"{{{','.join(members)}}}"
        case list():
            return f"[{','.join(map(json_text, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)
