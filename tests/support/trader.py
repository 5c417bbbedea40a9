"""A trader's browser at the desk, on moto or on the deployed stack."""

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
from tests.support.merchant_client import buy, sell
from tests.support.page_forms import FORM_TYPE, OWN_PAGE, UploadForm, hidden_fields, query_of_return
from tests.support.seed import ALL_METHODS, Seed
from tests.support.transports import Answer, PageRequest
from tests.support.world import ENVIRONMENT

ORDER = "/trader/orders/{order_no}"
REASON = "no transfer from anybody of this name"
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]


def add_trader_with_code(seed: Seed, **changes: Any) -> tuple[Trader, str]:
    """Add a trader of all methods; give it and its access code."""
    code = new_access_code(secrets.randbelow)
    changes = {"methods": ALL_METHODS, "access_code_hash": token_hash(code), **changes}
    return seed.add_trader(**changes), code


def any_address() -> str:
    """Give an address of documentation's network: log-ins are counted by address."""
    return f"198.51.100.{1 + secrets.randbelow(254)}"


@dataclass(slots=True)
class TraderVisit:
    """A trader's browser; its cookie comes from the log-in and goes with the log-out.

    How its requests travel is the seed's transport.
    """

    seed: Seed
    trader: Trader
    code: str = field(repr=False)
    cookie: str | None = field(default=None, repr=False)
    source_ip: str = field(default_factory=any_address)

    @classmethod
    def new(cls, seed: Seed, **changes: Any) -> Self:
        """Add a trader who has not logged in."""
        return cls(seed, *add_trader_with_code(seed, **changes))

    @classmethod
    def of_new_trader(cls, seed: Seed, **changes: Any) -> Self:
        """Add a trader and log in."""
        visit = cls.new(seed, **changes)
        answer = visit.log_in()
        assert answer["statusCode"] == 303, answer["statusCode"]
        return visit

    def log_in(self, code: str | None = None) -> Answer:
        """Send the log-in's form."""
        return self.post("/trader/login", form={"access_code": self.code if code is None else code})

    def is_in(self) -> bool:
        """Tell whether the desk opens, or leads to the log-in."""
        answer = self.get("/trader/orders")
        assert answer["statusCode"] == 200 or answer["headers"]["Location"] == "login"
        return bool(answer["statusCode"] == 200)

    def get(
        self, route: str, order_no: str = "", *, method_type: str = "bank", **query: str
    ) -> Answer:
        """Open a page of the desk."""
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
        """Send one of the desk's forms; a report has a reason."""
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
        """Send a request as it is; the cookie of the answer is kept."""
        names = {"order_no": order_no, "number": number, "method_type": method_type}
        request = PageRequest(
            "trader_desk",
            method,
            route,
            {name: value for name, value in names.items() if f"{{{name}}}" in route},
            self.source_ip,
            dict(query or {}),
            dict(headers or {}) | {"Content-Type": FORM_TYPE} | self._cookie(),
            body,
        )
        answer = self.seed.transport().send(request)
        if set_cookie := answer["headers"].get("Set-Cookie"):
            self.cookie = set_cookie.partition(";")[0].partition("=")[2] or None
        return answer

    def _cookie(self) -> dict[str, str]:
        # By hand: the cookie is Secure, and a local stack is not.
        return {} if self.cookie is None else {"Cookie": f"a=b; __Host-trader={self.cookie}"}

    def buy(self, **parameters: Any) -> Order:
        """Have a merchant create a buy, which comes to the only trader online."""
        _, client = self.seed.add_merchant()
        made = client.create(buy(cny_amount="1000.37", **parameters)).data
        return self.order(made["order_no"])

    def sell(self, **parameters: Any) -> Order:
        """Have a merchant create a sell and the assigner offer it."""
        merchant, client = self.seed.add_merchant()
        self.seed.fund(merchant, 10**12)
        made = client.create(sell(**parameters)).data
        self.seed.assign_sells()
        order = self.order(made["order_no"])
        assert order.trader_id == self.trader.trader_id
        return order

    def order(self, order_no: str) -> Order:
        """Read an order as it is now."""
        item = self.seed.get(self.seed.tables.orders, {"pk": order_no})
        assert item is not None
        return order_of(item)

    def move(self, order_no: str, what: str) -> int:
        """Send one of an order's forms (confirm, report, decline); give the answer's status."""
        return int(self.post(f"{ORDER}/{what}", order_no)["statusCode"])

    def upload_fields(self, order_no: str, **query: str) -> dict[str, str]:
        """Give the hidden fields of the page's form for a proof."""
        return UploadForm.on(self.get(ORDER, order_no, **query)["body"]).fields

    def upload(self, order_no: str, content: bytes, **query: str) -> Answer:
        """Send a file with the page's form, come back as the bucket says, and press the button."""
        form = UploadForm.on(self.get(ORDER, order_no, **query)["body"])
        assert form.action, "the page has no upload form"
        taken = self.seed.transport().upload(form.action, form.fields, content)
        if taken["statusCode"] != 303:
            return taken
        return self._go_on(order_no, query_of_return(taken))

    def come_back(self, order_no: str, key: str, **query: str) -> Answer:
        """Open the address that S3 redirects to, whatever was sent there; press the button."""
        return self._go_on(order_no, {"bucket": UPLOADS, "key": key, "etag": "e", **query})

    def _go_on(self, order_no: str, here: Mapping[str, str]) -> Answer:
        """Come without the cookie, which no browser sends on the way back from S3."""
        page = replace(self, cookie=None).get(f"{ORDER}/proof", order_no, **here)
        if page["statusCode"] != 200:
            return page
        kept = {name: value for name, value in here.items() if name in {"lang", "stay"}}
        form = hidden_fields(page["body"])
        return self.post(f"{ORDER}/proof", order_no, OWN_PAGE, form, **kept)
