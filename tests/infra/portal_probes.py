"""For each right of the portal's role: requests of a member that need it."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import httpx

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.services.merchants.withdrawals import draw_request_no
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import buy, sell
from tests.support.payer import Payer
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.receipt_samples import png
from tests.support.requesting import TRON, Person
from tests.support.stack_seed import StackSeed
from tests.support.trader import ORDER, TraderVisit
from tests.support.visitors import OWN_PAGE, UploadForm, hidden_fields, query_of_return

type Probe = Callable[[StackSeed], object]

PLENTY_MICRO = 10**15
PAGES = ("team", "balance", "", "orders")


def member_of(seed: StackSeed, merchant: Merchant | None = None) -> PortalVisit:
    """Return an admin's browser, who has just accepted an invitation of a merchant."""
    own = urlsplit(seed.stack.base_url)
    authenticator = Authenticator(origin=f"{own.scheme}://{own.netloc}")
    visit = PortalVisit(seed, merchant or seed.add_merchant()[0], authenticator)
    answer = visit.join(invite(seed, visit.merchant, MemberRole.ADMIN))
    assert (answer["statusCode"], bool(visit.cookie)) == (303, True)
    return visit


def joined(seed: StackSeed) -> bool:
    """Accept an invitation, and open the first page."""
    return member_of(seed).is_in()


def pages_read(seed: StackSeed) -> bool:
    visit = member_of(seed)
    return all(visit.get(path)["statusCode"] == 200 for path in PAGES)


def key_rotated(seed: StackSeed) -> bool:
    """Rotate the live key's secret."""
    answer = member_of(seed).confirmed("developers/keys/live/rotate")
    return bool(answer["statusCode"] == 200)


def name_left(seed: StackSeed) -> bool:
    """Show the merchant by another name, and no more."""
    visit = member_of(seed)
    forms = [
        {"display_name": name, "support": "", "require_receipt": "no"}
        for name in (visit.merchant.merchant_id, "")
    ]
    return all(visit.post("settings/payers", OWN_PAGE, **f)["statusCode"] == 303 for f in forms)


def order_of_member(path: str, status: int, order: dict[str, Any], **trader: bool) -> Probe:
    """Return a probe of an own order's page, or of its form `path`."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader(**trader)
        merchant, client = seed.add_merchant()
        seed.fund(merchant, PLENTY_MICRO)
        visit = member_of(seed, merchant)
        number = client.create({**order}).data["order_no"]
        answer = visit.send("POST" if path else "GET", f"orders/{number}{path}", headers=OWN_PAGE)
        return bool(answer["statusCode"] == status)

    return probe


def withdrawal_requested(seed: StackSeed) -> tuple[PortalVisit, str]:
    """Request a withdrawal of 1 USDT; return its number."""
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    mei, visit = Person(seed, merchant.merchant_id).with_rested_address(), member_of(seed, merchant)
    form = {"request_no": draw_request_no(mei.ports), "to": f"TRC20:{TRON}", "amount": "1"}
    assert visit.confirmed("balance/requests", **form, memo="rent")["statusCode"] == 303
    return visit, form["request_no"]


def withdrawal_cancelled(seed: StackSeed) -> bool:
    """Request a withdrawal, and cancel it."""
    visit, number = withdrawal_requested(seed)
    answer = visit.post(f"balance/requests/{number}/cancel", OWN_PAGE)
    return bool(answer["statusCode"] == 303)


def picture_sent(seed: StackSeed) -> tuple[PortalVisit, str]:
    """Answer a trader's dispute of a buy with a picture: form, rendering, storage."""
    seed.clear_rotation()
    desk = TraderVisit.of_new_trader(seed)
    merchant, client = seed.add_merchant()
    made = client.create(buy()).data
    Payer.of_link(seed, made["pay_url"]).post("/paid")
    desk.post(f"{ORDER}/report", made["order_no"])
    visit = member_of(seed, merchant)
    assert visit.upload(made["order_no"], png())["statusCode"] == 303
    return visit, made["order_no"]


def picture_seen(seed: StackSeed) -> bool:
    """Answer a dispute with a picture, and open it."""
    visit, number = picture_sent(seed)
    shown = visit.get(f"orders/{number}/notes/2")
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def logo_seen(path: str) -> Probe:
    """Return a probe that opens the logo on the page at a field of createOrder's answer."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader()
        is_held = path == "identity_url"
        merchant, client = seed.add_merchant(display_name="A shop", identity_required=is_held)
        visit = member_of(seed, merchant)
        form = UploadForm.on(visit.get("settings")["body"])
        here = query_of_return(form.upload(seed.transport(), png()))
        sent = hidden_fields(visit.get("settings/logo", **here)["body"])
        assert visit.post("settings/logo", OWN_PAGE, **sent)["statusCode"] == 303
        page = httpx.get(client.create(buy()).data[path], timeout=None).text
        logo = re.search(r'<img class="logo" src="([^"]+)"', page)
        assert logo is not None
        return httpx.get(unescape(logo[1]), timeout=None).status_code == httpx.codes.OK

    return probe


def callback_seen_and_redelivered(seed: StackSeed) -> bool:
    visit = member_of(seed)
    number = keep_delivery(seed, visit.merchant).event.webhook_id
    assert number in visit.get("callbacks")["body"]
    return bool(visit.post(f"callbacks/{number}/redeliver", OWN_PAGE)["statusCode"] == 303)


PROBES: dict[Probe, tuple[str, ...]] = {
    joined: (
        "ReadGetItem0",
        "ReadBatchGetItem0",
        "ChangeTeam",
        "ReadGetItem1",
        "OpenSession",
        "End2",
        "CountAttempts",
        "AppendToAudit",
    ),
    pages_read: (
        *("ReadBatchGetItem1", "ReadTrail", "ReadBalance", "ReadStatement"),
        *("ReadAccounts0", "ReadAccounts1", "Find0", "Find1"),
    ),
    key_rotated: ("UseSecretsDecrypt", "UseSecretsEncrypt", "ChangeMerchant"),
    name_left: ("End1",),
    withdrawal_requested: ("RequestWithdrawal", "CheckAddress0", "CheckAddress1", "SignRequest"),
    withdrawal_cancelled: ("End0",),
    order_of_member("", 200, sell()): ("ReadOrder",),
    callback_seen_and_redelivered: (
        *("Find2", "ReadBatchGetItem2", "ReadGetItem2", "StartCallbackAgain", "SendCallback"),
    ),
    order_of_member("/cancel", 303, sell()): ("MoveOrder", "ChangeHold"),
    order_of_member("/cancel", 303, buy()): ("ReleaseTrader",),
    picture_sent: ("OfferUpload", "RenderReceipt"),
    picture_seen: ("ShowPicture",),
    order_of_member("/cancel", 303, buy(), unique_amounts=True): ("ReadAmount",),
}
