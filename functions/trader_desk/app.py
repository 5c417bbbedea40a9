"""/trader/…: the traders' desk, from the login to the balance (contract sections 6 and 8)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders, SessionStore
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.services.attempt_limits import PUSH_POSTS
from orderdesk.services.traders.desk import SessionPorts
from orderdesk.settings.receipts import PayPageSettings
from orderdesk.web.pages.desk.gate import (
    CODE_ROUTE,
    METHOD,
    SETTINGS,
    SITE,
    DeskGate,
    DeskScene,
    to_orders,
)
from orderdesk.web.pages.desk.routes import ORDER, DeskOrderRoutes, OpenOrdersRoutes, worker_script
from orderdesk.web.pages.frame import Shown
from orderdesk.web.pages.order_routes import OrderPorts
from orderdesk.web.pages.routing import Open, Route
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import move_ports, receipt_buckets, receipt_ports

if TYPE_CHECKING:
    from orderdesk.adapters.merchant_directory import CachedMerchants
    from orderdesk.domain.errors import FieldProblem
    from orderdesk.domain.merchants.merchant import Merchant
    from orderdesk.domain.payment_methods import PaymentMethod
    from orderdesk.web.pages.desk.pushes import PushRoutes
    from orderdesk.web.pages.desk.settings import SettingsRoutes


def show_history(scene: DeskScene) -> Shown:
    """Return a page of the history; like the next ones, it is imported when a trader opens it."""
    from orderdesk.web.pages.desk.history import HistoryRoute  # noqa: PLC0415

    return HistoryRoute(store, index).show(scene)


def show_own_balance(scene: DeskScene) -> Shown:
    """Return a page of the ledger's statement."""
    from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement  # noqa: PLC0415
    from orderdesk.web.pages.desk.history import show_balance  # noqa: PLC0415

    return show_balance(LedgerStatement(dynamodb, settings.ledger_table), scene)


def show_statement(scene: DeskScene) -> Shown:
    """Return the form of the statement's comparison."""
    from orderdesk.web.pages.desk.comparison import statement_page  # noqa: PLC0415

    return statement_page(index, scene)


def compare(scene: DeskScene) -> Shown:
    """Compare a sent statement with the open orders."""
    from orderdesk.web.pages.desk.comparison import compare_statement  # noqa: PLC0415

    return compare_statement(index, scene)


class MerchantsOnDemand:
    """The cache of merchants, imported for the first upload or order that a sum may differ of."""

    def find(self, merchant_id: str) -> "Merchant | None":
        """Return a merchant, or None. Raises: TryAgain."""
        return self._cached.find(merchant_id)

    @cached_property
    def _cached(self) -> "CachedMerchants":
        from orderdesk.wiring.ports import shown_merchants  # noqa: PLC0415

        return shown_merchants(dynamodb, settings)


@cache
def pushes() -> "PushRoutes":
    """Return the routes of pushes, with the key that browsers subscribe with."""
    from orderdesk.adapters.dynamodb.traders.devices import PushDevices  # noqa: PLC0415
    from orderdesk.adapters.vapid_key import KmsVapidKey  # noqa: PLC0415
    from orderdesk.services.pushes.devices import DevicePorts  # noqa: PLC0415
    from orderdesk.web.pages.desk.pushes import PushRoutes  # noqa: PLC0415

    devices = PushDevices(dynamodb, settings.guards_table, chance)
    key = KmsVapidKey(session, settings.push_key_arn)
    ports = DevicePorts(devices, chance, pause_ms)
    return PushRoutes(ports, key.public_key, settings.allow_local_targets)


def read_method(fields: Mapping[str, str]) -> "tuple[PaymentMethod | None, list[FieldProblem]]":
    """Parse a receiving account; the parser is imported with the first one, which few send."""
    from orderdesk.web.merchant.payment_method import read_own_method  # noqa: PLC0415

    return read_own_method(fields)


