"""/trader/…: the traders' desk, from the login to the balance (contract sections 6 and 8)."""

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
from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.dynamodb.traders.devices import PushDevices
from orderdesk.adapters.dynamodb.traders.sessions import SessionStore
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.adapters.vapid_key import KmsVapidKey
from orderdesk.domain.ids import is_order_no
from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.places import preview_key
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.move import move_order
from orderdesk.services.orders.notes import add_text, dispute_order, is_of_dispute, take_picture
from orderdesk.services.orders.receipts import offer_upload, picture_key, take_receipt
from orderdesk.services.pushes.devices import DevicePorts
from orderdesk.services.traders.desk import (
    OpenPage,
    go_on_duty,
    open_orders,
    own_order,
    statement,
)
from orderdesk.services.traders.sessions import SessionPorts
from orderdesk.services.traders.settings import SettingsPorts
from orderdesk.settings.receipts import TraderDeskSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant.own_method import read_own_method
from orderdesk.web.pages.desk.alerts import IN_VAIN, Alert, InVain, alert_for
from orderdesk.web.pages.desk.arrangement import arrangement_of
from orderdesk.web.pages.desk.balance import balance_page, posting_before
from orderdesk.web.pages.desk.frame import DESK_PROBLEMS, PARTS, DeskLinks, return_address
from orderdesk.web.pages.desk.gate import DeskRoute, Gate, to_orders
from orderdesk.web.pages.desk.history_routes import PAGE_LENGTH, HistoryRoute
from orderdesk.web.pages.desk.lists import desk_place, desk_status, is_known, orders_page
from orderdesk.web.pages.desk.order import order_page
from orderdesk.web.pages.desk.pushes import PushRoutes, worker_script
from orderdesk.web.pages.desk.questions import question_page, questions_of
from orderdesk.web.pages.desk.settings_routes import SettingsRoutes
from orderdesk.web.pages.dispute.notes import Addresses, Disputes
from orderdesk.web.pages.dispute.words import Unsent, posted_reason, posted_text
from orderdesk.web.pages.page import (
    DataRoute,
    Page,
    PageRoute,
    SeeOther,
    answer_data,
    answer_page,
    language_of,
    led_to,
    text_of,
)
from orderdesk.web.pages.templates import load_templates
from orderdesk.web.pages.uploads import back_page, uploaded_key
from orderdesk.wiring.moves import move_ports
from orderdesk.wiring.receipts import receipt_ports, signed_addresses

ORDER = "/trader/orders/{order_no}"
UNPROCESSABLE = 422
OPEN_LENGTH = 100  # an answer is far from Lambda's limit of 6 MB; few traders have as many

logger = Logger(use_rfc3339=True)
settings = TraderDeskSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
orders = OrderStore(dynamodb, settings.orders_table)
index = DeskOrderIndex(dynamodb, settings.orders_table)
traders = DeskTraders(dynamodb, settings.tables)
ledger = LedgerStatement(dynamodb, settings.ledger_table)
attempts = AttemptCounter(dynamodb, settings.guards_table)
uploads, pictures = signed_addresses(session, settings)
chance = SystemChance()
sessions = SessionStore(dynamodb, settings.guards_table)
devices = DevicePorts(PushDevices(dynamodb, settings.guards_table, chance), chance, pause_ms)
door = SessionPorts(sessions, traders, attempts, chance)
gate = Gate(door, devices, settings.public_base_url)
pushes = PushRoutes(
    gate, KmsVapidKey(session, settings.push_key_arn).public_key, settings.allow_local_targets
)
ports = move_ports(dynamodb, settings.tables)
proofs = receipt_ports(session, settings, ports)
own_settings = SettingsRoutes(SettingsPorts(traders, chance, now_us, pause_ms), read_own_method)
disputes = Disputes(orders, uploads, pictures)
load_templates("desk", "dispute")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    route = event["httpMethod"], event["resource"]
    if (data_route := SCRIPT.get(route)) is not None:
        return answer_data(event, logger, data_route, DESK_PROBLEMS)
    return answer_page(
        event, logger, DOOR.get(route) or gate.for_traders(DESK[route]), DESK_PROBLEMS
    )


