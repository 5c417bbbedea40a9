"""The portal's forms in a browser: what they ask and show."""

from playwright.sync_api import expect

from orderdesk.domain.merchants.team import MemberRole
from tests.browser.portal_states import join
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.merchant_client import sell
from tests.support.portal import invite

ROTATE = "form[action*='/test/rotate']"


def test_a_form_without_a_challenge_shows_why(site: Site, open_tab: OpenTab) -> None:
    page = open_tab(complaints="429|503|401", locale="en-US")
    merchant, _ = site.world.add_merchant()
    join(page, site, merchant, invite(site.world, merchant, MemberRole.ADMIN))
    page.goto(f"{site.portal_url}/developers")
    problem = page.locator(f"{ROTATE} [role=alert]")
    answers = {429: "wait a few minutes", 503: "in a moment"}
    statuses = iter(answers)
    page.route("**/challenge", lambda route: route.fulfill(status=next(statuses)), times=2)
    for shown in answers.values():
        page.click(f"{ROTATE} button")
        expect(problem).to_contain_text(shown)
    page.context.clear_cookies()
    page.click(f"{ROTATE} button")
    page.wait_for_url(f"{site.portal_url}/login")


def test_an_order_is_cancelled_only_after_a_question(site: Site, open_tab: OpenTab) -> None:
    page = open_tab(locale="en-US")
    merchant, client = site.world.add_merchant()
    site.world.fund(merchant, 10**12)
    join(page, site, merchant, invite(site.world, merchant, MemberRole.FINANCE))
    order_no = client.create(sell()).data["order_no"]
    page.goto(f"{site.portal_url}/orders/{order_no}")
    link, question = page.locator("[data-ask]"), page.get_by_role("dialog")
    link.click()
    expect(question).to_contain_text("returned to your balance")
    question.get_by_role("button", name="Keep the order").click()
    expect(question).to_be_hidden()
    expect(link).to_be_visible()
    link.click()
    question.get_by_role("button", name="Cancel the order").click()
    expect(page.locator(".heading .chip")).to_have_text("Cancelled")
    expect(link).to_have_count(0)
