"""/pay/{order_no}/{token}: the payer's page of a buy order, and the payer's moves."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.domain.orders.errors import (
    OrderNotFound,
    ProofMissing,
    StateConflict,
    TooManyReceipts,
)
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.attempt_limits import LINK_POSTS, WRONG_LINKS, require_within
from orderdesk.services.orders.look_up import open_pay_page
from orderdesk.services.orders.move import move_order
from orderdesk.services.orders.notes import add_text, dispute_order, is_of_dispute, take_picture
from orderdesk.services.orders.receipts import offer_upload, picture_key, take_receipt
from orderdesk.settings.receipts import PayPageSettings
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.notes import Addresses, Disputes
from orderdesk.web.pages.dispute.words import Unsent, full_alert, posted_reason, posted_text
from orderdesk.web.pages.forms import require_same_origin
from orderdesk.web.pages.links import address_of, public_address_of
from orderdesk.web.pages.merchants import merchant_view
from orderdesk.web.pages.page import (
    Page,
    SeeOther,
    answer_data,
    answer_page,
    language_of,
    led_to,
)
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.pay.page import pay_page, pay_status
from orderdesk.web.pages.pay.questions import question_of, question_page
from orderdesk.web.pages.templates import load_templates
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.uploads import back_page, unfit_alert, uploaded_key
from orderdesk.wiring.merchants import shown_merchants
from orderdesk.wiring.moves import move_ports
from orderdesk.wiring.receipts import receipt_ports, signed_addresses

PAGE = "/pay/{order_no}/{token}"
CONFLICT, UNPROCESSABLE = 409, 422
PAYER = By(Actor.PAYER)

logger = Logger(use_rfc3339=True)
settings = PayPageSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
orders = OrderStore(dynamodb, settings.orders_table)
merchants = shown_merchants(dynamodb, settings)
attempts = AttemptCounter(dynamodb, settings.guards_table)
uploads, pictures = signed_addresses(session, settings)
ports = move_ports(dynamodb, settings.tables)
proofs = receipt_ports(session, settings, ports)
disputes = Disputes(orders, uploads, pictures)
load_templates("pay", "dispute")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    route = event["httpMethod"], event["resource"].removeprefix(PAGE)
    if route == ("GET", "/status"):
        return answer_data(event, logger, show_status)
    return answer_page(event, logger, ROUTES[route])


def show_page(request: Request, now: int) -> Page:
    """Parse, find, render."""
    return shown(find(request, now), request, now)


def show_status(request: Request, now: int) -> Mapping[str, object]:
    """Parse, find, answer with the status."""
    return pay_status(find(request, now), now)


def ask_to_cancel(request: Request, now: int) -> Page | SeeOther:
    """Ask the payer whether to cancel."""
    return asked(request, Move.CANCEL, now)


def ask_to_dispute(request: Request, now: int) -> Page | SeeOther:
    """Ask the payer whether to dispute."""
    return asked(request, Move.DISPUTE, now)


def asked(request: Request, move: Move, now: int, unsent: Unsent | None = None) -> Page | SeeOther:
    """Parse, find, render; if the payer cannot make this move, redirect to the order."""
    order, links = find(request, now), Links.of(request)
    question = question_of(order, now, language_of(request), links, unsent)
    if question is None or question.move is not move:
        return SeeOther(address_of(request))
    return question_page(order, question, links)


def report_paid(request: Request, now: int) -> Page | SeeOther:
    """Move the order to paid."""
    return moved(request, Move.PAY, now)


def cancel(request: Request, now: int) -> Page | SeeOther:
    """Cancel the order for the payer."""
    return moved(request, Move.CANCEL, now)


def dispute(request: Request, now: int) -> Page | SeeOther:
    """Dispute the order for the payer, who paid half an hour ago without a confirmation."""
    order = permitted(request, now)
    reason = posted_reason(request, needed=False)
    if isinstance(reason, Unsent):
        page = asked(request, Move.DISPUTE, now, reason)
        return replace(page, status=UNPROCESSABLE) if isinstance(page, Page) else page
    try:
        dispute_order(order.order_no, reason, PAYER, ports, now)
    except StateConflict:
        return overtaken(request, now)
    return to_page(request, now)


def say(request: Request, now: int) -> Page | SeeOther:
    """Add what the payer says to the dispute."""
    order = permitted(request, now)
    said = posted_text(request)
    if isinstance(said, Unsent):
        return replace(shown(order, request, now, unsent=said), status=UNPROCESSABLE)
    try:
        add_text(order.order_no, said, PAYER, ports, now)
    except TooManyNotes:
        return full(order, request, now)
    except StateConflict:
        return overtaken(request, now)
    return to_page(request, now)


def moved(request: Request, move: Move, now: int) -> Page | SeeOther:
    """Parse, move, lead to the page; if the order had already moved, show it as it is now."""
    order = permitted(request, now)
    try:
        move_order(order.order_no, move, PAYER, ports, now)
    except ProofMissing:
        alert = TEXTS[language_of(request)].receipt_missing
        return replace(shown(order, request, now, alert), status=UNPROCESSABLE)
    except StateConflict:
        return overtaken(request, now)
    return to_page(request, now)


def come_back(request: Request, now: int) -> Page | SeeOther:
    """Show the page that S3 sends a browser to after an upload; it changes nothing."""
    find(request, now)
    return back_page(request) or SeeOther(address_of(request))


def report_receipt(request: Request, now: int) -> Page | SeeOther:
    """Parse, draw and keep the upload, lead to the page; in a dispute it is a picture."""
    order, key = permitted(request, now), uploaded_key(request)
    take = take_picture if is_of_dispute(key, order, PAYER) else take_receipt
    try:
        take(order, key, PAYER, proofs, now)
    except UnfitReceipt as unfit:
        return refused_receipt(order, unfit.problem, request, now)
    except TooManyReceipts:
        return refused_receipt(order, ReceiptProblem.TOO_MANY, request, now)
    except TooManyNotes:
        return full(order, request, now)
    except StateConflict:
        return overtaken(request, now)
    return to_page(request, now)


def to_page(request: Request, now: int) -> Page | SeeOther:
    """Lead a POST to the order's page."""
    return led_to(request, address_of(request), PAGE, partial(show_page, now=now))


