"""A customer's browser at the identity page's handler."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from orderdesk.domain.merchants.merchant import Merchant
from tests.support.events import proxy_event
from tests.support.merchant_client import buy
from tests.support.world import World

ROUTE = "/identity/{pending_no}/{token}"
ORIGIN = "https://pay.example.com"
FROM_PAGE = {"Sec-Fetch-Site": "same-origin", "Origin": ORIGIN}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Visit:
    """The answer: status, body, headers."""

    status: int
    html: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Customer:
    """The holder of a draft's link; `language` is the page's query parameter."""

    world: World
    merchant: Merchant
    pending_no: str
    token: str
    language: str | None = None

    def opens(self, method: str = "GET") -> Visit:
        """Open the link."""
        return self._call(method, b"", {})

    def sends(
        self, fields: Mapping[str, str] | None = None, headers: Mapping[str, str] = FROM_PAGE
    ) -> Visit:
        """Send the form."""
        return self.posts(urlencode(fields or {}).encode(), {**FORM, **headers})

    def posts(self, body: bytes, headers: Mapping[str, str]) -> Visit:
        """Send anything."""
        return self._call("POST", body, headers)

    def stored(self) -> Any:
        """Read the draft's item."""
        return self.world.get("Orders", {"pk": self.pending_no})

    def _call(self, method: str, body: bytes, headers: Mapping[str, str]) -> Visit:
        if "identity_page" not in self.world.modules:
            self.world.cold_start("identity_page")
        names = {"pending_no": self.pending_no, "token": self.token}
        event = proxy_event(method, ROUTE, body=body, headers=headers, path_parameters=names)
        if self.language:
            event["queryStringParameters"] = {"lang": self.language}
        answer = self.world.modules["identity_page"].handler(event, None)
        return Visit(answer["statusCode"], answer["body"], answer["headers"])


def held_link(world: World, **parameters: Any) -> tuple[Merchant, str]:
    """Create a draft of a merchant with an agreement; return the merchant and the draft's link."""
    merchant, client = world.add_merchant(identity_required=True)
    return merchant, client.create(buy(**parameters)).data["identity_url"]


def customer_of(world: World, **parameters: Any) -> Customer:
    """Create a draft that a trader fits; return its customer."""
    world.add_trader()
    merchant, url = held_link(world, **parameters)
    match = re.fullmatch(rf"{ORIGIN}/identity/([^/]+)/([^/]+)", url)
    assert match is not None
    return Customer(world, merchant, match[1], match[2])
