"""A trader's moves at the desk, in a browser on a phone: with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import DeskVisit, heading
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, is_seen
from tests.support import receipt_samples as samples

BUY, SELL = OrderType.BUY, OrderType.SELL
BOTH = pytest.mark.parametrize("javascript", [True, False])


def answer_question(
    visit: DeskVisit, link: str, question: str, keep: str, go: str, *, javascript: bool
) -> None:
    """Open the question, decline it, open it again and confirm."""
    tab = visit.tab
    before = tab.get_by_role("heading", level=1).inner_text()
    tab.get_by_role("link", name=link, exact=True).click()
    if javascript:
        expect(tab.get_by_role("dialog", name=question)).to_be_visible()
        expect(tab.get_by_role("button", name=keep)).to_be_focused()
        tab.get_by_role("button", name=keep).click()
        expect(tab.get_by_role("dialog")).to_be_hidden()
    else:
        heading(tab, question)
        tab.get_by_role("link", name=keep).click()
    heading(tab, before)
    tab.get_by_role("link", name=link, exact=True).click()
    tab.get_by_role("button", name=go).click()


@BOTH
def test_from_the_login_to_a_confirmed_receipt(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=javascript))
    tab, order = visit.tab, visit.put(BUY, OrderStatus.PAID)
    asked = visit.put(SELL, OrderStatus.DISPUTED, fen=70_00, trader_asked_at=site.now)
    tab.goto(f"{site.desk_url}/orders?lang=en")
    expect(tab.locator(".item .number").nth(1)).to_have_text(asked.order_no)  # it has a day
    tab.get_by_role("heading", name="1,000.37").get_by_role("link").click()
    heading(tab, "Check whether the money has arrived")
    for name in ("Confirm receipt", "Nothing received"):
        assert is_seen(tab.get_by_role("link", name=name)), "in reach without scrolling"
    question = ("Confirm receipt", "Has the money arrived?", "Not yet", "Yes, it has arrived")
    answer_question(visit, *question, javascript=javascript)
    heading(tab, "Answer wanted")
    expect(tab.locator(".done")).to_contain_text("Receipt confirmed: ¥1,000.37")
    assert visit.stored(order).status is OrderStatus.COMPLETED
    tab.get_by_role("link", name=order.order_no).click()
    heading(tab, "Receipt confirmed")
    expect(tab.get_by_role("link", name="Next order")).to_be_visible()
    tab.get_by_role("link", name="History").click()
    expect(tab.get_by_role("link", name="1,000.37")).to_be_visible()
    tab.get_by_role("link", name="Balance").click()
    expect(tab.locator(".entries")).to_contain_text("−138.249032 USDT")
    tab.get_by_role("link", name=order.order_no).click()
    heading(tab, "Receipt confirmed")
    tab.get_by_role("button", name="Log out").click()
    heading(tab, "Trader desk")
    tab.goto(f"{site.desk_url}/orders/{order.order_no}?lang=en")
    heading(tab, "Trader desk")


@BOTH
@pytest.mark.parametrize("site", ["127.0.0.1", "localhost"], indirect=True)
def test_a_sell_from_the_proof_to_the_confirmed_payment(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    """The bucket is the same site to the browser, or another one, as S3 is."""
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=javascript))
    tab, order = visit.tab, visit.put(SELL, OrderStatus.ASSIGNED)
    visit.open(order)
    url = tab.url
    expect(tab.get_by_role("link", name="Confirm payment")).to_have_count(0)
    expect(tab.locator("main")).to_contain_text("6222 0212 3456 7890 123")
    visit.upload(javascript=javascript)
    picture = tab.get_by_role("img", name="Receipt 1, picture")
    expect(picture).to_be_visible()
    assert tab.url == url
    assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
    question = ("Confirm payment", "Have you paid the customer?", "Not yet", "Yes, I have paid")
    answer_question(visit, *question, javascript=javascript)
    expect(tab.locator(".done")).to_contain_text("Payment confirmed: ¥1,000.37")
    expect(tab.locator(".done")).to_contain_text("No other order waits for you")
    stored = visit.stored(order)
    assert stored.status is OrderStatus.COMPLETED
    original = stored.receipts[0].key.replace("rendered/", "originals/")
    assert site.bucket.files[original] == samples.png()


@BOTH
def test_a_return_from_an_upload_by_another_site_attaches_nothing(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    """If this tab has sent nothing, the page waits for its button."""
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=javascript))
    tab, order = visit.tab, visit.put(SELL, OrderStatus.ASSIGNED)
    key = f"uploads/{order.order_no}/{order.trader_id}/{order.sequence}/1"
    site.bucket.files[key] = samples.png()
    tab.goto(site.code_url.replace("127.0.0.1", "localhost"))
    asked: list[str] = []
    tab.on("request", lambda r: asked.append(r.method) if "/proof" in r.url else None)
    tab.evaluate(
        "url => { location.href = url; }",
        f"{site.desk_url}/orders/{order.order_no}/proof?lang=en&key={key}",
    )
    heading(tab, "Your file has been sent")
    tab.wait_for_load_state("networkidle")
    assert (asked, visit.stored(order).receipts) == (["GET"], ())
    tab.get_by_role("button", name="Continue").click()
    expect(tab.get_by_role("img", name="Receipt 1, picture")).to_be_visible()
    assert asked == ["GET", "POST"]


@BOTH
def test_the_next_order_opens_by_itself_and_a_second_press_is_lost(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=javascript), open_orders=3)
    tab, order = visit.tab, visit.put(BUY, OrderStatus.PAID, since=site.now - 60)
    later = {"fen": 70_00, "order_no": f"{order.order_no[:-3]}999", "order_id": 999}
    second = visit.put(BUY, OrderStatus.PAID, **later)
    last = visit.put(SELL, OrderStatus.DISPUTED, fen=80_00, trader_asked_at=site.now)
    visit.open(order)
    tab.get_by_role("link", name="Confirm receipt").click()
    tab.get_by_role("button", name="Yes, it has arrived").click()
    done = tab.locator(".done")
    expect(done).to_contain_text(f"Receipt confirmed: ¥1,000.37 · {order.order_no}")
    expect(done).to_contain_text("The next order is below: ¥70.00")
    expect(done).to_be_in_viewport(ratio=1)
    expect(tab.locator(".amount .sum")).to_have_text("¥70.00")
    # A press that comes too late finds no button for a second, also without a script.
    answers = tab.locator(".answers")
    wanted = answers.evaluate(
        """(answers) => {
          const [guard] = answers.getAnimations();
          guard.pause();
          guard.currentTime = 500;
          const early = getComputedStyle(answers.querySelector("a")).pointerEvents;
          guard.finish();
          return [early, getComputedStyle(answers.querySelector("a")).pointerEvents];
        }"""
    )
    assert wanted == ["none", "auto"]
    if javascript:
        assert "done=" not in tab.url
    tab.go_back()
    expect(tab.locator(".chip-completed, .card.state, h1").first).to_be_visible()
    assert visit.stored(second).status is OrderStatus.PAID
    visit.open(second)
    expect(done).to_be_hidden()
    tab.get_by_role("link", name="Confirm receipt").click()
    tab.get_by_role("button", name="Yes, it has arrived").click()
    expect(tab.locator(".amount .sum")).to_have_text("¥80.00")
    done.get_by_role("link", name="Back to the list").click()
    expect(tab.get_by_role("link", name="80.00", exact=False).first).to_be_visible()
    assert visit.stored(last).status is OrderStatus.DISPUTED
