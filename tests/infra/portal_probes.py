"""For each right of the portal's role: requests of a member that need it."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import httpx

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

type Probe = Callable[[StackSeed], bool]

PLENTY_MICRO = 10**15


def visit_of(seed: StackSeed) -> PortalVisit:
    """Return a browser that is not signed in, with a passkey for the stack's host."""
    own = urlsplit(seed.stack.base_url)
    authenticator = Authenticator(origin=f"{own.scheme}://{own.netloc}")
    return PortalVisit(seed, seed.add_merchant()[0], authenticator)


def member_joins(visit: PortalVisit) -> bool:
    """Accept an invitation as an admin; return whether a session was opened."""
    answer = visit.join(invite(visit.seed, visit.merchant, MemberRole.ADMIN))
    return bool(answer["statusCode"] == 303 and visit.cookie)


def joined(seed: StackSeed) -> bool:
    """Accept an invitation, and open the first page."""
    visit = visit_of(seed)
    return member_joins(visit) and visit.is_in()


def page(path: str) -> Probe:
    """Return a probe of a page."""

    def probe(seed: StackSeed) -> bool:
        visit = visit_of(seed)
        return member_joins(visit) and visit.get(path)["statusCode"] == 200

    return probe


def key_rotated(seed: StackSeed) -> bool:
    """Rotate the live key's secret."""
    visit = visit_of(seed)
    if not member_joins(visit):
        return False
    return bool(visit.confirmed("developers/keys/live/rotate")["statusCode"] == 200)


def name_left(seed: StackSeed) -> bool:
    """Show the merchant by another name, and no more."""
    visit = visit_of(seed)
    if not member_joins(visit):
        return False
    forms = [
        {"display_name": name, "support": "", "require_receipt": "no"}
        for name in (visit.merchant.merchant_id, "")
    ]
    return all(visit.post("settings/payers", OWN_PAGE, **f)["statusCode"] == 303 for f in forms)


def order_of_member(path: str, status: int, order: dict[str, Any], **trader: bool) -> Probe:
    """Return a probe of an own order's page, or of its form `path`."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader(**trader)
        visit = visit_of(seed)
        merchant, client = seed.add_merchant()
        seed.fund(merchant, PLENTY_MICRO)
        visit.merchant = merchant
        if not member_joins(visit):
            return False
        number = client.create({**order}).data["order_no"]
        answer = visit.send("POST" if path else "GET", f"orders/{number}{path}", headers=OWN_PAGE)
        return bool(answer["statusCode"] == status)

    return probe


def request_withdrawal(visit: PortalVisit) -> str | None:
    """Join, and request a withdrawal of 1 USDT; return its number, None if it was refused."""
    visit.seed.fund(visit.merchant, PLENTY_MICRO)
    mei = Person(visit.seed, visit.merchant.merchant_id).with_rested_address()
    form = {"request_no": draw_request_no(mei.ports), "to": f"TRC20:{TRON}", "amount": "1"}
    if not member_joins(visit):
        return None
    answer = visit.confirmed("balance/requests", **form, memo="rent")
    return form["request_no"] if answer["statusCode"] == 303 else None


def withdrawal_requested(seed: StackSeed) -> bool:
    """Request a withdrawal."""
    return request_withdrawal(visit_of(seed)) is not None


def withdrawal_cancelled(seed: StackSeed) -> bool:
    """Request a withdrawal, and cancel it."""
    visit = visit_of(seed)
    number = request_withdrawal(visit)
    answer = visit.post(f"balance/requests/{number}/cancel", OWN_PAGE)
    return bool(answer["statusCode"] == 303)


def disputed_order(seed: StackSeed) -> tuple[PortalVisit, str] | None:
    """Join, create a buy, let its trader dispute it; return the visit and the number."""
    seed.clear_rotation()
    desk, visit = TraderVisit.of_new_trader(seed), visit_of(seed)
    visit.merchant, client = seed.add_merchant()
    made = client.create(buy()).data
    Payer.of_link(seed, made["pay_url"]).post("/paid")
    desk.post(f"{ORDER}/report", made["order_no"])
    return (visit, made["order_no"]) if member_joins(visit) else None


def picture_sent(seed: StackSeed) -> bool:
    """Answer a dispute with a picture: form, rendering, storage."""
    found = disputed_order(seed)
    return found is not None and found[0].upload(found[1], png())["statusCode"] == 303


def picture_seen(seed: StackSeed) -> bool:
    """Answer a dispute with a picture, and open it."""
    found = disputed_order(seed)
    if found is None:
        return False
    visit, number = found
    visit.upload(number, png())
    shown = visit.get(f"orders/{number}/notes/2")
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def logo_set(visit: PortalVisit) -> bool:
    """Join, upload a logo, come back from the bucket, press the button."""
    if not member_joins(visit):
        return False
    form = UploadForm.on(visit.get("settings")["body"])
    here = query_of_return(form.upload(visit.seed.transport(), png()))
    sent = hidden_fields(visit.get("settings/logo", **here)["body"])
    return bool(visit.post("settings/logo", OWN_PAGE, **sent)["statusCode"] == 303)


def logo_seen(path: str) -> Probe:
    """Return a probe that opens the logo on the page at a field of createOrder's answer."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader()
        visit, is_held = visit_of(seed), path == "identity_url"
        merchant, client = seed.add_merchant(display_name="A shop", identity_required=is_held)
        visit.merchant = merchant
        if not logo_set(visit):
            return False
        url = client.create(buy()).data[path]
        page = httpx.get(url, timeout=None).text
        logo = re.search(r'<img class="logo" src="([^"]+)"', page)
        if logo is None:
            return False
        return httpx.get(unescape(logo[1]), timeout=None).status_code == httpx.codes.OK

    return probe


def callback_redelivered(seed: StackSeed) -> bool:
    """Redeliver a callback of the merchant."""
    visit = visit_of(seed)
    kept = keep_delivery(seed, visit.merchant)
    if not member_joins(visit):
        return False
    answer = visit.post(f"callbacks/{kept.event.webhook_id}/redeliver", OWN_PAGE)
    return bool(answer["statusCode"] == 303)


def callbacks_shown(seed: StackSeed) -> bool:
    """Show a callback of the merchant."""
    visit = visit_of(seed)
    kept = keep_delivery(seed, visit.merchant)
    return member_joins(visit) and kept.event.webhook_id in visit.get("callbacks")["body"]


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
    page("team"): ("ReadBatchGetItem1", "ReadTrail"),
    key_rotated: ("UseSecretsDecrypt", "UseSecretsEncrypt", "ChangeMerchant"),
    name_left: ("End1",),
    page("balance"): ("ReadBalance", "ReadStatement"),
    page(""): ("ReadAccounts0", "ReadAccounts1", "Find1"),
    withdrawal_requested: ("RequestWithdrawal", "CheckAddress0", "CheckAddress1", "SignRequest"),
    withdrawal_cancelled: ("End0",),
    page("orders"): ("Find0",),
    order_of_member("", 200, sell()): ("ReadOrder",),
    callbacks_shown: ("Find2", "ReadBatchGetItem2"),
    callback_redelivered: ("ReadGetItem2", "StartCallbackAgain", "SendCallback"),
    order_of_member("/cancel", 303, sell()): ("MoveOrder", "ChangeHold"),
    order_of_member("/cancel", 303, buy()): ("ReleaseTrader",),
    picture_sent: ("OfferUpload", "RenderReceipt"),
    picture_seen: ("ShowPicture",),
    order_of_member("/cancel", 303, buy(), unique_amounts=True): ("ReadAmount",),
}