def change_duty(request: Request, trader: Trader, now: int, *, online: bool) -> Page | SeeOther:
    """Put the trader on or off duty."""
    try:
        go_on_duty(trader.trader_id, traders, chance, ports.pause_ms, online=online)
    except StateConflict:
        return show_orders(request, trader, now, is_refused=True)
    return to_orders(request, now)


def show_orders(request: Request, trader: Trader, now: int, *, is_refused: bool = False) -> Page:
    """Find and render."""
    return listed(request, trader, found_open(request, trader), now, is_refused=is_refused)


def found_open(request: Request, trader: Trader) -> OpenPage:
    """Find a page of the open orders. Raises: TryAgain."""
    return open_orders(index, trader, desk_place(request), limit=OPEN_LENGTH)


def listed(
    request: Request, trader: Trader, found: OpenPage, now: int, *, is_refused: bool = False
) -> Page:
    """Render a page of the open orders."""
    language, links = language_of(request), DeskLinks.of(request)
    arrangement = arrangement_of(request)
    return orders_page(
        trader, found, now, language, links, arrangement=arrangement, is_refused=is_refused
    )


def show_status(request: Request, now: int) -> Mapping[str, object]:
    """Find a page of the open orders, answer with its version, and the page if it is news."""
    trader = gate.trader(request, now)
    found = found_open(request, trader)
    status = desk_status(trader, found, now)
    if is_known(request, status):
        return status
    return {**status, "page": text_of(listed(request, trader, found, now), request)}


def show_balance(request: Request, trader: Trader, now: int) -> Page:
    """Parse, find, render."""
    before = posting_before(request)
    page = statement(ledger, trader, before, limit=PAGE_LENGTH)
    return balance_page(trader, page, before, language_of(request), DeskLinks.of(request), now=now)


def ask(
    move: Move, request: Request, trader: Trader, now: int, unsent: Unsent | None = None
) -> Page | SeeOther:
    """Find the order and ask; if the trader cannot make this move, redirect to the order."""
    order, links, language = find(request, trader), DeskLinks.of(request), language_of(request)
    for question in questions_of(order, now, language, links, unsent):
        if question.move is move and not trader.suspended:
            return question_page(order, question, now, language, links)
    return SeeOther(links.order(order.order_no))


