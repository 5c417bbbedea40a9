"""axe finds nothing to complain of in any state of any page (WCAG A, AA and best practices)."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.desk_states import desk_states
from tests.browser.identity_states import identity_states
from tests.browser.pay_states import pay_states
from tests.browser.screenshots import orders
from tests.browser.site import Site

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = [
    {"viewport": viewport, "color_scheme": scheme}
    for viewport in (PHONE, DESKTOP)
    for scheme in ("light", "dark")
]


@pytest.fixture(params=LOOKS, ids=["phone-light", "phone-dark", "desktop-light", "desktop-dark"])
def tab(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open a tab that lets axe in past the page's policy."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs npm, then `make setup`")
    with chromium.new_context(bypass_csp=True, **request.param) as context:
        yield context.new_page()


def violations(tab: Page) -> list[tuple[str, list[str]]]:
    tab.evaluate(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = tab.evaluate("axe.run().then((report) => report.violations)")
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


def test_the_identity_page(site: Site, tab: Page) -> None:
    found = {name: violations(tab) for name in identity_states(tab, site, "zh")}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_trader_desk(site: Site, tab: Page) -> None:
    found = {name: violations(tab) for name in desk_states(tab, site, "en")}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_pay_page(site: Site, tab: Page) -> None:
    found = {}
    for name, order in orders(int(time.time()), site.code_url):
        tab.goto(f"{site.put(order)}?lang=en")
        found[name] = violations(tab)
    found |= {name: violations(tab) for name in pay_states(tab, site, "en")}
    tab.goto(site.wrong_url)
    found["not-found"] = violations(tab)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
