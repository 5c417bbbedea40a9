"""The pages on a local HTTP server: the functions' handlers behind it, moto behind that."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from orderdesk.adapters.dynamodb.orders.items import draft_item, order_item
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from tests.browser.bucket import Bucket, bucket_server
from tests.browser.payment_code import payment_code_png
from tests.browser.quiet_server import QuietHandler, serving
from tests.support.buy_orders import TOKEN
from tests.support.events import Handler, proxy_event
from tests.support.held_drafts import TOKEN as IDENTITY_TOKEN
from tests.support.template import template
from tests.support.world import World

# Whose the routes are, by their first part.
FUNCTIONS = {"pay": "pay_page", "identity": "identity_page", "trader": "trader_desk"}


def _routes() -> Iterator[str]:
    for resource in template()["Resources"].values():
        properties = resource.get("Properties", {})
        if properties.get("CodeUri", "").removeprefix("functions/") in FUNCTIONS.values():
            yield from (event["Properties"]["Path"] for event in properties["Events"].values())


ROUTES = tuple(dict.fromkeys(_routes()))


class Site:
    """What browsers reach; `code_url` is a payment code's image on another origin."""

    def __init__(self, world: World, base_url: str, code_url: str, bucket: Bucket) -> None:
        self.world = world
        self.bucket = bucket
        self._base_url = base_url
        self.code_url = code_url
        self.desk_url = f"{base_url}/trader"
        self.wrong_url = f"{base_url}/pay/B202511210000000000000000/{TOKEN}"

    def put(self, order: Order) -> str:
        """Store an order as it is now and give the address of its pay page."""
        assert order.pay_token_hash == token_hash(TOKEN)
        self.world.put("Orders", order_item(order))
        return f"{self._base_url}/pay/{order.order_no}/{TOKEN}"

    def hold(self, draft: Draft) -> str:
        """Store a draft as it is now and give the address of its identity page."""
        assert draft.identity_token_hash == token_hash(IDENTITY_TOKEN)
        self.world.put("Orders", draft_item(draft))
        return f"{self._base_url}/identity/{draft.pending_no}/{IDENTITY_TOKEN}"


@contextmanager
def running_site(world: World, bucket_host: str = "127.0.0.1") -> Iterator[Site]:
    """Serve the pages; requests come one at a time, as moto wants them.

    With another `bucket_host` for the same machine the bucket is another site to browsers.
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
        del os.environ["AWS_ENDPOINT_URL_S3"]  # the functions have read it
        yield Site(world, pages, f"{images}/code.png", bucket)


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
