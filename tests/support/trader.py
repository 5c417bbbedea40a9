"""What a trader's browser sends to the desk, as events for its function."""

import html
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlencode

from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.credentials import new_access_code
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.pages.forms import FORM_TYPE
from tests.support.events import proxy_event
from tests.support.merchant_client import buy, sell
from tests.support.seed import ALL_METHODS, Seed
from tests.support.world import ENVIRONMENT, World

ORDER = "/trader/orders/{order_no}"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]
_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def add_trader_with_code(seed: Seed, **changes: Any) -> tuple[Trader, str]:
    """Add a trader of all methods; give it and its access code."""
    code = new_access_code(secrets.randbelow)
    changes = {"methods": ALL_METHODS, "access_code_hash": token_hash(code), **changes}
    return seed.add_trader(**changes), code


@dataclass(slots=True)
class TraderVisit:
    """A trader's browser; its cookie comes from the log-in and goes with the log-out."""

    world: World
    trader: Trader
    code: str = field(repr=False)
    cookie: str | None = None
    source_ip: str = "198.51.100.30"

    @classmethod
    def new(cls, world: World, **changes: Any) -> Self:
        """Add a trader who has not logged in."""
        return cls(world, *add_trader_with_code(world, **changes))

    @classmethod
    def of_new_trader(cls, world: World, **changes: Any) -> Self:
        """Add a trader and log in."""
        visit = cls.new(world, **changes)
        assert visit.log_in()["statusCode"] == 303
        return visit

    def log_in(self, code: str | None = None) -> dict[str, Any]:
        """Send the log-in's form."""
        return self.post("/trader/login", form={"access_code": self.code if code is None else code})

    def is_in(self) -> bool:
        """Tell whether the desk opens, or leads to the log-in."""
        answer = self.get("/trader/orders")
        assert answer["statusCode"] == 200 or answer["headers"]["Location"] == "login"
        return bool(answer["statusCode"] == 200)

    def get(self, route: str, order_no: str = "", **query: str) -> dict[str, Any]:
        """Open a page of the desk."""
        return self.send("GET", route, order_no=order_no, query=query)

    def post(
        self,
        route: str,
        order_no: str = "",
        headers: Mapping[str, str] = OWN_PAGE,
        form: Mapping[str, str] | None = None,
        **query: str,
    ) -> dict[str, Any]:
        """Send one of the desk's forms."""
        body = urlencode(form or {}).encode()
        return self.send("POST", route, order_no=order_no, query=query, headers=headers, body=body)

    def send(
        self,
        method: str,
        route: str,
        *,
        order_no: str = "",
        number: str = "1",
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> dict[str, Any]:
        """Send a request as it is; the cookie of the answer is kept."""
        if "trader_desk" not in self.world.modules:
            self.world.cold_start("trader_desk")
        names = {"order_no": order_no, "number": number}
        event = proxy_event(
            method,
            route,
            body=body,
            headers=dict(headers or {}) | {"Content-Type": FORM_TYPE} | self._cookie(),
            path_parameters={name: v for name, v in names.items() if f"{{{name}}}" in route},
            source_ip=self.source_ip,
        )
        event["queryStringParameters"] = dict(query or {}) or None
        answer: dict[str, Any] = self.world.modules["trader_desk"].handler(event, None)
        if set_cookie := answer["headers"].get("Set-Cookie"):
            self.cookie = set_cookie.partition(";")[0].partition("=")[2] or None
        return answer

    def _cookie(self) -> dict[str, str]:
        return {} if self.cookie is None else {"Cookie": f"a=b; __Host-trader={self.cookie}"}

    def buy(self, **parameters: Any) -> Order:
        """Have a merchant create a buy, which comes to the only trader online."""
        _, client = self.world.add_merchant()
        made = client.create(buy(cny_amount="1000.37", **parameters)).data
        return self.order(made["order_no"])

    def sell(self, **parameters: Any) -> Order:
        """Have a merchant create a sell and the assigner offer it."""
        merchant, client = self.world.add_merchant()
        self.world.fund(merchant, 10**12)
        made = client.create(sell(**parameters)).data
        assert self.world.cold_start("assign_sells").handler({}, TimeLeft())["assigned"] == 1
        return self.order(made["order_no"])

    def order(self, order_no: str) -> Order:
        """Read an order as it is now."""
        item = self.world.get("Orders", {"pk": order_no})
        assert item is not None
        return order_of(item)

    def upload_fields(self, order_no: str, **query: str) -> dict[str, str]:
        """Give the hidden fields of the page's form for a proof."""
        found = _FIELD.findall(self.get(ORDER, order_no, **query)["body"])
        return {name: html.unescape(value) for name, value in found}

    def upload(self, order_no: str, content: bytes, **query: str) -> dict[str, Any]:
        """Put a file where the form would, come back as S3 sends the browser, and go on."""
        key = self.upload_fields(order_no, **query)["key"]
        self.put(key, content)
        return self.come_back(order_no, key, **query)

    def put(self, key: str, content: bytes) -> None:
        """Put a file where a form would."""
        self.world.s3.put_object(Bucket=UPLOADS, Key=key, Body=content)

    def come_back(self, order_no: str, key: str, **query: str) -> dict[str, Any]:
        """Open the address that S3 redirects to, without the cookie, and press the button."""
        here = {"bucket": UPLOADS, "key": key, "etag": "e", **query}
        page = replace(self, cookie=None).get(f"{ORDER}/proof", order_no, **here)
        assert page["statusCode"] == 200
        form = {name: html.unescape(value) for name, value in _FIELD.findall(page["body"])}
        return self.post(f"{ORDER}/proof", order_no, OWN_PAGE, form, **query)


class TimeLeft:
    """A Lambda context with time left."""

    def get_remaining_time_in_millis(self) -> int:
        return 55_000
