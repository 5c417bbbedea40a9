"""/portal/…: the merchants' portal (contract section 12)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import CallbackStore, MerchantCallbackIndex
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.ledger import LedgerStore
from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.orders.reads import MerchantOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.overview import MerchantOverview
from orderdesk.adapters.dynamodb.party_writes import NoticeBox
from orderdesk.adapters.dynamodb.portal import (
    ChallengeStore,
    MerchantDayStore,
    PortalSessionStore,
    RecordedDeliveries,
    RecordedEndpoints,
)
from orderdesk.adapters.dynamodb.refused_calls import RefusedCallStore
from orderdesk.adapters.dynamodb.teams import TeamStore
from orderdesk.adapters.dynamodb.withdrawals import MerchantWithdrawals
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.passkeys import WebauthnChecks
from orderdesk.adapters.queues import RedeliveryQueue, sqs_client
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.services.callbacks.merchant import RedeliverPorts
from orderdesk.services.callbacks.sweep import ResumePorts
from orderdesk.services.merchants.overview import OverviewPorts
from orderdesk.services.merchants.own_settings import (
    AddressPorts,
    ExplorerPorts,
    KeyPorts,
    OwnTermsPorts,
)
from orderdesk.services.merchants.portal import PortalPorts
from orderdesk.services.merchants.withdrawals import WithdrawalPorts
from orderdesk.settings.receipts import ReceiptSettings
from orderdesk.web.pages.order_routes import OrderPorts
from orderdesk.web.pages.portal.balance import BalancePages, Statements
from orderdesk.web.pages.portal.callbacks import CallbacksPage
from orderdesk.web.pages.portal.developers import DevelopersPage, EndpointsPage, ExplorerPage
from orderdesk.web.pages.portal.gate import SITE, PortalGate
from orderdesk.web.pages.portal.orders import OrdersPages, PortalOrderRoutes
from orderdesk.web.pages.portal.overview import OverviewPage
from orderdesk.web.pages.portal.settings import SettingsPage
from orderdesk.web.pages.portal.team import SignIn, TeamPage
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import explorer_sender, move_ports, receipt_buckets, receipt_ports


class PortalSettings(ReceiptSettings):
    """Further settings of the portal; `allow_local_targets` is as in the merchant API."""

    merchants_table: str = Field(min_length=1)
    audit_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    callbacks_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    allow_local_targets: bool
    secrets_key_arn: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
settings = PortalSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)


@cache
def callbacks_queue() -> RedeliveryQueue:
    """Return the queue of callbacks, created on first use: few containers send to it."""
    return RedeliveryQueue(sqs_client(session), settings.callbacks_queue_url)


def send_notice(reference: CallbackReference) -> None:
    """Send the message of a notice to the callbacks' queue."""
    callbacks_queue().send(reference)


notices = NoticeBox(settings.callbacks_table, settings.callback_retention_days, send_notice)
teams = TeamStore(dynamodb, settings.tables, notices)
vault = KmsSecrets(session, settings.secrets_key_arn)
orders = OrderStore(dynamodb, settings.orders_table)
moves = move_ports(dynamodb, settings.tables)
uploads, pictures = receipt_buckets(session, settings)
receipts = receipt_ports(session, settings, moves)
chance = SystemChance()
balances = LedgerStore(dynamodb, settings.ledger_table)
attempts = AttemptCounter(dynamodb, settings.guards_table)
gate = PortalGate(
    SITE,
    attempts,
    settings.public_base_url,
    PortalPorts(
        teams=teams,
        sessions=PortalSessionStore(dynamodb, settings.tables),
        challenges=ChallengeStore(dynamodb, settings.guards_table),
        passkeys=WebauthnChecks(),
        chance=chance,
        now_us=now_us,
        pause_ms=pause_ms,
    ),
)
callback_store = (dynamodb, settings.tables, settings.callback_retention_days)
endpoints = EndpointStore(dynamodb, settings.callbacks_table, settings.callback_retention_days)
callback_index = MerchantCallbackIndex(dynamodb, settings.callbacks_table)


def redeliver_ports(entry: Callable[[Delivery], AuditEntry]) -> RedeliverPorts:
    """Return the ports of sending a callback, with an entry in the team's audit trail."""
    recorded = RecordedDeliveries(*callback_store, entry)
    return RedeliverPorts(recorded, send_notice, attempts, chance, pause_ms)


def resume_ports(entry: Callable[[Endpoint], AuditEntry]) -> ResumePorts:
    """Return the ports of resuming an endpoint, with an entry in the team's audit trail."""
    deliveries = CallbackStore(dynamodb, settings.callbacks_table, settings.callback_retention_days)
    recorded = RecordedEndpoints(*callback_store, entry)
    return ResumePorts(deliveries, recorded, callbacks_queue().delay, chance, pause_ms)


keys = KeyPorts(gate.ports, vault)
ROUTES = gate.table(
    *SignIn(gate).routes(),
    *OverviewPage(
        OverviewPorts(
            MerchantOverview(dynamodb, settings.tables),
            MerchantDayStore(dynamodb, settings.guards_table).days,
            endpoints.paused_origins,
        )
    ).routes(),
    *BalancePages(
        balances,
        Statements(gate, balances, LedgerStatement(dynamodb, settings.ledger_table), orders),
        WithdrawalPorts(
            MerchantWithdrawals(dynamodb, settings.tables),
            vault.seal_digest,
            chance,
            now_us,
            pause_ms,
        ),
    ).routes(),
    *OrdersPages(gate, orders, MerchantOrderIndex(dynamodb, settings.orders_table)).routes(),
    *PortalOrderRoutes(
        OrderPorts(orders, moves, receipts, uploads, pictures, settings.public_base_url, logger),
        gate,
        callback_index,
        vault,
    ).routes(),
    *CallbacksPage(
        gate, callback_index, endpoints, redeliver_ports, resume_ports, settings.allow_local_targets
    ).routes(),
    *DevelopersPage(keys, RefusedCallStore(dynamodb, settings.guards_table).activity).routes(),
    *EndpointsPage(AddressPorts(keys, settings.allow_local_targets)).routes(),
    *ExplorerPage(
        gate,
        ExplorerPorts(
            vault,
            gate.ports.chance.token,
            explorer_sender(allow_loopback=settings.allow_local_targets),
        ),
    ).routes(),
    *TeamPage(gate).routes(),
    *SettingsPage(
        gate,
        OwnTermsPorts(gate.ports, uploads, receipts.renderer, settings.allow_local_targets),
        pictures,
    ).routes(),
)
load_templates("portal", "dispute")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    return gate.serve(event, logger)
