"""A dispute in three browsers, from a report with a picture to the operator's resolution."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import FilePayload, Page, expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk_cli.console.server import Console
from tests.browser.chromium import DESKTOP
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support import receipt_samples as samples
from tests.support.console_guest import serving_console
from tests.support.offices import office_on
from tests.support.orders import buy_order
from tests.support.world import ENVIRONMENT

PICTURE = FilePayload(name="bank.png", mimeType="image/png", buffer=samples.png())


@pytest.fixture
def console(site: Site) -> Iterator[Console]:
    with serving_console(site.world) as console:
        yield console


def send_picture(tab: Page) -> None:
    tab.get_by_label("Picture or PDF").set_input_files(PICTURE)
    tab.get_by_role("button", name="Send the picture").click()


def say(tab: Page, text: str) -> None:
    tab.locator("#text").fill(text)
    tab.get_by_role("button", name="Send", exact=True).click()
    expect(tab.locator(".dispute li").filter(has_text=text)).to_be_visible()


def let_poll(tab: Page) -> None:
    """Move the tab's clock to the page's next poll."""
    tab.wait_for_load_state()  # then the page's script has set its timers
    tab.clock.fast_forward(35_000)


def story(tab: Page) -> list[str]:
    return tab.locator(".dispute .who").all_inner_texts()


@pytest.fixture
def payers(open_tab: OpenTab) -> Page:
    """Return a payer's tab whose clock the test can move."""
    tab = open_tab()
    tab.clock.install()
    return tab


def test_from_the_report_to_the_resolution(
    site: Site, console: Console, payers: Page, open_tab: OpenTab
) -> None:
    traders = (visit := DeskVisit.of_new_trader(site, open_tab())).tab
    paid = buy_order(site.now, OrderStatus.PAID)
    url = site.put(replace(paid, trader_id=visit.trader.trader_id))

    visit.open(paid)
    traders.get_by_role("link", name="Nothing received").click()
    traders.get_by_label("What have you checked").fill("No <b>such</b> transfer.")
    traders.get_by_role("button", name="Report it").click()
    traders.locator(".done").get_by_role("link", name=paid.order_no).click()
    send_picture(traders)
    expect(traders.locator(".dispute img")).to_be_visible()

    payers.goto(f"{url}?lang=en")
    expect(payers.locator(".dispute .other .words")).to_have_text("No <b>such</b> transfer.")
    seen = payers.locator(".dispute img")
    expect(seen).to_have_js_property("complete", value=True)
    assert seen.evaluate("picture => picture.naturalWidth") > 0
    say(payers, "It left my account at noon.")
    send_picture(payers)
    expect(payers.locator(".dispute img")).to_have_count(2)

    for key, content in site.bucket.files.items():
        site.world.s3.put_object(Bucket=ENVIRONMENT["RECEIPTS_BUCKET"], Key=key, Body=content)
    operators = open_tab(DESKTOP, java_script_enabled=False)
    operators.goto(console.url)
    operators.get_by_role("link", name="Disputes").click()
    operators.get_by_role("link", name=paid.order_no).click()
    expect(operators.locator(".pictures img")).to_have_count(2)
    expect(operators.locator("main")).to_contain_text("It left my account at noon.")
    operators.get_by_role("link", name="Ask a question").click()
    operators.get_by_label("Who is asked to answer").select_option("both")
    operators.get_by_label("Question").fill("Which bank?")
    operators.get_by_role("button", name="Ask a question").click()
    expect(operators.get_by_role("heading", level=1)).to_have_text(f"Order {paid.order_no}")

    let_poll(payers)
    expect(payers.get_by_label("Your answer")).to_be_visible()
    for tab, answer in ((payers, "From ICBC."), (traders, "To CCB.")):
        tab.reload()
        expect(tab.locator(".dispute .staff .words")).to_have_text("Which bank?")
        say(tab, answer)

    operators.reload()
    for answer in ("From ICBC.", "To CCB."):
        expect(operators.locator("main")).to_contain_text(answer)
    operators.get_by_role("link", name="It did not arrive").click()
    operators.get_by_label("Reason").fill("the payer sent it to another account")
    operators.get_by_role("button", name="It did not arrive").click()
    expect(operators.locator(".facts .chip").first).to_have_text("cancelled")
    expect(operators.locator("main")).to_contain_text("Which bank?")

    for tab, own, other in ((payers, "You", "Payee"), (traders, "Customer", "You")):
        tab.reload()
        step = re.compile("Dispute over: support decided")
        expect(tab.locator(".dispute .who").last).to_have_text(step)
        assert story(tab) == [
            f"{other} · Dispute opened",
            other,
            other,
            own,
            own,
            "Support · Question to both sides",
            own,
            other,
            "Support · Dispute over: support decided that the payment did not arrive",
        ]
        expect(tab.locator("textarea")).to_have_count(0)
        expect(tab.locator("main")).not_to_contain_text("another account")
    order = office_on(site.world).orders.order(paid.order_no)
    assert (order and order.status, order and order.dispute.notes) == (OrderStatus.CANCELLED, 7)
