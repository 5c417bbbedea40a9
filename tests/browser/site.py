"""The pages on a local HTTP server, answered by the functions' handlers in this process."""

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from types import ModuleType
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, unquote, urlsplit

import segno
from moto import mock_aws
from playwright.sync_api import Page

from orderdesk.adapters.dynamodb.keys import OPEN_BUYS_KIND, Key
from orderdesk.adapters.dynamodb.open_orders import NAMES
from orderdesk.adapters.dynamodb.orders.items import draft_item, order_item
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import preview_key
from tests.browser.bucket import Bucket, bucket_server
from tests.browser.quiet_server import QuietHandler, serving
from tests.support import engine
from tests.support.events import Handler, proxy_event
from tests.support.orders import IDENTITY_TOKEN, MERCHANT_ID, SHOP, TOKEN
from tests.support.template import table_definition, template
from tests.support.world import World

PLENTY = 10**12
# The function of a route, by the route's first part.
FUNCTIONS = {
    "pay": "pay_page",
    "identity": "identity_page",
    "trader": "trader_desk",
    "portal": "merchant_portal",
}


def _routes() -> Iterator[str]:
    for resource in template()["Resources"].values():
        properties = resource.get("Properties", {})
        if properties.get("CodeUri", "").removeprefix("functions/") in FUNCTIONS.values():
            yield from (event["Properties"]["Path"] for event in properties["Events"].values())


ROUTES = tuple(dict.fromkeys(_routes()))


@cache
def payment_code_png() -> bytes:
    """Return a payment code as a PNG of 232 by 232 pixels."""
    picture = io.BytesIO()
    segno.make("no payment", version=3).save(picture, kind="png", scale=8, border=0)
    return picture.getvalue()


type Sites = Callable[[str], Site]
"""Returns the site whose bucket has this host name, which must resolve to this machine."""


class StoppedClock:
    """The pages' clock, in Unix seconds; only a test changes it."""

    def __init__(self) -> None:
        self.now = 0

    def time(self) -> float:
        """Return the time, as `time.time` does."""
        return float(self.now)


class Site:
    """The site for browsers; `code_url` is a payment code's image on another origin."""

    def __init__(
        self,
        world: World,
        clock: StoppedClock,
        base_url: str,
        code_url: str,
        bucket: Bucket,
        *,
        renderer: ModuleType,
    ) -> None:
        self.world = world
        self.bucket = bucket
        self._renderer = renderer
        self._clock = clock
        self._base_url = base_url
        self.code_url = code_url
        self.desk_url = f"{base_url}/trader"
        self.portal_url = f"{base_url}/portal"
        self.wrong_url = f"{base_url}/pay/B202511210000000000000000/{TOKEN}"

    @property
    def now(self) -> int:
        """The server's time in Unix seconds."""
        return self._clock.now

    def start_over(self, now: int) -> None:
        """Delete stored data and set the server's clock."""
        self._clock.now = now
        self.bucket.files.clear()
        # Another site of this world may have loaded its own.
        self.world.modules["render_receipt"] = self._renderer
        _empty_tables(self.world)

    def let_time_pass(self, tab: Page, *, seconds: int) -> None:
        """Advance the server's clock, then the tab's installed clock."""
        self._clock.now += seconds
        tab.wait_for_load_state()  # then the page's script has set its timers
        tab.clock.fast_forward(seconds * 1000)

    def put(self, order: Order) -> str:
        """Store an order with its receipts; return the address of its pay page."""
        assert order.pay_page.pay_token_hash == token_hash(TOKEN)
        for receipt in order.receipts:
            self.bucket.files.setdefault(preview_key(receipt.key), payment_code_png())
        self.world.put("Orders", order_item(order))
        self.count(order)
        return f"{self._base_url}/pay/{order.order_no}/{TOKEN}"

    def count(self, order: Order) -> dict[str, int]:
        """Count plenty of orders in the limits of an order's merchant; return the counts."""
        key = counter_key(order.merchant_id, order.mode, order.counted.open_shard)
        counted = map(NAMES.__getitem__, OrderType)
        counts = {name: PLENTY for of in counted for name in (of.orders, of.fen)}
        self.world.put("Orders", {"pk": key, "kind": OPEN_BUYS_KIND, **counts})
        return counts

    def hold(self, draft: Draft) -> str:
        """Store a draft; return the address of its identity page."""
        assert draft.identity_token_hash == token_hash(IDENTITY_TOKEN)
        self.world.put("Orders", draft_item(draft))
        return f"{self._base_url}/identity/{draft.pending_no}/{IDENTITY_TOKEN}"


