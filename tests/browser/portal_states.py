"""Every page of the merchants' portal in a tab, for pictures, axe and layout."""

from collections.abc import Iterator
from dataclasses import replace

from playwright.sync_api import Page

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import preview_key
from tests.browser.dispute_story import store_dispute
from tests.browser.site import Site, payment_code_png
from tests.support.orders import desk_order, proofs
from tests.support.portal import Authenticator, PortalVisit, invite

_ELAPSED_SECONDS = 75
_FUNDS_MICRO = 12_345_678_900_000


def join(tab: Page, site: Site, merchant: Merchant, token: str) -> None:
    """Accept an invitation with an authenticator in software, and give the tab the session."""
    home = site.portal_url
    visit = PortalVisit(site.world, merchant, Authenticator(origin=home.removesuffix("/portal")))
    answer = visit.join(token)
    assert answer["statusCode"] == 303, answer
    tab.context.add_cookies([{"name": "portal", "value": visit.cookie, "url": home}])


def portal_states(tab: Page, site: Site, language: str) -> Iterator[str]:
    """Show each page in the tab and yield its name; pages are found by the navigation."""
    home, asked = site.portal_url, f"?lang={language}"
    merchant, _ = site.world.add_merchant()
    tab.goto(f"{home}/login{asked}")
    yield "login"
    token = invite(site.world, merchant, MemberRole.ADMIN)
    tab.goto(f"{home}/invite/{token}{asked}")
    yield "invite"
    join(tab, site, merchant, token)
    since = site.now - _ELAPSED_SECONDS
    buy = desk_order(OrderType.BUY, OrderStatus.DISPUTED, since, merchant_id=merchant.merchant_id)
    buy = store_dispute(site, replace(buy, receipts=proofs(buy, "image/png", "application/pdf")))
    for receipt in buy.receipts:
        site.bucket.files[preview_key(receipt.key)] = payment_code_png()
    site.world.put("Orders", order_item(buy))
    site.world.fund(merchant, _FUNDS_MICRO)
    tab.goto(f"{home}{asked}")
    pages = tab.eval_on_selector_all(".sections a", "(links) => links.map((each) => each.href)")
    for address in pages:
        tab.goto(address)
        yield address.partition("?")[0].rpartition("/")[2]
    tab.goto(f"{home}/orders/{buy.order_no}{asked}")
    yield "order"
    tab.goto(f"{home}/balance?kind=funding&lang={language}")
    yield "balance-search"
    tab.goto(f"{home}/orders?min=x&lang={language}")
    yield "orders-unfit"
    tab.goto(f"{home}/none{asked}")
    yield "not-found"
