"""`make pictures`: write docs/pictures from the stack that `make run` started.

The pay page and the merchants' portal on a phone, the trader desk and the operators' console, each
in light and dark, and a recording of `make demo`. The script creates live orders: start it on a
fresh stack.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from local.demo.people import pay
from local.demo.walks import BUY, CUSTOMER_METHOD, SELL, Demo
from local.emulator import client_env
from local.operators_api import root_api
from local.places import REPOSITORY, VENV_BIN, WORK
from local.progress import LocalError, say
from local.running import port_of, running_stack
from local.stack import Stack
from tests.browser.chromium import PHONE, WHOLE, add_authenticator, launching
from tools.pictures.recording import record

FOLDER = REPOSITORY / "docs" / "pictures"
SCREEN = ViewportSize(width=1200, height=750)
SCALE = 2
COLOURS = 96  # with so few a lossless picture of text is smaller than a lossy one
BYTES_MAX = 90_000
# The browser tests' one font is Chinese: without this an apostrophe is as wide as a character.
NARROW_QUOTES = '* { font-feature-settings: "palt"; }'
# Each trader of the three gets four of the buys.
_AMOUNTS = "688.00 1520.00 2399.00 268.50 88.80 450.00 1000.00 3200.00 129.90 76.00 5999.00 860.00"
AMOUNTS = tuple(_AMOUNTS.split())

type Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def main() -> int:
    """Write all pictures; exit status 1 if no stack runs."""
    FOLDER.mkdir(exist_ok=True)
    try:
        stack = running_stack(WORK)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    demo = Demo(stack, root_api(stack["outputs"]))
    pay_url, trader = trade(demo)
    # Counts the figures of the portal's overview, as each seal does.
    Stack(port_of(stack), WORK).client("lambda").invoke(FunctionName="orderdesk-seal-books")
    with launching() as launch, console(stack["endpoint_url"]) as console_url:
        browser = launch(WHOLE)
        tabs = {scheme: tab_of(browser, scheme) for scheme in SCHEMES}
        join(tabs["light"], demo.stack["demo"]["merchant"]["invite_url"])
        log_in(tabs["light"], stack["base_url"], trader["access_code"])
        tabs["light"].goto(console_url)  # opens once: the other tab gets the cookies
        cookies: Any = tabs["light"].context.cookies()
        tabs["dark"].context.add_cookies(cookies)
        pages = {
            "pay": (PHONE, f"{pay_url}?lang=en"),
            "desk": (SCREEN, f"{stack['base_url']}/trader/orders"),
            "console": (SCREEN, tabs["light"].url),
            "portal": (PHONE, f"{stack['base_url']}/portal?lang=en"),
        }
        for scheme, tab in tabs.items():
            for name, (viewport, url) in pages.items():
                take(tab, url, viewport, FOLDER / f"{name}-{scheme}.webp")
    (FOLDER / "demo.svg").write_text(record([sys.executable, "-m", "local", "demo"]), "utf-8")
    return 0


def trade(demo: Demo) -> tuple[str, dict[str, Any]]:
    """Create orders in several statuses; return a pay page's address and a trader with open orders.

    Raises: LocalError, Unexpected, urllib3's errors.
    """
    merchant = demo.merchant("merchant")
    buys = [merchant.create(order_type=BUY, cny_amount=amount) for amount in AMOUNTS]
    numbers = [buy["order_no"] for buy in buys]
    for paid in (0, 1, 2, 3, 5, 7, 8):
        pay(buys[paid]["pay_url"])
    for completed in (1, 5, 7, 8):
        demo.desk_of(numbers[completed]).confirm(numbers[completed])
    reason = "the payee sees no money"
    demo.api.write("order.dispute", alone=True, order_no=numbers[2], reason=reason)
    trader_id = str(demo.api.call("order.show", order_no=numbers[0])["trader_id"])
    sells = [
        merchant.create(order_type=SELL, cny_amount=amount, payment_method=dict(CUSTOMER_METHOD))
        for amount in ("1888.00", "640.00")
    ]
    assignment = {"order_no": sells[0]["order_no"], "trader_id": trader_id, "reason": "pictures"}
    demo.api.write("order.assign", alone=True, **assignment)
    traders = {trader["trader_id"]: trader for trader in demo.stack["demo"]["traders"]}
    return buys[6]["pay_url"], traders[trader_id]


@contextmanager
def console(endpoint_url: str) -> Iterator[str]:
    """Serve the operators' console until the block ends; yield the address that opens it once."""
    with subprocess.Popen(
        [str(VENV_BIN / "orderdesk"), "console"],
        env=client_env(endpoint_url),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield next(line.strip() for line in process.stdout if line.startswith("http"))
        finally:
            process.terminate()


def tab_of(browser: Browser, scheme: Scheme) -> Page:
    """Open a tab with this colour scheme, in a context of its own."""
    return browser.new_context(
        color_scheme=scheme, device_scale_factor=SCALE, locale="en-GB", bypass_csp=True
    ).new_page()


def join(tab: Page, invite_url: str) -> None:
    """Accept an invitation to the portal, which works once."""
    add_authenticator(tab)
    tab.goto(invite_url)
    tab.locator("main button[type=submit]").click()
    tab.locator(".sections").wait_for()


def log_in(tab: Page, base_url: str, access_code: str) -> None:
    tab.goto(f"{base_url}/trader/login?lang=en")
    tab.locator("#code").fill(access_code)
    tab.locator("main button[type=submit]").click()
    tab.locator(".duty").wait_for()


def take(tab: Page, url: str, viewport: ViewportSize, file: Path) -> None:
    """Write a picture of a page as WebP. Raises: ValueError if it is larger than BYTES_MAX."""
    tab.set_viewport_size(viewport)
    tab.goto(url, wait_until="load")
    tab.add_style_tag(content=NARROW_QUOTES)
    picture = Image.open(BytesIO(tab.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, lossless=True, method=6)
    say(f"{file.relative_to(REPOSITORY)}: {file.stat().st_size:,} bytes")
    if file.stat().st_size > BYTES_MAX:
        raise ValueError(f"{file.name} has more than {BYTES_MAX:,} bytes: lower COLOURS")


if __name__ == "__main__":
    sys.exit(main())
