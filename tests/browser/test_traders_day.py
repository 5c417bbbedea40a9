"""A trader's day on a phone: 50 orders, of which 6 are twins, 3 paid late and 2 disputed."""

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from orderdesk.domain.ids import payment_reference, time_ordered_id
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk.comparison_texts import StatementTexts
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.texts import Language
from tests.browser.chromium import PHONE
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.orders import ORDER_NO

BUY = OrderType.BUY
PLAIN, TWINS, LATE, DISPUTED = 39, 6, 3, 2
BY_STATEMENT = 35
CLICKS_MAX = 60


def tap(button: Locator, page: Page) -> None:
    """Tap what is in view; a page that has to be scrolled first fails."""
    box = button.bounding_box()
    assert box is not None
    height = page.evaluate("innerHeight")
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    button.click()


def to_list(visit: DeskVisit, language: Language) -> None:
    """Open the list by its link."""
    visit.tab.locator(".to-orders a").click()
    visit.tab.wait_for_url(f"{visit.site.desk_url}/orders?lang={language.value}")


def confirm_next(visit: DeskVisit, language: Language) -> str:
    """Confirm the order that opened by itself, by two taps; return its number."""
    confirm, page = DeskTexts(language).order.confirm[BUY], visit.tab
    number = page.locator(".terms .code").inner_text()
    tap(page.locator("a[data-ask=ask-confirm]"), page)
    tap(page.get_by_role("dialog").get_by_role("button", name=confirm.go), page)
    expect(page.locator(".done")).to_contain_text(number)
    assert page.evaluate("scrollY") == 0
    return number


def test_closed_twins_are_named_before_and_in_the_question(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(viewport=PHONE), "zh")
    order = visit.put(BUY, OrderStatus.PAID)
    lately = {"order_no": f"{ORDER_NO[:-3]}999", "order_id": time_ordered_id(site.now * 1000, 1)}
    twin = visit.put(BUY, OrderStatus.COMPLETED, **lately)
    visit.open(order, "zh")
    warning = visit.tab.locator(".twin:visible")
    expect(warning).to_contain_text("另有 1 笔同额订单")
    expect(warning.get_by_role("link", name=twin.order_no)).to_be_in_viewport(ratio=1)
    visit.tab.locator("a[data-ask=ask-confirm]").click()
    dialog = visit.tab.get_by_role("dialog")
    reference = payment_reference(order.order_no)
    expect(dialog).to_contain_text(f"¥1,000.37 · 测试银行 ****1234 · 转账备注 {reference} · 付款人")
    expect(dialog).to_contain_text("另有 1 笔同额订单")
    dialog.get_by_role("button", name="确认已到账").click()
    done = visit.tab.locator(".done")
    expect(done).to_contain_text("¥1,000.37")
    done.get_by_role("link", name=order.order_no).click()
    expect(visit.tab.get_by_role("link", name="下一个待处理订单")).to_be_in_viewport(ratio=1)


def the_day(visit: DeskVisit) -> list[Order]:
    """Store the day's orders: plain ones, three pairs of twins, late ones, disputed ones."""
    now, orders = visit.site.now, list[Order]()
    for number in range(PLAIN + TWINS + LATE + DISPUTED):
        is_paid = number < PLAIN + TWINS
        fen = 1000_00 + 7 * (number if number < PLAIN or not is_paid else PLAIN + number % 3)
        changes = {"order_no": f"{ORDER_NO[:-4]}{number:04d}", "order_id": 10_000 + number}
        if is_paid:
            orders.append(visit.put(BUY, OrderStatus.PAID, fen=fen, **changes))
            continue
        is_late = number < PLAIN + TWINS + LATE
        steps = [(OrderStatus.PENDING, ""), (OrderStatus.PAID, "payer")]
        if is_late:
            steps = [(OrderStatus.PENDING, ""), (OrderStatus.EXPIRED, "clock")]
        steps.append((OrderStatus.DISPUTED, "payer"))
        timeline = tuple(TimelineEntry(status, now - 60, by) for status, by in steps)
        asked = {} if is_late else {"trader_asked_at": now - 30}
        order = visit.put(BUY, OrderStatus.DISPUTED, fen=fen, timeline=timeline, **asked, **changes)
        orders.append(order)
    return orders


