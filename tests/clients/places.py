"""The stacks for the clients' tests: a test's stack, or the one of `make run`."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from orderdesk.domain.credentials import new_callback_secret
from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import MerchantClient, Reply
from tests.support.merchant_receiver import add_callback_merchant, sign_with
from tests.support.seed import ALL_METHODS
from tests.support.stack_seed import StackSeed

PLENTY_MICRO = 10**15
NOWHERE = "http://127.0.0.1:9/"


@dataclass(frozen=True, slots=True)
class Place:
    """A merchant of a stack, with funds and traders.

    `merchant` and `test_merchant` sign with the tests' code, and the live and the test key.
    """

    base_url: str
    merchant: MerchantClient
    test_merchant: MerchantClient
    callback_secret: str

    @property
    def environment(self) -> dict[str, str]:
        """Return what the site's programs read, with the test key."""
        return {
            "ORDERDESK_BASE_URL": self.base_url,
            "ORDERDESK_API_KEY": self.test_merchant.api_key,
            "ORDERDESK_API_SECRET": self.test_merchant.api_secret,
            "ORDERDESK_CALLBACK_SECRET": self.callback_secret,
        }

    def request(self, method: str, *arguments: str, **changes: Any) -> dict[str, Any]:
        """Return a driver's request for a call; the arguments are JSON."""
        return {
            "do": "call",
            "base_url": self.base_url,
            "api_key": self.merchant.api_key,
            "api_secret": self.merchant.api_secret,
            "test": False,
            "timeout_seconds": 60,
            "method": method,
            "arguments": arguments,
            **changes,
        }


def place_of_seed(seed: StackSeed, funds_micro: int = PLENTY_MICRO) -> Place:
    """Add a merchant to a stack. Its seeded funds have no posting."""
    seed.only_trader(methods=ALL_METHODS)
    seed.add_trader(mode=Mode.TEST)
    merchant, client, secret = add_callback_merchant(seed, NOWHERE)
    merchant, test_client = seed.add_test_key(merchant)
    # Its secret rotates: callbacks are signed by a newer one too.
    merchant = sign_with(seed, merchant, new_callback_secret(secrets.randbelow), secret)
    for mode in Mode:
        seed.fund(merchant, funds_micro, mode)
    return Place(seed.stack.base_url, client, test_client, secret)


def place_of_running(described: Mapping[str, Any]) -> Place:
    base_url, demo = described["base_url"], described["demo"]["merchant"]

    def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        response = httpx.post(base_url + path, content=body, headers=headers, timeout=None)
        return Reply(response.status_code, response.json(), dict(response.headers))

    merchant = MerchantClient(send, demo["api_key"], demo["api_secret"])
    test_merchant = MerchantClient(send, demo["test_api_key"], demo["test_api_secret"])
    return Place(base_url, merchant, test_merchant, demo["callback_secret"])


def new_number(language: str) -> str:
    return f"clients-{language}-{time.time_ns()}"
