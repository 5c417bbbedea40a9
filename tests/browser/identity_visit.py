"""A customer at the identity page, in a browser."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.identity import TEXTS as IDENTITY
from orderdesk.web.pages.texts import Language
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.site import Site
from tests.support.identities import identity
from tests.support.orders import RETURN_URL, SHOP, held_draft

TEXTS = IDENTITY[Language.EN]
WAYS = [(PHONE, True), (PHONE, False), (DESKTOP, True), (DESKTOP, False)]
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
    headline = TEXTS.notices[IdentityState(state)].headline
    expect(tab.get_by_role("heading", level=1)).to_have_text(headline)
