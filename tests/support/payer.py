"""The holder of a pay page's link, in this process or on the deployed stack."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from tests.support.merchant_client import buy
from tests.support.seed import ALL_METHODS, Seed
from tests.support.visitors import OWN_PAGE, Answer, Browser, UploadForm, hidden_fields, kept_query
from tests.support.world import ENVIRONMENT

PAGE = "/pay/{order_no}/{token}"
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]
_LINK = re.compile(r".*/pay/([^/]+)/([^/]+)")


@dataclass(slots=True)
class Payer(Browser):
    """A payer's browser."""

    order_no: str
    token: str
    source_ip: str = field(default="198.51.100.7", kw_only=True)
    function: ClassVar[str] = "pay_page"

    @classmethod
    def of_link(cls, seed: Seed, pay_url: str) -> Self:
        match = _LINK.fullmatch(pay_url)
        assert match is not None
        return cls(seed, match[1], match[2])

    @classmethod
    def of_new_order(cls, seed: Seed, **parameters: Any) -> Self:
        """Create a buy for a new merchant and a new trader; return its payer."""
        _, client = seed.add_merchant()
        seed.add_trader(methods=ALL_METHODS)
        created = client.create(buy(cny_amount="1000.37", **parameters)).data
        return cls.of_link(seed, created["pay_url"])

    def get(self, part: str = "", **query: str) -> Answer:
        return self.send("GET", part, {}, query)

    def post(
        self,
        part: str,
        headers: Mapping[str, str] = OWN_PAGE,
        form: Mapping[str, str] | None = None,
        **query: str,
    ) -> Answer:
        return self.send("POST", part, headers, query, form)

    def send(
        self,
        method: str,
        part: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        form: Mapping[str, str] | None = None,
        **further: str,
    ) -> Answer:
        body = urlencode(form or {}).encode()
        names = {"order_no": self.order_no, "token": self.token, **further}
        return self.sent(method, PAGE + part, names, query=query, headers=headers, body=body)

    def receipt(self, number: str, **query: str) -> Answer:
        return self.send("GET", "/receipts/{number}", {}, query, number=number)

    def note(self, number: str, **query: str) -> Answer:
        """Ask for a picture of the dispute."""
        return self.send("GET", "/notes/{number}", {}, query, number=number)

    def order(self) -> dict[str, Any]:
        item: Any = self.seed.get(self.seed.tables.orders, {"pk": self.order_no})
        assert item is not None
        return dict(item)

    def upload_fields(self, **query: str) -> dict[str, str]:
        return UploadForm.on(self.get(**query)["body"]).fields

    def upload(
        self, content: bytes, changed: Mapping[str, str] | None = None, **query: str
    ) -> Answer:
        """Upload a file, follow the bucket's redirect and press the button."""
        return self.stored(
            self.get(**query), content, lambda here: self._go_on(OWN_PAGE, here), changed
        )

    def come_back(self, key: str, headers: Mapping[str, str] = OWN_PAGE, **query: str) -> Answer:
        """Open the address that the bucket redirects to, without an upload; press the button."""
        here = {"bucket": UPLOADS, "key": key, "etag": secrets.token_hex(4), **query}
        return self._go_on(headers, here)

    def _go_on(self, headers: Mapping[str, str], here: Mapping[str, str]) -> Answer:
        page = self.get("/receipt", **here)
        if page["statusCode"] != 200:
            return page
        form = hidden_fields(page["body"])
        return self.send("POST", "/receipt", headers, kept_query(here), form)
