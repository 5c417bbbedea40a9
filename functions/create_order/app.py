"""POST /merchant/createOrder, POST /test/createOrder: the hot path."""

from orderdesk import cold_start

# isort: split
import os
import time
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.chance import SystemChance
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.adapters.dynamodb.orders.creation import OrderBook
from orderdesk.adapters.identity import make_verifier
from orderdesk.adapters.identity.lazy import LazyVerifier
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.merchant_directory import CachedDirectory
from orderdesk.adapters.tencent_credentials import read_tencent_credentials
from orderdesk.services.orders.create import (
    Created,
    CreatePorts,
    DraftHeld,
    SellPlaced,
    create_order,
)
from orderdesk.services.orders.match import Contention
from orderdesk.services.orders.place_buy import Terms
from orderdesk.settings.merchants import CreateOrderSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant import endpoint
from orderdesk.web.merchant import views as order_views
from orderdesk.web.merchant.body import read_body
from orderdesk.web.merchant.create_order import Door, read_order
from orderdesk.web.merchant.signed import identify, require

logger = Logger()
settings = CreateOrderSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)


def make_ports() -> CreatePorts:
    """Wire the use case to AWS: everything made once in a warm container."""
    chance = SystemChance()

    return CreatePorts(
        book=OrderBook(dynamodb, settings.tables, settings.rotation_shards, chance),
        directory=CachedDirectory(
            MerchantStore(dynamodb, settings.merchants_table),
            kms,
            settings.cache_seconds,
            time.time,
        ),
        verifier=LazyVerifier(
            lambda: make_verifier(
                settings.identity_provider,
                lambda: read_tencent_credentials(session, settings.tencent_secret_arn),
            )
        ),
        contention=Contention(),
        chance=chance,
        pause_ms=lambda pause_ms: time.sleep(pause_ms / 1000),
        terms=Terms(
            pay_window_seconds=settings.pay_window_seconds,
            draft_life_seconds=settings.draft_life_seconds,
            rate_max_age_seconds=settings.rate_max_age_seconds,
        ),
    )


ports = make_ports()
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    return endpoint.answer(event, logger, create)


def create(request: Request, now_us: int) -> Mapping[str, object]:
    """Parse, create, render."""
    params = read_body(request)
    door = Door(request.route)
    parsed = read_order(params, door, allow_loopback=settings.allow_local_targets)
    caller = identify(request, params, parsed.problems, ports.directory, now_us // 1_000_000)
    verifying = caller.merchant.identity_required and door is Door.LIVE
    problems = parsed.all_problems(verifying=verifying)
    require(problems, caller, ports.book)
    assert parsed.request is not None, "a request without problems is parsed"
    created = create_order(
        parsed.request, caller.merchant, caller.nonce, ports, now_us, verifying=verifying
    )
    return render(created, settings.public_base_url or request.stage_url)


def render(created: Created, base_url: str) -> Mapping[str, object]:
    """Write the answer's data (service specification)."""
    if isinstance(created, DraftHeld):
        number, token = created.draft.pending_no, created.identity_token
        return order_views.held_draft(
            created.draft, order_views.identity_url(base_url, number, token)
        )
    if isinstance(created, SellPlaced):
        return order_views.created_sell(created.order)
    url = order_views.pay_url(base_url, created.order.order_no, created.pay_token)
    return order_views.created_buy(created.order, url)
