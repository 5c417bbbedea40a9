"""A customer on the identity page, in a browser."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from orderdesk.domain.orders.drafts import Draft
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.site import Site
from tests.support.identities import identity
from tests.support.orders import RETURN_URL, SHOP, held_draft

HEADLINES = {
    "form": "Confirm your identity",
    "verifying": "Checking your details",
    "verified": "Your identity is confirmed",
    "unavailable": "The check is not available right now",
    "locked": "Verification failed",
    "expired": "This link has expired",
    "completed": "Your order is ready",
}
WAYS = [(PHONE, True), (DESKTOP, False)]
SCREENS_AND_SCRIPTS = pytest.mark.parametrize(("viewport", "javascript"), WAYS)


def waiting(site: Site, **changes: Any) -> Draft:
    merchant, _ = site.world.add_merchant(identity_required=True, **SHOP)
    changes = {"createtime": site.now, "return_url": RETURN_URL, **changes}
    return held_draft(changes["createtime"], merchant_id=merchant.merchant_id, **changes)


def fill_in(tab: Page, **changes: str) -> None:
    for name, text in {**identity(), **changes}.items():
        tab.locator(f"#{name}").fill(text)


def send(tab: Page, **changes: str) -> None:
    fill_in(tab, **changes)
    tab.get_by_role("button").click()


def expect_state(tab: Page, state: str) -> None:
    expect(tab.get_by_role("heading", level=1)).to_have_text(HEADLINES[state])
