"""Write a picture of every state of the pages: `python -m tests.browser.screenshots OUTDIR`."""

import argparse
import itertools
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from tests.browser.chromium import DESKTOP, PHONE, WHOLE, launching
from tests.browser.desk_states import desk_states
from tests.browser.identity_states import identity_states
from tests.browser.pay_states import pay_states
from tests.browser.portal_states import portal_states
from tests.browser.site import Site, running_sites
from tests.support.orders import BUY_STATUSES, WINDOW_SECONDS, buy_order
from tests.support.seed import ALIPAY_METHOD, WECHAT_METHOD
from tests.support.world import ENVIRONMENT

type Scheme = Literal["light", "dark"]

SCREENS = {"phone": PHONE, "desktop": DESKTOP}
LANGUAGES = ("zh", "en")
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
ELAPSED_SECONDS = 28


@dataclass(frozen=True, slots=True)
class Look:
    """A screen, a language and a colour scheme."""

    screen: str
    language: str
    scheme: Scheme

    @property
    def viewport(self) -> ViewportSize:
        """The screen's size."""
        return SCREENS[self.screen]


def orders(now: int) -> Iterator[tuple[str, Order]]:
    """Yield every state with its name."""
    created = now - ELAPSED_SECONDS
    for status in BUY_STATUSES:
        yield status.value, buy_order(created, status)
    for method in (WECHAT_METHOD, ALIPAY_METHOD):
        order = buy_order(created, payment_method=method)
        yield f"pending-{method.method_type.value}", order
    yield "pending-test", buy_order(created, fen=1234567_05, mode=Mode.TEST)
    yield "pending-soon", buy_order(now - WINDOW_SECONDS + 47, fen=88_80)


def every_pay_state(tab: Page, site: Site, language: str) -> Iterator[str]:
    """Show each state of the pay page in the tab and yield its name."""
    for name, order in orders(site.now):
        tab.goto(f"{site.put(order)}?lang={language}")
        yield name
    order = buy_order(site.now)
    address = site.put(order)
    site.world.put("Orders", {**order_item(order), "payment_method": None})
    tab.goto(f"{address}?lang={language}")
    yield "internal-error"
    yield from pay_states(tab, site, language)
    tab.goto(f"{site.wrong_url}?lang={language}")
    yield "not-found"


def shoot(browser: Browser, site: Site, folder: Path, look: Look) -> int:
    """Write the pictures of a look; return their number."""
    context = browser.new_context(
        viewport=look.viewport, color_scheme=look.scheme, device_scale_factor=2
    )
    page = context.new_page()
    names = []
    subjects = (
        ("pay", every_pay_state),
        ("identity", identity_states),
        ("desk", desk_states),
        ("portal", portal_states),
    )
    for subject, states in subjects:
        for name in states(page, site, look.language):
            names.append(name)
            picture = f"{subject}-{name}-{look.screen}-{look.language}-{look.scheme}.png"
            page.screenshot(path=folder / picture, full_page=True)
    context.close()
    return len(names)


def main() -> None:
    """Write all pictures into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(ENVIRONMENT, LOG_LEVEL="CRITICAL")
    looks = [Look(*parts) for parts in itertools.product(SCREENS, LANGUAGES, SCHEMES)]
    with running_sites() as sites, launching() as launch:
        browser = launch(WHOLE)
        site = sites("127.0.0.1")
        site.start_over(int(time.time()))
        written = sum(shoot(browser, site, folder, look) for look in looks)
    print(f"{written} pictures in {folder}")


if __name__ == "__main__":
    main()
