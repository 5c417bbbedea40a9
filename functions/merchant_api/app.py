"""POST /merchant/queryOrder: what a merchant asks about its orders."""

import os
import time
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import NonceStore
from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.adapters.dynamodb.order_store import OrderStore
from orderdesk.adapters.kms_secrets import KmsSecrets
from orderdesk.adapters.merchant_directory import CachedDirectory
from orderdesk.domain.drafts import Draft
from orderdesk.domain.ids import IDENTITY_LINK, PAY_LINK, link_token
from orderdesk.domain.merchants import Merchant
from orderdesk.domain.orders import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.services.query_order import by_merchant_order_no, by_order_no, by_pending_no
from orderdesk.settings import MerchantApiSettings
from orderdesk.web import endpoint, order_views
from orderdesk.web.http import Request
from orderdesk.web.query_order_request import ParsedQuery, read_query
from orderdesk.web.request_body import read_body
from orderdesk.web.signed import identify, require

logger = Logger()
settings = MerchantApiSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
orders = OrderStore(dynamodb, settings.orders_table)
nonces = NonceStore(dynamodb, settings.guards_table)
directory = CachedDirectory(
    MerchantStore(dynamodb, settings.merchants_table),
    kms,
    settings.cache_seconds,
    time.time,
)


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    return endpoint.answer(event, logger, query_order)


def query_order(request: Request, now_us: int) -> Mapping[str, object]:
    """Parse, look up, render."""
    now = now_us // 1_000_000
    params = read_body(request)
    query = read_query(params)
    caller = identify(request, params, query.problems, directory, now)
    require(query.problems, caller, nonces)
    nonces.consume(caller.nonce)
    found = find(query, caller.merchant.merchant_id)
    return render(found, caller.merchant, settings.public_base_url or request.stage_url, now)


def find(query: ParsedQuery, merchant_id: str) -> Order | Draft:
    """Look up by the number given."""
    match query.kind:
        case "order_no":
            return by_order_no(orders, merchant_id, query.number)
        case "pending_no":
            return by_pending_no(orders, merchant_id, query.number)
        case _:
            return by_merchant_order_no(orders, merchant_id, query.number)


def render(
    found: Order | Draft, merchant: Merchant, base_url: str, now: int
) -> Mapping[str, object]:
    """Write the answer's data (contract section 4)."""
    secret = directory.secrets(merchant).link_secret
    if isinstance(found, Draft):
        token = link_token(secret, IDENTITY_LINK, found.pending_no)
        return order_views.queried_draft(
            found, order_views.identity_url(base_url, found.pending_no, token), now
        )
    if found.order_type is OrderType.SELL:
        return order_views.queried_order(found, None)
    token = link_token(secret, PAY_LINK, found.order_no)
    return order_views.queried_order(found, order_views.pay_url(base_url, found.order_no, token))
