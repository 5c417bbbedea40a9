"""/portal/…: the merchants' portal (contract section 12)."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.ledger import LedgerStore
from orderdesk.adapters.dynamodb.ledger_statement import AccountPostings
from orderdesk.adapters.dynamodb.merchant_callbacks import MerchantCallbackIndex
from orderdesk.adapters.dynamodb.merchant_withdrawals import MerchantWithdrawals
from orderdesk.adapters.dynamodb.orders.reads import MerchantOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.portal import ChallengeStore, PortalSessionStore
from orderdesk.adapters.dynamodb.refused_calls import RefusedCallStore
from orderdesk.adapters.dynamodb.teams import TeamStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.passkeys import WebauthnChecks
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.services.merchants.explorer import ExplorerPorts
from orderdesk.services.merchants.keys import KeyPorts
from orderdesk.services.merchants.portal import PortalPorts
from orderdesk.services.merchants.withdrawals import WithdrawalPorts
from orderdesk.settings.merchants import PortalSettings
from orderdesk.web.pages.page import answer_data, answer_page
from orderdesk.web.pages.portal import overview
from orderdesk.web.pages.portal.balance import BalancePages
from orderdesk.web.pages.portal.developers import DevelopersPage
from orderdesk.web.pages.portal.explorer import ExplorerPage
from orderdesk.web.pages.portal.frame import SITE, AnyRoute, Gate, ScriptRoute, located
from orderdesk.web.pages.portal.orders import OrdersPages
from orderdesk.web.pages.portal.sign_in import SignIn
from orderdesk.web.pages.portal.team import TeamPage
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import explorer_sender, move_ports

logger = Logger(use_rfc3339=True)
settings = PortalSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
teams = TeamStore(dynamodb, settings.tables)
vault = KmsSecrets(session, settings.secrets_key_arn)
gate = Gate(
    PortalPorts(
        teams=teams,
        sessions=PortalSessionStore(dynamodb, settings.tables),
        challenges=ChallengeStore(dynamodb, settings.guards_table),
        passkeys=WebauthnChecks(),
        attempts=AttemptCounter(dynamodb, settings.guards_table),
        chance=SystemChance(),
        now_us=now_us,
        pause_ms=pause_ms,
    ),
    settings.public_base_url,
)
ROUTES: tuple[AnyRoute, ...] = (
    *SignIn(gate).routes(),
    *overview.routes(),
    *BalancePages(
        LedgerStore(dynamodb, settings.ledger_table),
        AccountPostings(dynamodb, settings.ledger_table),
        WithdrawalPorts(
            MerchantWithdrawals(dynamodb, settings.tables), SystemChance(), now_us, pause_ms
        ),
    ).routes(),
    *OrdersPages(
        OrderStore(dynamodb, settings.orders_table),
        MerchantOrderIndex(dynamodb, settings.orders_table),
        MerchantCallbackIndex(dynamodb, settings.callbacks_table),
        move_ports(dynamodb, settings.tables),
    ).routes(),
    *DevelopersPage(
        KeyPorts(gate.ports, teams, vault),
        RefusedCallStore(dynamodb, settings.guards_table).activity,
    ).routes(),
    *ExplorerPage(
        gate,
        teams,
        ExplorerPorts(vault, gate.ports.chance.token, explorer_sender(settings)),
    ).routes(),
    *TeamPage(gate).routes(),
)
load_templates("portal")
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    here, route = located(ROUTES, event)
    if isinstance(route, ScriptRoute):
        return answer_data(here, logger, route.answer, SITE)
    return answer_page(here, logger, gate.shown(route), SITE)
