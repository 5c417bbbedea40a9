"""The pay page on a local HTTP server: the function's handler behind it, moto behind that."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from orderdesk.adapters.dynamodb.orders import order_item
from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders import Order
from tests.browser.payment_code import payment_code_png
from tests.support.buy_orders import TOKEN
from tests.support.events import Handler, proxy_event
from tests.support.world import World

ROUTES = ("/pay/{order_no}/{token}", "/pay/{order_no}/{token}/status")


class Site:
    """What a payer's browser reaches; `code_url` is a payment code's image on another origin."""

    def __init__(self, world: World, base_url: str, code_url: str) -> None:
        self._world = world
        self._base_url = base_url
        self.code_url = code_url
        self.wrong_url = f"{base_url}/pay/B202511210000000000000000/{TOKEN}"

    def put(self, order: Order) -> str:
        """Store an order as it is now and give the address of its pay page."""
        assert order.pay_token_hash == token_hash(TOKEN)
        self._world.put("Orders", order_item(order))
        return f"{self._base_url}/pay/{order.order_no}/{TOKEN}"


@contextmanager
def running_site(world: World) -> Iterator[Site]:
    """Serve the page; requests come one at a time, as moto wants them."""
    handler = world.cold_start("pay_page").handler
    with _serving(_gateway(handler)) as pages, _serving(_Images) as images:
        yield Site(world, pages, f"{images}/code.png")


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing."""

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _gateway(handler: Handler) -> type[BaseHTTPRequestHandler]:
    """Stand in for API Gateway: a request becomes a proxy event for the first matching route."""

    class Gateway(_Quiet):
        def do_GET(self) -> None:
            event = _event(self.path, dict(self.headers.items()))
            if event is None:
                self.reply(404, {"Content-Type": "application/json"}, b'{"code": 4000}')
                return
            answer = handler(event, None)
            self.reply(answer["statusCode"], answer["headers"], answer["body"].encode())

    return Gateway


def _event(target: str, headers: dict[str, str]) -> dict[str, Any] | None:
    parts = urlsplit(target)
    for route in ROUTES:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", route)
        if match := re.fullmatch(pattern, parts.path):
            names = {name: unquote(value) for name, value in match.groupdict().items()}
            event = proxy_event("GET", route, headers=headers, path_parameters=names)
            return {**event, "queryStringParameters": dict(parse_qsl(parts.query)) or None}
    return None


class _Images(_Quiet):
    def do_GET(self) -> None:
        self.reply(200, {"Content-Type": "image/png"}, payment_code_png())