@contextmanager
def running_sites() -> Iterator[Sites]:
    """Start a world, and serve its pages for each requested bucket host."""
    clock, sites = StoppedClock(), dict[str, Site]()
    with ExitStack() as stack:
        stack.enter_context(mock_aws())
        stack.enter_context(engine.running())
        stack.enter_context(patch("orderdesk.web.pages.frame.time", clock))
        world = World()
        world.add_merchant(merchant_id=MERCHANT_ID, **SHOP)

        def site(bucket_host: str) -> Site:
            if bucket_host not in sites:
                sites[bucket_host] = stack.enter_context(_serving(world, clock, bucket_host))
            return sites[bucket_host]

        yield site


@contextmanager
def _serving(world: World, clock: StoppedClock, bucket_host: str) -> Iterator[Site]:
    """Serve the pages; requests are serial, because moto's S3 and SQS need that.

    With a `bucket_host` other than 127.0.0.1 the bucket is another site to browsers.
    """
    handlers: dict[str, Handler] = {}
    bucket = Bucket()
    with (
        serving(_gateway(handlers)) as pages,
        serving(_Images) as images,
        serving(bucket_server(bucket)) as s3,
    ):
        os.environ.update(
            PUBLIC_BASE_URL=pages, AWS_ENDPOINT_URL_S3=s3.replace("127.0.0.1", bucket_host)
        )
        for first, name in FUNCTIONS.items():
            app = world.cold_start(name)
            handlers[first] = app.handler
            if hasattr(app, "pictures"):
                app.pictures.url("any")  # creates the client, which reads the bucket's address
        renderer = world.cold_start("render_receipt")
        del os.environ["AWS_ENDPOINT_URL_S3"]
        yield Site(world, clock, pages, f"{images}/code.png", bucket, renderer=renderer)


def _empty_tables(world: World) -> None:
    """Delete all items except the rates, which no test changes."""
    for name in ("Merchants", "Traders", "Orders", "Ledger", "Guards", "Callbacks", "Audit"):
        keys = [key["AttributeName"] for key in table_definition(f"{name}Table")["KeySchema"]]
        for item in world.client.scan(TableName=name)["Items"]:
            if item.get("pk") != {"S": Key.RATES}:
                world.client.delete_item(TableName=name, Key={key: item[key] for key in keys})


def _gateway(handlers: Mapping[str, Handler]) -> type[QuietHandler]:
    """Return a fake API Gateway; it calls the first matching route with a proxy event."""

    class Gateway(QuietHandler):
        def get(self) -> None:
            self.answer(b"")

        def post(self) -> None:
            self.answer(self.body())

        def answer(self, body: bytes) -> None:
            event = _event(self.command, self.path, dict(self.headers.items()), body)
            if event is None:
                self.reply(404, {"Content-Type": "application/json"}, b'{"code": 4000}')
                return
            handler = handlers[event["resource"].split("/")[1]]
            answer = handler(event, None)
            self.reply(answer["statusCode"], answer["headers"], answer["body"].encode())

    return Gateway


def _event(method: str, target: str, headers: dict[str, str], body: bytes) -> dict[str, Any] | None:
    parts = urlsplit(target)
    for route in ROUTES:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", route)
        pattern = pattern.replace("{proxy+}", "(?P<proxy>.+)")
        if match := re.fullmatch(pattern, parts.path):
            names = {name: unquote(value) for name, value in match.groupdict().items()}
            event = proxy_event(method, route, body=body, headers=headers, path_parameters=names)
            return {**event, "queryStringParameters": dict(parse_qsl(parts.query)) or None}
    return None


class _Images(QuietHandler):
    def get(self) -> None:
        self.reply(200, {"Content-Type": "image/png"}, payment_code_png())
