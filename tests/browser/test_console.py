"""The console in a browser: a dispute from the queue to its end, and axe on each page."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk_cli.console.server import Console
from tests.browser.chromium import DESKTOP
from tests.browser.console_states import BusyStack, busy_stack, console_states
from tests.browser.tabs import OpenTab
from tests.browser.test_accessibility import violations
from tests.support.console_guest import serving_console
from tests.support.world import open_world


@pytest.fixture
def busy() -> Iterator[BusyStack]:
    with open_world() as world:
        yield busy_stack(world)


@pytest.fixture
def console(busy: BusyStack) -> Iterator[Console]:
    with serving_console(busy.office) as console:
        yield console


def test_a_dispute_from_the_queue_to_its_end(
    busy: BusyStack, console: Console, open_tab: OpenTab
) -> None:
    tab = open_tab(DESKTOP, java_script_enabled=False)
    tab.goto(console.url)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Orders")
    tab.get_by_role("link", name="Disputes").click()
    pictures = tab.get_by_role("img", name=re.compile("receipt"))
    expect(pictures).to_have_count(3)
    for number in range(3):
        pictures.nth(number).scroll_into_view_if_needed()
        expect(pictures.nth(number)).to_have_js_property("complete", value=True)
        assert pictures.nth(number).evaluate("picture => picture.naturalWidth") > 0
    tab.get_by_role("link", name="Resolve: completed").click()
    expect(tab.locator("main")).to_contain_text("-138.")
    tab.get_by_label("Why").fill("the bank confirms the transfer")
    tab.get_by_role("button", name="Complete it").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(busy.disputed)
    expect(tab.locator(".facts .chip").first).to_have_text("completed")
    order = busy.office.orders.order(busy.disputed)
    assert order is not None
    assert order.status is OrderStatus.COMPLETED
    tab.get_by_role("link", name="Disputes").click()
    expect(tab.locator("main")).to_contain_text("No order is disputed.")


def test_a_number_is_found_and_a_withdrawal_paid_out(
    busy: BusyStack, console: Console, open_tab: OpenTab
) -> None:
    tab = open_tab()
    tab.goto(console.url)
    tab.get_by_role("searchbox").or_(tab.locator("#find")).fill(busy.waiting)
    tab.get_by_role("button", name="Find").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(busy.waiting)
    tab.get_by_role("link", name="Withdrawals").click()
    tab.get_by_role("link", name="Approve").click()
    tab.get_by_role("button", name="Pay out").click()
    expect(tab.locator("main")).to_contain_text("None waits for a decision.")
    expect(tab.locator(".chip-approved")).to_be_visible()


@pytest.mark.deep  # as in test_accessibility
def test_axe_on_every_page(busy: BusyStack, console: Console, axe_tab: Page) -> None:
    axe_tab.goto(console.url)
    address = urlsplit(axe_tab.url)
    root = f"{address.scheme}://{address.netloc}/{address.path.split('/')[1]}"
    assert violations(axe_tab, console_states(axe_tab, busy, root)) == {}
