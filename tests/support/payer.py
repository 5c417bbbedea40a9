"""What a payer's browser sends to the pay page, as events for its function."""

import html
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlencode

from orderdesk.web.pages.forms import FORM_TYPE
from tests.support.events import proxy_event
from tests.support.merchant_client import buy
from tests.support.seed import ALL_METHODS
from tests.support.world import ENVIRONMENT, World

PAGE = "/pay/{order_no}/{token}"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
UPLOADS, RECEIPTS = ENVIRONMENT["UPLOADS_BUCKET"], ENVIRONMENT["RECEIPTS_BUCKET"]
_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass(slots=True)
class Payer:
    """The holder of a pay page's link."""

    world: World
    order_no: str
    token: str
    source_ip: str = "198.51.100.7"

    @classmethod
    def of_new_order(cls, world: World, **parameters: Any) -> Self:
        """Create a buy and take its pay_url apart."""
        _, client = world.add_merchant()
        world.add_trader(methods=ALL_METHODS)
        url = client.create(buy(cny_amount="1000.37", **parameters)).data["pay_url"]
        match = re.fullmatch(r"https://pay\.example\.com/pay/([^/]+)/([^/]+)", url)
        assert match is not None
        return cls(world, match[1], match[2])

    def get(self, part: str = "", **query: str) -> dict[str, Any]:
        """Open the page or a part of it."""
        return self._send("GET", part, {}, query)

    def post(
        self, part: str, headers: Mapping[str, str] = OWN_PAGE, **query: str
    ) -> dict[str, Any]:
        """Send one of the page's forms."""
        return self._send("POST", part, headers, query)

    def _send(
        self,
        method: str,
        part: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        form: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        if "pay_page" not in self.world.modules:
            self.world.cold_start("pay_page")
        names = {"order_no": self.order_no, "token": self.token}
        event = proxy_event(
            method,
            PAGE + part,
            body=urlencode(form or {}).encode(),
            headers={**headers, "Content-Type": FORM_TYPE},
            path_parameters=names,
            source_ip=self.source_ip,
        )
        event["queryStringParameters"] = dict(query) or None
        answer: dict[str, Any] = self.world.modules["pay_page"].handler(event, None)
        return answer

    def order(self) -> dict[str, Any]:
        """Give the order's item."""
        item: Any = self.world.get("Orders", {"pk": self.order_no})
        assert item is not None
        return dict(item)

    def upload_fields(self, **query: str) -> dict[str, str]:
        """Give the hidden fields of the page's form for a receipt."""
        found = _FIELD.findall(self.get(**query)["body"])
        return {name: html.unescape(value) for name, value in found}

    def upload(self, content: bytes, **query: str) -> dict[str, Any]:
        """Put a file where the form would, come back as S3 sends the browser, and go on."""
        key = self.upload_fields().get("key") or f"uploads/{self.order_no}/payer/5"
        self.put(key, content)
        return self.come_back(key, OWN_PAGE, **query)

    def put(self, key: str, content: bytes) -> None:
        """Put a file where a form would."""
        self.world.s3.put_object(Bucket=UPLOADS, Key=key, Body=content)

    def come_back(
        self, key: str, headers: Mapping[str, str] = OWN_PAGE, **query: str
    ) -> dict[str, Any]:
        """Open the address that S3 redirects to, and press the page's button."""
        here = {"bucket": UPLOADS, "key": key, "etag": secrets.token_hex(4), **query}
        page = self.get("/receipt", **here)
        if page["statusCode"] != 200:
            return page
        fields = dict(_FIELD.findall(page["body"]))
        form = {name: html.unescape(value) for name, value in fields.items()}
        return self._send("POST", "/receipt", headers, query, form)

    def stored(self, bucket: str = RECEIPTS) -> dict[str, bytes]:
        """Give every file in a bucket."""
        listed = self.world.s3.list_objects_v2(Bucket=bucket).get("Contents", [])
        return {
            entry["Key"]: self.world.s3.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            for entry in listed
        }
