"""The states of the pay page that need a visitor's action, for the pictures."""

from collections.abc import Iterator
from dataclasses import replace

from playwright.sync_api import FilePayload, Page

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, MAX_RECEIPTS, OrderStatus, Receipt
from tests.browser.dispute_story import END, store_dispute
from tests.browser.site import Site
from tests.support import receipt_samples as samples
from tests.support.orders import WINDOW_SECONDS, buy_order
from tests.support.seed import ALIPAY_METHOD, WECHAT_METHOD


def pay_states(page: Page, site: Site, language: str) -> Iterator[str]:
    """Set up each state of the page and yield its name."""
    now, lang = site.now - 28, f"?lang={language}"
    alipay = replace(ALIPAY_METHOD, qr_code="https://qr.alipay.com/fkx1a-payment-code")
    page.goto(site.put(buy_order(now, payment_method=alipay)) + lang)
    yield "pending-app"
    page.goto(site.put(buy_order(now - WINDOW_SECONDS - 60)) + lang)
    yield "expired-late"
    drawn = replace(WECHAT_METHOD, qr_code="wxp://f2f0-a-payment-code-of-the-trader-one")
    page.goto(site.put(buy_order(now, payment_method=drawn)) + lang)
    yield "pending-code-drawn"
    for count in (2, MAX_RECEIPTS):
        kept = tuple(Receipt(f"receipts/{n}", "image/png", 1, now) for n in range(count))
        page.goto(site.put(buy_order(now, OrderStatus.PAID, receipts=kept)) + lang)
        yield f"paid-{count}-receipts"
    url = site.put(buy_order(now))
    page.goto(f"{url}/cancel{lang}")
    yield "cancel-asked"
    page.goto(url + lang)
    page.locator("#ask").click()
    yield "cancel-dialog"
    url = site.put(buy_order(now - DISPUTE_AFTER_SECONDS, OrderStatus.PAID))
    page.goto(url + lang)
    yield "paid-unconfirmed"
    page.goto(f"{url}/dispute{lang}")
    yield "dispute-asked"
    page.locator("#reason").fill("a\u202eb")
    page.locator(".choice button").click()
    page.locator(".problem").wait_for()
    yield "dispute-unfit"
    disputed = store_dispute(site, buy_order(now - 600, OrderStatus.DISPUTED))
    page.goto(site.put(disputed) + lang)
    yield "disputed-told"
    page.goto(site.put(replace(disputed, timeline=(*disputed.timeline, END))) + lang)
    yield "disputed-over"
    url = site.put(buy_order(now))
    page.goto(url + lang)
    page.locator("#file").set_input_files(_file("receipt.gif", "image/gif"))
    yield "receipt-unfit-before-sending"
    page.locator("#file").set_input_files(_file("receipt.png", "image/png"))
    page.locator("#upload button").click()
    page.locator(".alert").wait_for()
    yield "receipt-refused"
    page.goto(f"{url}/paid{lang}")
    yield "paid-asked"
    page.goto(url + lang)
    page.locator(".report form button").click()
    yield "paid-dialog"
    site.put(buy_order(now, OrderStatus.COMPLETED))
    page.locator("#reported button[type=submit]").click()
    page.locator(".alert").wait_for()
    yield "overtaken"


def _file(name: str, kind: str) -> FilePayload:
    return FilePayload(name=name, mimeType=kind, buffer=samples.HTML)