def make(move: Move, request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Parse, move, lead to the order; a declined one is no longer the trader's."""
    order_no, links = request.path_parameters["order_no"], DeskLinks.of(request)
    if not is_order_no(order_no):
        raise OrderNotFound
    try:
        move_order(order_no, move, by(trader), ports, now)
    except IN_VAIN as refusal:
        return refused(refusal, request, trader, now)
    if move is Move.DECLINE:
        return SeeOther(links.to("orders"))
    return to_order(request, trader, now)


def to_order(request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Lead a POST to the order's page."""
    url = DeskLinks.of(request).order(request.path_parameters["order_no"])
    return led_to(request, url, ORDER, partial(shown, trader=trader, now=now))


def report(request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Dispute the order for its trader, who received nothing and says why."""
    order, reason = find(request, trader), posted_reason(request, needed=True)
    if isinstance(reason, Unsent):
        page = ask(Move.DISPUTE, request, trader, now, reason)
        return replace(page, status=UNPROCESSABLE) if isinstance(page, Page) else page
    try:
        dispute_order(order.order_no, reason, by(trader), ports, now)
    except IN_VAIN as refusal:
        return refused(refusal, request, trader, now)
    return to_order(request, trader, now)


def say(request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Add what the trader says to the dispute."""
    order, said = find(request, trader), posted_text(request)
    if isinstance(said, Unsent):
        return replace(shown(request, trader, now, unsent=said), status=UNPROCESSABLE)
    try:
        add_text(order.order_no, said, by(trader), ports, now)
    except IN_VAIN as refusal:
        return refused(refusal, request, trader, now)
    return to_order(request, trader, now)


def show_note(request: Request, trader: Trader, now: int) -> SeeOther:
    """Find, redirect to a page's picture of a dispute."""
    return disputes.picture(find(request, trader), request)


def come_back(request: Request, now: int) -> Page | SeeOther:
    """Show the page that S3 sends a browser to after an upload; it changes nothing."""
    return back_page(request) or to_orders(request, now)


def take_proof(request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Find, draw and keep the upload, lead to the order; in a dispute it is a picture."""
    order, key = find(request, trader), uploaded_key(request)
    take = take_picture if is_of_dispute(key, order, by(trader)) else take_receipt
    try:
        take(order, key, by(trader), proofs, now)
    except IN_VAIN as refusal:
        return refused(refusal, request, trader, now)
    return to_order(request, trader, now)


def show_receipt(request: Request, trader: Trader, now: int) -> SeeOther:
    """Find, redirect to a page's picture, whose address works for a few minutes."""
    number, page = request.path_parameters["number"], request.query.get("page", "1")
    return SeeOther(pictures.url(picture_key(find(request, trader), number, page)))


def refused(refusal: InVain, request: Request, trader: Trader, now: int) -> Page:
    """Render an order and why nothing was changed; a suspension may be newer than `trader`."""
    is_suspended = trader.suspended or isinstance(refusal, TraderSuspended)
    alert = alert_for(refusal, language_of(request))
    return shown(request, replace(trader, suspended=is_suspended), now, alert)


def shown(
    request: Request,
    trader: Trader,
    now: int,
    alert: Alert | None = None,
    unsent: Unsent | None = None,
) -> Page:
    """Render an order as it is now, with an upload form if its trader may add a proof."""
    order, language, links = find(request, trader), language_of(request), DeskLinks.of(request)
    back = return_address(request, settings.public_base_url, order.order_no)
    upload = None if trader.suspended else offer_upload(order, uploads, by(trader), back, now)
    previews = [pictures.url(preview_key(receipt.key)) for receipt in order.receipts]
    action = links.to(f"orders/{order.order_no}/say")
    addresses = Addresses(action, partial(links.note, order.order_no), back)
    can_write = not trader.suspended
    return order_page(
        order,
        previews,
        now,
        language,
        links,
        upload=upload,
        story=disputes.story(
            order, by(trader), request, addresses, can_write=can_write, unsent=unsent
        ),
        alert=alert,
        is_suspended=trader.suspended,
    )


def find(request: Request, trader: Trader) -> Order:
    """Find the trader's order of the route. Raises: OrderNotFound, TryAgain."""
    return own_order(orders, trader, request.path_parameters["order_no"])


def by(trader: Trader) -> By:
    """Give the trader as the actor of a move."""
    return By(Actor.TRADER, trader.trader_id)


DOOR: Mapping[tuple[str, str], PageRoute] = {
    ("GET", "/trader"): to_orders,
    ("GET", "/trader/login"): gate.show_login,
    ("POST", "/trader/login"): gate.come_in,
    ("GET", f"{ORDER}/proof"): come_back,
    ("GET", "/trader/worker.js"): worker_script,
}
SCRIPT: Mapping[tuple[str, str], DataRoute] = {
    ("GET", "/trader/status"): show_status,
    ("GET", "/trader/push"): pushes.show_key,
    ("POST", "/trader/push"): pushes.switch_on,
    ("POST", "/trader/push/off"): pushes.switch_off,
}
DESK: Mapping[tuple[str, str], DeskRoute] = {
    ("POST", "/trader/logout"): gate.leave,
    ("POST", "/trader/online"): partial(change_duty, online=True),
    ("POST", "/trader/offline"): partial(change_duty, online=False),
    ("GET", "/trader/orders"): show_orders,
    ("GET", "/trader/history"): HistoryRoute(orders, index).show,
    ("GET", "/trader/balance"): show_balance,
    ("GET", ORDER): shown,
    **{("GET", f"{ORDER}/{part}"): partial(ask, move) for move, part in PARTS.items()},
    **{("POST", f"{ORDER}/{part}"): partial(make, move) for move, part in PARTS.items()},
    ("POST", f"{ORDER}/report"): report,
    ("POST", f"{ORDER}/say"): say,
    ("GET", f"{ORDER}/notes/{{number}}"): show_note,
    ("POST", f"{ORDER}/proof"): take_proof,
    ("GET", f"{ORDER}/receipts/{{number}}"): show_receipt,
    **own_settings.routes(),
}
