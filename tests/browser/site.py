"""The pages on a local HTTP server: the functions' handlers behind it, moto behind that."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, unquote, urlsplit

from moto import mock_aws
from playwright.sync_api import Page

from orderdesk.adapters.dynamodb.keys import RATES_KEY
from orderdesk.adapters.dynamodb.orders.items import draft_item, order_item
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.receipts.places import preview_key
from tests.browser.bucket import Bucket, bucket_server
from tests.browser.payment_code import payment_code_png
from tests.browser.quiet_server import QuietHandler, serving
from tests.support.events import Handler, proxy_event
from tests.support.orders import IDENTITY_TOKEN, MERCHANT_ID, SHOP, TOKEN
from tests.support.template import table_definition, template
from tests.support.world import World

# Whose the routes are, by their first part.
FUNCTIONS = {"pay": "pay_page", "identity": "identity_page", "trader": "trader_desk"}


def _routes() -> Iterator[str]:
    for resource in template()["Resources"].values():
        properties = resource.get("Properties", {})
        if properties.get("CodeUri", "").removeprefix("functions/") in FUNCTIONS.values():
            yield from (event["Properties"]["Path"] for event in properties["Events"].values())


ROUTES = tuple(dict.fromkeys(_routes()))


type Sites = Callable[[str], Site]
"""Gives the site whose bucket has this host name, which must mean this machine."""


class StoppedClock:
    """The pages' clock, in Unix seconds: it stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 0

    def time(self) -> float:
        """Answer as `time.time` does."""
        return float(self.now)


class Site:
    """What browsers reach; `code_url` is a payment code's image on another origin."""

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
        self.wrong_url = f"{base_url}/pay/B202511210000000000000000/{TOKEN}"

    @property
    def now(self) -> int:
        """The time on the server, in Unix seconds."""
        return self._clock.now

    def start_over(self, now: int) -> None:
        """Forget what is stored and set the server's clock."""
        self._clock.now = now
        self.bucket.files.clear()
        # Another site of this world may have started its own since.
        self.world.modules["render_receipt"] = self._renderer
        _empty_tables(self.world)

    def let_time_pass(self, tab: Page, *, seconds: int) -> None:
        """Move the server's clock, then the clock that is installed in the tab."""
        self._clock.now += seconds
        tab.wait_for_load_state()  # the page's script has set its timers by then
        tab.clock.fast_forward(seconds * 1000)

    def put(self, order: Order) -> str:
        """Store an order as it is now, with its receipts; give the address of its pay page."""
        assert order.pay_token_hash == token_hash(TOKEN)
        for receipt in order.receipts:
            self.bucket.files.setdefault(preview_key(receipt.key), payment_code_png())
        self.world.put("Orders", order_item(order))
        return f"{self._base_url}/pay/{order.order_no}/{TOKEN}"

    def hold(self, draft: Draft) -> str:
        """Store a draft as it is now and give the address of its identity page."""
        assert draft.identity_token_hash == token_hash(IDENTITY_TOKEN)
        self.world.put("Orders", draft_item(draft))
        return f"{self._base_url}/identity/{draft.pending_no}/{IDENTITY_TOKEN}"


@contextmanager
def running_sites() -> Iterator[Sites]:
    """Start a world on moto, and serve its pages for each bucket host that is asked for."""
    clock, sites = StoppedClock(), dict[str, Site]()
    with ExitStack() as stack:
        stack.enter_context(mock_aws())
        stack.enter_context(patch("orderdesk.web.pages.page.time", clock))
        world = World()
        world.add_merchant(merchant_id=MERCHANT_ID, **SHOP)

        def site(bucket_host: str) -> Site:
            if bucket_host not in sites:
                sites[bucket_host] = stack.enter_context(_serving(world, clock, bucket_host))
            return sites[bucket_host]

        yield site


@contextmanager
def _serving(world: World, clock: StoppedClock, bucket_host: str) -> Iterator[Site]:
    """Serve the pages; requests come one at a time, as moto wants them.

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
            handlers[first] = world.cold_start(name).handler
        renderer = world.cold_start("render_receipt")
        del os.environ["AWS_ENDPOINT_URL_S3"]  # the functions have read it
        yield Site(world, clock, pages, f"{images}/code.png", bucket, renderer=renderer)


def _empty_tables(world: World) -> None:
    """Delete what tests stored; the rates, which no test changes, stay."""
    for name in ("Merchants", "Traders", "Orders", "Ledger", "Guards", "Callbacks", "Audit"):
        keys = [key["AttributeName"] for key in table_definition(f"{name}Table")["KeySchema"]]
        for item in world.client.scan(TableName=name)["Items"]:
            if item.get("pk") != {"S": RATES_KEY}:
                world.client.delete_item(TableName=name, Key={key: item[key] for key in keys})


def _gateway(handlers: Mapping[str, Handler]) -> type[QuietHandler]:
    """Stand in for API Gateway: a request becomes a proxy event for the first matching route."""

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
        if match := re.fullmatch(pattern, parts.path):
            names = {name: unquote(value) for name, value in match.groupdict().items()}
            event = proxy_event(method, route, body=body, headers=headers, path_parameters=names)
            return {**event, "queryStringParameters": dict(parse_qsl(parts.query)) or None}
    return None


class _Images(QuietHandler):
    def get(self) -> None:
        self.reply(200, {"Content-Type": "image/png"}, payment_code_png())
