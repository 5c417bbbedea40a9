"""POST /test/advanceOrder: move a test order as payer, trader, clock or operator."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.nonces import NonceStore
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.receipts import UPLOADED_TYPE, Bucket, LambdaRenderer, lazy_s3
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.other_sums import OtherSums, SumRule, other_sums_of
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.orders.advance import (
    AdvancePorts,
    ReportedSum,
    advance_draft,
    advance_order,
)
from orderdesk.services.orders.look_up import find_order_or_draft
from orderdesk.services.orders.receipts import ReceiptPorts
from orderdesk.settings import S3Settings
from orderdesk.settings.merchants import MerchantSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant import endpoint, views
from orderdesk.web.merchant.endpoint import identify, require
from orderdesk.web.merchant.parameters import names_of, parse
from orderdesk.web.merchant.query_order import AdvanceOrderParameters, AnyNumber, read_query
from orderdesk.wiring.ports import authenticate_ports, merchant_directory, move_ports, refusal_log


class AdvanceSettings(MerchantSettings, S3Settings):
    """Settings of advancing test orders: all moves, and the upload and drawing of a proof."""

    uploads_bucket: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    render_receipt_function: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
settings = AdvanceSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
orders = OrderStore(dynamodb, settings.orders_table)
nonces = NonceStore(dynamodb, settings.guards_table)
drafts = DraftStore(dynamodb, settings.tables)
moves = move_ports(dynamodb, settings.tables)
directory = merchant_directory(kms, dynamodb, settings.merchants_table, settings.cache_seconds)
admission = authenticate_ports(directory, dynamodb, settings)
refusals = refusal_log(directory, dynamodb, settings)
uploads = Bucket(lazy_s3(session, emulated=settings.emulated), settings.uploads_bucket)
proof = Path(__file__).with_name("proof.png").read_bytes()
ports = AdvancePorts(
    receipts=ReceiptPorts(
        LambdaRenderer(session, settings.render_receipt_function, directory), moves
    ),
    rotation=ShardedRotation(
        dynamodb, settings.traders_table, settings.rotation_shards, moves.chance
    ).line,
    upload=lambda key: uploads.keep(key, proof, UPLOADED_TYPE),
    window_seconds=settings.assignment_seconds,
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle one API Gateway event."""
    return endpoint.answer(event, logger, ROUTES[event["resource"]], refusals)


def advance(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Move the order or end the draft; return it as queryOrder does."""
    query = read_query(params)
    asked, problems = parse(AdvanceOrderParameters, params)
    problems = [*query.problems, *problems]
    caller = identify(request, params, problems, admission, now_us)
    require(problems, caller, nonces)
    nonces.consume(caller.nonce)
    merchant, to = caller.merchant, asked.status
    # As with a test key, whichever key the call has: live orders are not found.
    merchant_id, now = merchant.merchant_id, now_us // US_PER_SECOND
    found = find_order_or_draft(orders, merchant_id, Mode.TEST, query.kind, query.number)
    base_url = settings.public_base_url or request.stage_url
    secret = directory.secrets(merchant).link_secret
    if isinstance(found, Draft):
        ended = advance_draft(found, to, drafts, moves, now)
        return views.queried(ended, base_url, secret, now)
    if isinstance(to, DraftStatus):
        raise StateConflict(found.status_at(now).value)
    allowed = other_sums_of(merchant.terms.other_sums)
    sums = ReportedSum(asked.amount, allowed or OtherSums(SumRule.NO))
    after = advance_order(found, to, ports, now_us, sums)
    return views.queried(after, base_url, secret, now)


ROUTES: Mapping[str, endpoint.MerchantRoute] = {
    "/test/advanceOrder": endpoint.MerchantRoute(
        advance, names_of(AnyNumber, AdvanceOrderParameters)
    )
}