def show_receipt(request: Request, now: int) -> SeeOther:
    """Find, redirect to a page's picture, whose address works for a few minutes."""
    number, page = request.path_parameters["number"], request.query.get("page", "1")
    return SeeOther(pictures.url(picture_key(find(request, now), number, page)))


def show_note(request: Request, now: int) -> SeeOther:
    """Find, redirect to a page's picture of a dispute, whose address works for a few minutes."""
    return disputes.picture(find(request, now), request)


def full(order: Order, request: Request, now: int) -> Page:
    """Show the page of a dispute that takes no more of the payer."""
    page = shown(order, request, now, full_alert(language_of(request)))
    return replace(page, status=UNPROCESSABLE)


def refused_receipt(order: Order, problem: ReceiptProblem, request: Request, now: int) -> Page:
    """Show the page with what is wrong with the file."""
    logger.info("receipt refused", extra={"problem": problem.value})
    page = shown(order, request, now, unfit_alert(problem, language_of(request)))
    return replace(page, status=UNPROCESSABLE)


def overtaken(request: Request, now: int) -> Page:
    """Show the page as it is now to a payer whose move came too late."""
    page = shown(find(request, now), request, now, TEXTS[language_of(request)].overtaken)
    return replace(page, status=CONFLICT)


def shown(
    order: Order,
    request: Request,
    now: int,
    alert: Notice | None = None,
    unsent: Unsent | None = None,
) -> Page:
    """Render the page with the sent receipts, and an upload form if the order takes one more."""
    back = public_address_of(request, settings.public_base_url, "/receipt")
    upload = offer_upload(order, uploads, PAYER, back, now)
    language, links = language_of(request), Links.of(request)
    merchant = merchant_view(merchants.find(order.merchant_id), order.return_url)
    previews = [pictures.url(preview_key(receipt.key)) for receipt in order.receipts]
    return pay_page(
        order,
        now,
        language,
        links,
        merchant=merchant,
        previews=previews,
        upload=upload,
        story=disputes.story(
            order, PAYER, request, Addresses(links.say, links.note, back), unsent=unsent
        ),
        alert=alert,
    )


def permitted(request: Request, now: int) -> Order:
    """Find the order of a POST, which must come from our page, and count it.

    Raises: OrderNotFound, NotSameOrigin, TooManyRequests, TryAgain.
    """
    order = find(request, now)
    require_same_origin(request, settings.public_base_url)
    require_within(attempts, LINK_POSTS, order.order_no, now)
    return order


def find(request: Request, now: int) -> Order:
    """Find the order of the link. Raises: OrderNotFound, TooManyRequests, TryAgain."""
    link = request.path_parameters
    try:
        return open_pay_page(orders, link["order_no"], link["token"])
    except OrderNotFound:
        require_within(attempts, WRONG_LINKS, request.source_ip, now)
        raise


ROUTES = {
    ("GET", ""): show_page,
    ("GET", "/cancel"): ask_to_cancel,
    ("GET", "/dispute"): ask_to_dispute,
    ("GET", "/receipt"): come_back,
    ("GET", "/receipts/{number}"): show_receipt,
    ("GET", "/notes/{number}"): show_note,
    ("POST", "/paid"): report_paid,
    ("POST", "/cancel"): cancel,
    ("POST", "/dispute"): dispute,
    ("POST", "/receipt"): report_receipt,
    ("POST", "/say"): say,
}
