"""A trader's browser at the desk, and its push device, in this process or on the deployed stack."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.credentials import new_access_code
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pushes.devices import device_key
from orderdesk.domain.traders.trader import Trader
from tests.support.merchant_client import buy, sell
from tests.support.seed import ALL_METHODS, Seed
from tests.support.visitors import OWN_PAGE, Answer, Browser, UploadForm, hidden_fields, kept_query
from tests.support.world import ENVIRONMENT

ORDER = "/trader/orders/{order_no}"
REASON = "no transfer from anybody of this name"
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]


def add_trader_with_code(seed: Seed, **changes: Any) -> tuple[Trader, str]:
    """Add a trader with all payment methods; return it and its access code, which was used."""
    code = new_access_code(secrets.randbelow)
    code_hash = token_hash(code)
    used = {"access_code_hash": code_hash, "code_used": code_hash[:8]}
    changes = {"methods": ALL_METHODS, **used, **changes}
    return seed.add_trader(**changes), code


@dataclass(slots=True)
class TraderVisit(Browser):
    """A trader's browser."""

    trader: Trader
    code: str = field(repr=False)
    function: ClassVar[str] = "trader_desk"
    cookie_name: ClassVar[str] = "__Host-trader"

    @classmethod
    def new(cls, seed: Seed, **changes: Any) -> Self:
        """Add a trader, who is not logged in."""
        return cls(seed, *add_trader_with_code(seed, **changes))

    @classmethod
    def of_new_trader(cls, seed: Seed, **changes: Any) -> Self:
        """Add a trader and log in."""
        visit = cls.new(seed, **changes)
        answer = visit.log_in()
        assert answer["statusCode"] == 303, answer["statusCode"]
        return visit

    def log_in(self, code: str | None = None) -> Answer:
        return self.post("/trader/login", form={"access_code": self.code if code is None else code})

    def is_in(self) -> bool:
        """Return whether the desk opens; otherwise it must redirect to the login."""
        answer = self.get("/trader/orders")
        assert answer["statusCode"] == 200 or answer["headers"]["Location"] == "login"
        return bool(answer["statusCode"] == 200)

    def get(
        self, route: str, order_no: str = "", *, method_type: str = "bank", **query: str
    ) -> Answer:
        return self.send("GET", route, order_no=order_no, method_type=method_type, query=query)

    def post(
        self,
        route: str,
        order_no: str = "",
        headers: Mapping[str, str] = OWN_PAGE,
        form: Mapping[str, str] | None = None,
        *,
        method_type: str = "bank",
        **query: str,
    ) -> Answer:
        """Send one of the desk's forms; a report has a reason by default."""
        if form is None and route.endswith("/report"):
            form = {"reason": REASON}
        body = urlencode(form or {}).encode()
        names = {"order_no": order_no, "method_type": method_type}
        return self.send("POST", route, **names, query=query, headers=headers, body=body)

    def send(
        self,
        method: str,
        route: str,
        *,
        order_no: str = "",
        number: str = "1",
        method_type: str = "bank",
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        names = {"order_no": order_no, "number": number, "method_type": method_type}
        in_route = {name: value for name, value in names.items() if f"{{{name}}}" in route}
        return self.sent(method, route, in_route, query=query, headers=headers or {}, body=body)

    def buy(self, **parameters: Any) -> Order:
        """Create a buy of a new merchant; it goes to the only trader online."""
        _, client = self.seed.add_merchant()
        made = client.create(buy(**{"cny_amount": "1000.37", **parameters})).data
        return self.order(made["order_no"])

    def sell(self, **parameters: Any) -> Order:
        """Create a sell of a new merchant, and run the assigner."""
        merchant, client = self.seed.add_merchant()
        self.seed.fund(merchant, 10**12)
        made = client.create(sell(**parameters)).data
        self.seed.assign_sells()
        order = self.order(made["order_no"])
        assert order.trader_id == self.trader.trader_id
        return order

    def order(self, order_no: str) -> Order:
        item = self.seed.get(self.seed.tables.orders, {"pk": order_no})
        assert item is not None
        return order_of(item)

    def move(self, order_no: str, what: str) -> int:
        """Send one of an order's forms (confirm, report, decline); return the status."""
        return int(self.post(f"{ORDER}/{what}", order_no)["statusCode"])

    def upload_fields(self, order_no: str, **query: str) -> dict[str, str]:
        return UploadForm.on(self.get(ORDER, order_no, **query)["body"]).fields

    def upload(self, order_no: str, content: bytes, **query: str) -> Answer:
        """Upload a proof, follow the bucket's redirect and press the button."""
        page = self.get(ORDER, order_no, **query)
        return self.stored(page, content, lambda here: self._go_on(order_no, here))

    def come_back(self, order_no: str, key: str, **query: str) -> Answer:
        """Open the address that the bucket redirects to, without an upload; press the button."""
        return self._go_on(order_no, {"bucket": UPLOADS, "key": key, "etag": "e", **query})

    def _go_on(self, order_no: str, here: Mapping[str, str]) -> Answer:
        """Arrive without the cookie, which no browser sends after the redirect from S3."""
        page = replace(self, cookie="").get(f"{ORDER}/proof", order_no, **here)
        if page["statusCode"] != 200:
            return page
        form = hidden_fields(page["body"])
        return self.post(f"{ORDER}/proof", order_no, OWN_PAGE, form, **kept_query(here))


def push_on(visit: TraderVisit, endpoint: str) -> Answer:
    return visit.post("/trader/push", form={"endpoint": endpoint})


def push_off(visit: TraderVisit, endpoint: str) -> Answer:
    return visit.post("/trader/push/off", form={"endpoint": endpoint})


def push_key_shown(visit: TraderVisit) -> str:
    """Return the key that a browser subscribes with."""
    return str(json.loads(visit.get("/trader/push")["body"])["key"])


def endpoints_of(visit: TraderVisit) -> list[str]:
    found = visit.seed.get(visit.seed.tables.guards, {"pk": Key.push(visit.trader.trader_id)})
    item: dict[str, Any] = found or {"devices": []}
    return [device["endpoint"] for device in item["devices"]]


def push_event(visit: TraderVisit, endpoint: str, until: int, count: int = 1) -> dict[str, Any]:
    """Return send-push's event for one device."""
    push = {"trader_id": visit.trader.trader_id, "device": device_key(endpoint), "until": until}
    record = {
        "messageId": "1",
        "receiptHandle": "handle",
        "body": json.dumps(push),
        "attributes": {"ApproximateReceiveCount": str(count)},
    }
    return {"Records": [record]}