def count_clicks(page: Page) -> list[str]:
    """Return the list that each click of the pages that follow is added to."""
    clicks: list[str] = []

    def clicked(tag: str) -> None:
        clicks.append(tag)

    page.expose_function("clicked", clicked)
    page.add_init_script("addEventListener('click', ({ target }) => clicked(target.tagName), true)")
    return clicks


def statement_of(orders: list[Order]) -> FilePayload:
    """Return the CSV file of a bank with the payments of these orders, in GB18030."""
    rows = [
        f"2099-11-25 09:00:00,张三,{order.quote.cny_fen / 100:.2f},转账"
        f"{payment_reference(order.order_no)}"
        for order in orders
    ]
    text = "\r\n".join(["交易时间,对方户名,收入金额,附言", *rows])
    return FilePayload(name="day.csv", mimeType="text/csv", buffer=text.encode("gb18030"))


@pytest.mark.parametrize("language", Language)
def test_a_day_of_fifty_orders(site: Site, open_tab: OpenTab, language: Language) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(viewport=PHONE), language.value, open_orders=50)
    orders, page = the_day(visit), visit.tab
    texts, t = DeskTexts(language), StatementTexts(language)
    assert len(orders) == 50
    # The file has the plain ones' remarks, and a twin's payment that names neither twin.
    known, twins = orders[:BY_STATEMENT], orders[PLAIN : PLAIN + TWINS]
    file = statement_of(known)
    unnamed = f"\r\n2099-11-25 09:00:00,,{twins[0].quote.cny_fen / 100:.2f},转账"
    clicks = count_clicks(page)
    page.goto(f"{site.desk_url}/orders?lang={language.value}")
    page.get_by_role("link", name=texts.lists.compare).click()
    page.get_by_label(t.file).set_input_files(
        FilePayload(
            name="day.csv", mimeType="text/csv", buffer=file["buffer"] + unnamed.encode("gb18030")
        )
    )
    expect(page.locator(".picked .name")).to_have_text("day.csv")
    page.get_by_role("button", name=t.go, exact=True).click()
    kinds = dict.fromkeys(("wrong", "unmatched", "unread", "others"), 0)
    kinds |= {"sure": BY_STATEMENT, "doubtful": 1}
    counts = t.counts.format(count=BY_STATEMENT + 1, **kinds)
    expect(page.get_by_role("heading", name=counts)).to_be_visible()
    taps = page.locator("form.match button")
    assert taps.count() == BY_STATEMENT
    page.get_by_role("button", name=t.all.format(count=BY_STATEMENT)).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".all li")).to_have_count(BY_STATEMENT)
    expect(dialog.locator(".all li").first).to_contain_text(payment_reference(known[0].order_no))
    dialog.get_by_role("button", name=t.all.format(count=BY_STATEMENT)).click()
    expect(taps.last).to_have_text(t.done)
    expect(page.locator("#all")).to_have_text(t.done)
    assert {visit.stored(order).status for order in known} == {OrderStatus.COMPLETED}
    assert {visit.stored(order).status for order in twins} == {OrderStatus.PAID}
    # Each decision opens the next order: first what a customer waits for, then support's questions.
    # Twins: the question names the others of this amount before the second tap.
    to_list(visit, language)
    page.locator(".item .stretch").first.click()
    for _ in range(PLAIN - BY_STATEMENT + TWINS + DISPUTED):
        confirm_next(visit, language)
    assert {visit.stored(order).status for order in twins} == {OrderStatus.COMPLETED}
    # Late payments wait for nobody; they are confirmed on their page.
    confirm = texts.order.confirm[BUY]
    for order in orders[PLAIN + TWINS : PLAIN + TWINS + LATE]:
        to_list(visit, language)
        page.locator(f".stretch[href*='{order.order_no}']").click()
        page.locator("a[data-ask=ask-confirm]").click()
        page.get_by_role("dialog").get_by_role("button", name=confirm.go).click()
        expect(page.locator(".done")).to_contain_text(order.order_no)
    print(f"a day of 50 orders: {len(clicks)} clicks")
    assert len(clicks) <= CLICKS_MAX
    page.goto(f"{site.desk_url}/orders?lang={language.value}")
    expect(page.locator(".empty")).to_contain_text(texts.lists.none_open.headline)
    assert {visit.stored(order).status for order in orders} == {OrderStatus.COMPLETED}
