"""The portal on the deployed stack: one invitation twice at once, and a walk in a browser."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from playwright.sync_api import Browser, Page

from orderdesk.domain.merchants.team import MemberRole
from tests.browser.chromium import LIGHT, PHONE, launching
from tests.infra.operator_probes import session
from tests.infra.portal_probes import request_withdrawal, visit_of
from tests.support.merchant_client import MerchantClient
from tests.support.operator_calls import ROOT, call
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.stack_seed import StackSeed

AT_ONCE = 4
PLATFORM = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_one_of_several_posts_with_an_invitation_wins(stack_seed: StackSeed) -> None:
    first = visit_of(stack_seed)
    token = invite(stack_seed, first.merchant, MemberRole.ADMIN)
    own = first.authenticator.origin
    visits = [replace(first, authenticator=Authenticator(origin=own)) for _ in range(AT_ONCE)]
    asked = [json.loads(visit.post(f"invite/{token}/challenge")["body"]) for visit in visits]
    made = [
        visit.authenticator.register(options) for visit, options in zip(visits, asked, strict=True)
    ]
    together = Barrier(AT_ONCE)

    def accept(visit: PortalVisit, credential: str) -> int:
        together.wait()
        return int(visit.post(f"invite/{token}", credential=credential)["statusCode"])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        statuses = sorted(pool.map(accept, visits, made))
    assert statuses == [303] + [404] * (AT_ONCE - 1)
    assert len(first.team.members) == 1
    assert sum(visit.is_in() for visit in visits) == 1


def test_a_withdrawal_from_the_portal_to_its_transaction(stack_seed: StackSeed) -> None:
    visit = visit_of(stack_seed)
    number = request_withdrawal(visit)
    assert number is not None
    available, held = stack_seed.balance(visit.merchant)
    assert held == 10**6
    stack, taker = stack_seed.stack, ROOT
    taken = call(stack, taker, "withdraw.merchant", request_no=number).json()["data"]
    proposal = {"proposal_no": taken["withdrawal_no"]}
    assert call(stack, taker, "proposal.approve", **proposal).json()["code"] == 2301
    with session(stack_seed) as other:
        assert call(stack, other, "proposal.approve", **proposal).json()["code"] == 1
    sent = {"withdrawal_no": number, "txid": "ab12cd34"}
    assert call(stack, taker, "withdraw.sent", **sent).json()["code"] == 1
    assert stack_seed.balance(visit.merchant) == (available, 0)
    page = visit.get("balance")["body"]
    assert number in page
    assert "ab12cd34" in page
    assert visit.get("balance.csv")["statusCode"] == 200


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with launching() as launch:
        yield launch(LIGHT)


def submit(page: Page, selector: str) -> None:
    with page.expect_navigation():
        page.click(selector)


def test_a_member_joins_signs_in_and_rotates_the_test_key_in_a_browser(
    stack_seed: StackSeed, chromium: Browser
) -> None:
    merchant, live = stack_seed.add_merchant()
    _, test = stack_seed.add_test_key(merchant)
    token = invite(stack_seed, merchant, MemberRole.DEVELOPER)
    home = f"{stack_seed.stack.base_url}/portal"
    with chromium.new_context(viewport=PHONE) as context:
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("WebAuthn.enable")
        devtools.send("WebAuthn.addVirtualAuthenticator", {"options": PLATFORM})
        page.goto(f"{home}/invite/{token}")
        submit(page, "main button[type=submit]")
        assert page.url == home
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
        submit(page, ".who button")
        assert page.url == f"{home}/login"
        submit(page, "main button[type=submit]")
        assert page.url == home
        for path in ("orders", "developers", "team", "settings"):
            page.goto(f"{home}/{path}")
            assert page.locator("[aria-current=page]").count() == 1
        page.goto(f"{home}/developers")
        submit(page, "form[action*='/test/rotate'] button")
        secret = page.inner_text("#api-secret")
        page.goto(f"{home}/developers/explorer?call=balance")
        submit(page, "button[value=send]")
        assert "HTTP 200" in page.inner_text("#answer")
        session = context.cookies()[0]["value"]
    rotated: MerchantClient = replace(test, api_secret=secret)
    assert rotated.post("/merchant/balance", {}).code == 1
    assert live.post("/merchant/balance", {}).code == 1
    thief = replace(visit_of(stack_seed), merchant=merchant, cookie=session)
    assert thief.is_in()
    assert thief.post("developers/keys/test/rotate")["statusCode"] == 403
