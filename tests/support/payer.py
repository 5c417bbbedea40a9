"""The holder of a pay page's link, on moto or on the deployed stack."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode

from tests.support.merchant_client import buy
from tests.support.page_forms import FORM_TYPE, OWN_PAGE, UploadForm, hidden_fields, query_of_return
from tests.support.seed import ALL_METHODS, Seed
from tests.support.transports import Answer, PageRequest
from tests.support.world import ENVIRONMENT

PAGE = "/pay/{order_no}/{token}"
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]
_LINK = re.compile(r".*/pay/([^/]+)/([^/]+)")


@dataclass(slots=True)
class Payer:
    """A payer's browser; how its requests travel is the seed's transport."""

    seed: Seed
    order_no: str
    token: str
    source_ip: str = "198.51.100.7"

    @classmethod
    def of_link(cls, seed: Seed, pay_url: str) -> Self:
        """Take a pay_url apart."""
        match = _LINK.fullmatch(pay_url)
        assert match is not None
        return cls(seed, match[1], match[2])

    @classmethod
    def of_new_order(cls, seed: Seed, **parameters: Any) -> Self:
        """Create a buy that a new trader takes, and give its payer."""
        _, client = seed.add_merchant()
        seed.add_trader(methods=ALL_METHODS)
        created = client.create(buy(cny_amount="1000.37", **parameters)).data
        return cls.of_link(seed, created["pay_url"])

    def get(self, part: str = "", **query: str) -> Answer:
        """Open the page or a part of it."""
        return self._send("GET", part, {}, query)

    def post(
        self,
        part: str,
        headers: Mapping[str, str] = OWN_PAGE,
        form: Mapping[str, str] | None = None,
        **query: str,
    ) -> Answer:
        """Send one of the page's forms."""
        return self._send("POST", part, headers, query, form)

    def _send(
        self,
        method: str,
        part: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        form: Mapping[str, str] | None = None,
        **further: str,
    ) -> Answer:
        headers = {**headers, "Content-Type": FORM_TYPE}
        body = urlencode(form or {}).encode()
        names = {"order_no": self.order_no, "token": self.token, **further}
        route = PAGE + part
        request = PageRequest(
            "pay_page", method, route, names, self.source_ip, query, headers, body
        )
        return self.seed.transport().send(request)

    def receipt(self, number: str, **query: str) -> Answer:
        """Open the picture of a receipt."""
        return self._send("GET", "/receipts/{number}", {}, query, number=number)

    def order(self) -> dict[str, Any]:
        """Give the order's item."""
        item: Any = self.seed.get(self.seed.tables.orders, {"pk": self.order_no})
        assert item is not None
        return dict(item)

    def upload_fields(self, **query: str) -> dict[str, str]:
        """Give the hidden fields of the page's form for a receipt."""
        return UploadForm.on(self.get(**query)["body"]).fields

    def upload(
        self, content: bytes, changed: Mapping[str, str] | None = None, **query: str
    ) -> Answer:
        """Send a file with the page's form, come back as the bucket says, and press the button.

        Gives the bucket's answer where it refuses the file. `changed` are fields that the payer
        has changed in the form.
        """
        form = UploadForm.on(self.get(**query)["body"])
        assert form.action, "the page has no upload form"
        fields = {**form.fields, **(changed or {})}
        taken = self.seed.transport().upload(form.action, fields, content)
        if taken["statusCode"] != 303:
            return taken
        return self._go_on(OWN_PAGE, query_of_return(taken))

    def come_back(self, key: str, headers: Mapping[str, str] = OWN_PAGE, **query: str) -> Answer:
        """Open the address that S3 redirects to, whatever was sent there; press the button."""
        here = {"bucket": UPLOADS, "key": key, "etag": secrets.token_hex(4), **query}
        return self._go_on(headers, here)

    def _go_on(self, headers: Mapping[str, str], here: Mapping[str, str]) -> Answer:
        page = self.get("/receipt", **here)
        if page["statusCode"] != 200:
            return page
        kept = {name: value for name, value in here.items() if name in {"lang", "stay"}}
        return self._send("POST", "/receipt", headers, kept, hidden_fields(page["body"]))
