"""axe reports no violation in any state of any page (WCAG A, AA and best practices)."""

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.desk_states import desk_states
from tests.browser.identity_states import identity_states
from tests.browser.pay_states import pay_states
from tests.browser.screenshots import SCREENS, Scheme, orders
from tests.browser.site import Site
from tests.browser.tabs import PATIENCE_MS
from tests.support import depth

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
# `make test` checks each state on a phone in the light scheme, the slow tier on all screens and
# schemes.
pytestmark = pytest.mark.deep

# The dark scheme changes only colours, so only the rules about colours are checked again.
RUNS: dict[Scheme, str] = {"light": "{}", "dark": "{runOnly: ['cat.color']}"}
VIOLATIONS = "axe.run(%s).then((report) => report.violations)"


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """Open a tab without the page's content security policy (for axe) and without transitions."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs npm, then `make setup`")
    with chromium.new_context(bypass_csp=True, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()


def violations(tab: Page, states: Iterable[str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Show each state on screens and in colour schemes; return axe's violations."""
    looks = list(product(SCREENS, RUNS))
    found = {}
    for state in states:
        tab.evaluate(AXE.read_text("utf-8"))
        for screen, scheme in looks if depth.is_full() else looks[:1]:
            tab.set_viewport_size(SCREENS[screen])
            tab.emulate_media(color_scheme=scheme)
            rules: list[dict[str, Any]] = tab.evaluate(VIOLATIONS % RUNS[scheme])
            wrong = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in rules]
            found[f"{state}, {screen}, {scheme}"] = wrong
    return {look: wrong for look, wrong in found.items() if wrong}


def test_the_identity_page(site: Site, tab: Page) -> None:
    assert violations(tab, identity_states(tab, site, "zh")) == {}


def test_the_trader_desk(site: Site, tab: Page) -> None:
    assert violations(tab, desk_states(tab, site, "en")) == {}


def test_the_pay_page(site: Site, tab: Page) -> None:
    assert violations(tab, every_pay_state(tab, site)) == {}


def every_pay_state(tab: Page, site: Site) -> Iterator[str]:
    for name, order in orders(site.now, site.code_url):
        tab.goto(f"{site.put(order)}?lang=en")
        yield name
    yield from pay_states(tab, site, "en")
    tab.goto(site.wrong_url)
    yield "not-found"