@cache
def own_settings() -> "SettingsRoutes":
    """Return the routes of the trader's settings."""
    from orderdesk.services.traders.settings import SettingsPorts  # noqa: PLC0415
    from orderdesk.services.traders.stops import StopPorts  # noqa: PLC0415
    from orderdesk.web.pages.desk.settings import SettingsRoutes  # noqa: PLC0415

    return SettingsRoutes(
        SettingsPorts(traders, chance, now_us, pause_ms),
        read_method,
        uploads,
        receipts.renderer,
        settings.public_base_url,
        StopPorts(index, traders, moves),
    )


class TraderDeskSettings(PayPageSettings):
    """Further settings of the trader desk, which shows the same of merchants."""

    audit_table: str = Field(min_length=1)
    push_key_arn: str = Field(min_length=1)
    allow_local_targets: bool


logger = Logger(use_rfc3339=True)
settings = TraderDeskSettings.read(os.environ)
session = Session()


dynamodb = dynamodb_client(session)
chance = SystemChance()
store = OrderStore(dynamodb, settings.orders_table)
index = DeskOrderIndex(dynamodb, settings.orders_table)
traders = DeskTraders(dynamodb, settings.tables)
attempts = AttemptCounter(dynamodb, settings.guards_table)
gate = DeskGate(
    SITE,
    attempts,
    settings.public_base_url,
    SessionPorts(
        SessionStore(dynamodb, settings.guards_table), traders, attempts, chance, pause_ms
    ),
    lambda token, trader_id: pushes().forget(token, trader_id),
)
moves = move_ports(dynamodb, settings.tables)
uploads, pictures = receipt_buckets(session, settings)
merchants = MerchantsOnDemand()
receipts = receipt_ports(session, settings, moves, merchants)
order = DeskOrderRoutes(
    OrderPorts(store, moves, receipts, uploads, pictures, settings.public_base_url, logger),
    index,
    merchants,
    traders,
)
orders = OpenOrdersRoutes(index, gate.ports, store)
load_templates("desk", "dispute")
cold_start.over()

ROUTES = gate.table(
    Open("GET", "/trader", to_orders),
    Open("GET", "/trader/login", gate.show_login),
    Open("POST", "/trader/login", gate.log_in),
    Open("GET", f"{ORDER}/proof", gate.come_back),
    Open("GET", CODE_ROUTE, gate.come_back),
    Open("GET", "/trader/worker.js", worker_script),
    Route("GET", "/trader/status", orders.show_status, is_data=True),
    Route("GET", "/trader/push", lambda scene: pushes().show_key(scene), is_data=True),
    Route(
        "POST",
        "/trader/push",
        lambda scene: pushes().switch_on(scene),
        limit=PUSH_POSTS,
        is_data=True,
    ),
    Route(
        "POST",
        "/trader/push/off",
        lambda scene: pushes().switch_off(scene),
        limit=PUSH_POSTS,
        is_data=True,
    ),
    Route("POST", "/trader/logout", gate.log_out, harmless=True),
    Route("POST", "/trader/online", partial(orders.change_duty, online=True)),
    Route("POST", "/trader/offline", partial(orders.change_duty, online=False)),
    Route("GET", "/trader/orders", orders.show),
    Route("GET", "/trader/history", show_history),
    Route("GET", "/trader/balance", show_own_balance),
    Route("GET", "/trader/statement", show_statement),
    Route("POST", "/trader/statement", compare),
    *order.order_routes(Route("POST", f"{ORDER}/sum", order.report_sum)),
    Route("GET", SETTINGS, lambda scene: own_settings().show(scene)),
    Route("POST", f"{SETTINGS}/limits", lambda scene: own_settings().limit(scene)),
    Route("GET", METHOD, lambda scene: own_settings().show_method(scene)),
    Route("POST", METHOD, lambda scene: own_settings().set_method(scene)),
    Route("POST", f"{METHOD}/terms", lambda scene: own_settings().set_terms(scene)),
    Route("POST", CODE_ROUTE, lambda scene: own_settings().read_code(scene)),
    Route("GET", f"{METHOD}/remove", lambda scene: own_settings().ask_to_remove(scene)),
    Route("POST", f"{METHOD}/remove", lambda scene: own_settings().remove(scene)),
)


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    return gate.serve(event, logger)
