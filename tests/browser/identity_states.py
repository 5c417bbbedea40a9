"""Every state of the identity page in a tab, for pictures and for axe."""

from collections.abc import Iterator
from dataclasses import replace

from playwright.sync_api import Page

from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.pricing import Mode
from tests.browser.site import Site
from tests.support.identities import identity
from tests.support.orders import LIFE_SECONDS, RECORD, RETURN_URL, SHOP, held_draft

_ELAPSED_SECONDS = 75
_MALFORMED = {"customer_name": "测", "id_card": "110101200001010001", "mobile": ""}
_UNAVAILABLE = identity(mobile="13800009999")


def identity_states(tab: Page, site: Site, language: str) -> Iterator[str]:
    """Show each state in the tab and yield its name."""
    for name, draft in _drafts(site):
        tab.goto(f"{site.hold(draft)}?lang={language}")
        yield name
    tab.goto(f"{site.hold(_held(site))}?lang={language}")
    _send(tab, _MALFORMED)
    yield "found-by-script"
    tab.locator("#send").click()
    tab.wait_for_selector("#summary")
    yield "malformed"
    _send(tab, _UNAVAILABLE)
    tab.wait_for_selector("[data-state=unavailable]")
    yield "unavailable"
    tab.locator("form").evaluate("form => { form.enctype = 'text/plain'; form.submit(); }")
    tab.wait_for_selector(".tone-care")
    yield "bad-form"


def _drafts(site: Site) -> Iterator[tuple[str, Draft]]:
    now, held = site.now, _held(site)
    yield "form", held
    yield "form-test", replace(held, mode=Mode.TEST, cny_fen=999_999_999_999_99)
    yield "form-soon", replace(held, expire_time=now + 47)
    yield "verifying", replace(held, attempt_time=now)
    yield "verified", replace(held, identity=RECORD)
    yield "locked", replace(held, status=DraftStatus.LOCKED)
    yield "expired", replace(held, expire_time=now - 1)
    order_no = "B" + held.pending_no[1:]
    yield "completed", replace(held, status=DraftStatus.COMPLETED, order_no=order_no)


def _held(site: Site) -> Draft:
    merchant, _ = site.world.add_merchant(identity_required=True, **SHOP)
    created = site.now - _ELAPSED_SECONDS
    return held_draft(
        created,
        merchant_id=merchant.merchant_id,
        expire_time=created + LIFE_SECONDS,
        return_url=RETURN_URL,
    )


def _send(tab: Page, fields: dict[str, str]) -> None:
    for name, text in fields.items():
        tab.locator(f"#{name}").fill(text)
    tab.locator("#send").click()
