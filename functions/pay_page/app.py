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
from orderdesk.domain.orders.errors import ProofMissing, StateConflict, TooManyReceipts
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Move
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.orders.move import move_order
from orderdesk.services.orders.notes import is_of_dispute, take_picture
from orderdesk.services.orders.receipts import picture_key, take_receipt
from orderdesk.settings.receipts import PayPageSettings
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.notes import Disputes
from orderdesk.web.pages.links import address_of
from orderdesk.web.pages.page import (
    Page,
    PageRoute,
    SeeOther,
    answer_data,
    answer_page,
    language_of,
)
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.dispute_routes import DisputeRoutes
from orderdesk.web.pages.pay.one_order import PAGE, PAYER, UNPROCESSABLE, OneOrder
from orderdesk.web.pages.pay.page import pay_status
from orderdesk.web.pages.templates import load_templates
from orderdesk.web.pages.uploads import back_page, unfit_alert, uploaded_key
from orderdesk.wiring.ports import move_ports, receipt_ports, shown_merchants, signed_addresses

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
shown = Disputes(orders, uploads, pictures)
one = OneOrder(orders, merchants, attempts, shown, settings.public_base_url)
disputes = DisputeRoutes(one, ports)
load_templates("pay", "dispute")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    route = event["httpMethod"], event["resource"].removeprefix(PAGE)
    if route == ("GET", "/status"):
        return answer_data(event, logger, show_status)
    return answer_page(event, logger, ROUTES[route])


def show_status(request: Request, now: int) -> Mapping[str, object]:
    """Parse, find, answer with the status."""
    return pay_status(one.find(request, now), now)


def report_paid(request: Request, now: int) -> Page | SeeOther:
    """Move the order to paid."""
    return moved(request, Move.PAY, now)


def cancel(request: Request, now: int) -> Page | SeeOther:
    """Cancel the order for the payer."""
    return moved(request, Move.CANCEL, now)


def moved(request: Request, move: Move, now: int) -> Page | SeeOther:
    """Parse, move, lead to the page; if the order had already moved, show it as it is now."""
    order = one.permit(request, now)
    try:
        move_order(order.order_no, move, PAYER, ports, now)
    except ProofMissing:
        alert = TEXTS[language_of(request)].receipt_missing
        return replace(one.show(order, request, now, alert), status=UNPROCESSABLE)
    except StateConflict:
        return one.overtaken(request, now)
    return one.lead_to(request, now)


def come_back(request: Request, now: int) -> Page | SeeOther:
    """Show the page that S3 sends a browser to after an upload; it changes nothing."""
    one.find(request, now)
    return back_page(request) or SeeOther(address_of(request))


def report_receipt(request: Request, now: int) -> Page | SeeOther:
    """Parse, draw and keep the upload, lead to the page; in a dispute it is a picture."""
    order, key = one.permit(request, now), uploaded_key(request)
    take = take_picture if is_of_dispute(key, order, PAYER) else take_receipt
    try:
        take(order, key, PAYER, proofs, now)
    except UnfitReceipt as unfit:
        return refused_receipt(order, unfit.problem, request, now)
    except TooManyReceipts:
        return refused_receipt(order, ReceiptProblem.TOO_MANY, request, now)
    except TooManyNotes:
        return one.full(order, request, now)
    except StateConflict:
        return one.overtaken(request, now)
    return one.lead_to(request, now)


def show_receipt(request: Request, now: int) -> SeeOther:
    """Find, redirect to a page's picture, whose address works for a few minutes."""
    number, page = request.path_parameters["number"], request.query.get("page", "1")
    return SeeOther(pictures.url(picture_key(one.find(request, now).receipts, number, page)))


def refused_receipt(order: Order, problem: ReceiptProblem, request: Request, now: int) -> Page:
    """Show the page with what is wrong with the file."""
    logger.info("receipt refused", extra={"problem": problem.value})
    page = one.show(order, request, now, unfit_alert(problem, language_of(request)))
    return replace(page, status=UNPROCESSABLE)


ROUTES: Mapping[tuple[str, str], PageRoute] = {
    ("GET", ""): one.show_found,
    ("GET", "/cancel"): partial(one.ask, Move.CANCEL),
    ("GET", "/receipt"): come_back,
    ("GET", "/receipts/{number}"): show_receipt,
    ("POST", "/paid"): report_paid,
    ("POST", "/cancel"): cancel,
    ("POST", "/receipt"): report_receipt,
    **disputes.routes(),
}
