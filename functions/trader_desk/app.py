"""/trader/…: the traders' desk, from the login to the balance (contract sections 6 and 8)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
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
from orderdesk.domain.orders.transitions import Move
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.move import move_order
from orderdesk.services.orders.notes import is_of_dispute, take_picture
from orderdesk.services.orders.receipts import picture_key, take_receipt
from orderdesk.services.pushes.devices import DevicePorts
from orderdesk.services.traders.desk import (
    OpenPage,
    go_on_duty,
    open_orders,
    statement,
)
from orderdesk.services.traders.sessions import SessionPorts
from orderdesk.services.traders.settings import SettingsPorts
from orderdesk.settings.receipts import TraderDeskSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant.own_method import read_own_method
from orderdesk.web.pages.desk.alerts import IN_VAIN
from orderdesk.web.pages.desk.arrangement import arrangement_of
from orderdesk.web.pages.desk.balance import balance_page, posting_before
from orderdesk.web.pages.desk.dispute_routes import DisputeRoutes
from orderdesk.web.pages.desk.frame import DESK_PROBLEMS, PARTS, DeskLinks
from orderdesk.web.pages.desk.gate import DeskRoute, Gate, to_orders
from orderdesk.web.pages.desk.history_routes import PAGE_LENGTH, HistoryRoute
from orderdesk.web.pages.desk.lists import desk_place, desk_status, is_known, orders_page
from orderdesk.web.pages.desk.one_order import ORDER, OneOrder, by
from orderdesk.web.pages.desk.pushes import PushRoutes, worker_script
from orderdesk.web.pages.desk.settings_routes import SettingsRoutes
from orderdesk.web.pages.dispute.notes import Disputes
from orderdesk.web.pages.page import (
    DataRoute,
    Page,
    PageRoute,
    SeeOther,
    answer_data,
    answer_page,
    language_of,
    text_of,
)
from orderdesk.web.pages.templates import load_templates
from orderdesk.web.pages.uploads import back_page, uploaded_key
from orderdesk.wiring.ports import move_ports, receipt_ports, signed_addresses

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
session_ports = SessionPorts(sessions, traders, attempts, chance)
gate = Gate(session_ports, devices, settings.public_base_url)
pushes = PushRoutes(
    gate, KmsVapidKey(session, settings.push_key_arn).public_key, settings.allow_local_targets
)
ports = move_ports(dynamodb, settings.tables)
proofs = receipt_ports(session, settings, ports)
own_settings = SettingsRoutes(SettingsPorts(traders, chance, now_us, pause_ms), read_own_method)
one = OneOrder(orders, Disputes(orders, uploads, pictures), settings.public_base_url)
disputes = DisputeRoutes(one, ports)
load_templates("desk", "dispute")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    route = event["httpMethod"], event["resource"]
    if (data_route := SCRIPT.get(route)) is not None:
        return answer_data(event, logger, data_route, DESK_PROBLEMS)
    return answer_page(
        event, logger, PUBLIC.get(route) or gate.for_traders(DESK[route]), DESK_PROBLEMS
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


def make(move: Move, request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Parse, move, lead to the order; a declined one is no longer the trader's."""
    order_no, links = request.path_parameters["order_no"], DeskLinks.of(request)
    if not is_order_no(order_no):
        raise OrderNotFound
    try:
        move_order(order_no, move, by(trader), ports, now)
    except IN_VAIN as refusal:
        return one.refuse(refusal, request, trader, now)
    if move is Move.DECLINE:
        return SeeOther(links.to("orders"))
    return one.lead_to(request, trader, now)


def come_back(request: Request, now: int) -> Page | SeeOther:
    """Show the page that S3 sends a browser to after an upload; it changes nothing."""
    return back_page(request) or to_orders(request, now)


def take_proof(request: Request, trader: Trader, now: int) -> Page | SeeOther:
    """Find, draw and keep the upload, lead to the order; in a dispute it is a picture."""
    order, key = one.find(request, trader), uploaded_key(request)
    take = take_picture if is_of_dispute(key, order, by(trader)) else take_receipt
    try:
        take(order, key, by(trader), proofs, now)
    except IN_VAIN as refusal:
        return one.refuse(refusal, request, trader, now)
    return one.lead_to(request, trader, now)


def show_receipt(request: Request, trader: Trader, now: int) -> SeeOther:
    """Find, redirect to a page's picture, whose address works for a few minutes."""
    number, page = request.path_parameters["number"], request.query.get("page", "1")
    return SeeOther(pictures.url(picture_key(one.find(request, trader).receipts, number, page)))


PUBLIC: Mapping[tuple[str, str], PageRoute] = {
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
    ("GET", ORDER): one.show,
    **{("GET", f"{ORDER}/{part}"): partial(one.ask, move) for move, part in PARTS.items()},
    **{("POST", f"{ORDER}/{part}"): partial(make, move) for move, part in PARTS.items()},
    **disputes.routes(),
    ("POST", f"{ORDER}/proof"): take_proof,
    ("GET", f"{ORDER}/receipts/{{number}}"): show_receipt,
    **own_settings.routes(),
}
