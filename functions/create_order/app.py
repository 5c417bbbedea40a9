"""POST /merchant/createOrder, POST /test/createOrder: the hot path; and POST /merchant/quote."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.domain.pricing import Mode
from orderdesk.services.orders.create import (
    Created,
    CreatePorts,
    DraftHeld,
    SellPlaced,
    create_order,
)
from orderdesk.services.orders.place_buy import price, would_match
from orderdesk.settings.merchants import PlacementSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant import endpoint, views
from orderdesk.web.merchant.create_order import (
    NAMES,
    CreateRoute,
    QuoteParameters,
    key_problems,
    read_order,
    read_quote,
)
from orderdesk.web.merchant.endpoint import identify, require
from orderdesk.web.merchant.parameters import names_of
from orderdesk.wiring.ports import (
    authenticate_ports,
    matching_ports,
    merchant_directory,
    refusal_log,
    verify_ports,
)


class CreateOrderSettings(PlacementSettings):
    """Further settings of createOrder."""

    ledger_table: str = Field(min_length=1)
    allow_local_targets: bool
    sell_hold_seconds: int = Field(ge=0)


logger = Logger(use_rfc3339=True)
settings = CreateOrderSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
store = NewOrderStore(dynamodb, settings.tables)
directory = merchant_directory(kms, dynamodb, settings.merchants_table, settings.cache_seconds)
admission = authenticate_ports(directory, dynamodb, settings)
refusals = refusal_log(directory, dynamodb, settings)
ports = CreatePorts(
    book=store,
    verify=verify_ports(session, dynamodb, settings, logger),
    matching=matching_ports(store, dynamodb, directory, settings, session),
    sell_hold_seconds=settings.sell_hold_seconds,
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle one API Gateway event."""
    return endpoint.answer(event, logger, ROUTES[event["resource"]], refusals)


def create(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Create an order, or a draft that waits for identification."""
    route = CreateRoute(request.route)
    parsed = read_order(params, route, allow_loopback=settings.allow_local_targets)
    caller = identify(request, params, parsed.problems, admission, now_us)
    verifying = caller.merchant.terms.identity_required and route is CreateRoute.LIVE
    problems = [*parsed.all_problems(verifying=verifying), *key_problems(params, route, caller.key)]
    require(problems, caller, ports.book)
    assert parsed.request is not None, "a request without problems is parsed"
    created = create_order(
        parsed.request,
        caller,
        ports,
        now_us,
        verifying=verifying,
        provoking=caller.key is Mode.TEST and route is CreateRoute.TEST,
    )
    return render(created, settings.public_base_url or request.stage_url)


def render(created: Created, base_url: str) -> Mapping[str, object]:
    """Return the response's data (contract section 4)."""
    if isinstance(created, DraftHeld):
        number, token = created.draft.pending_no, created.identity_token
        return views.held_draft(created.draft, views.identity_url(base_url, number, token))
    if isinstance(created, SellPlaced):
        return views.created_sell(created.order)
    url = views.pay_url(base_url, created.order.order_no, created.pay_token)
    return views.created_buy(created.order, url)


def show_quote(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Price an order that is not created, and look for a trader."""
    _, problems = read_quote(params)
    caller = identify(request, params, problems, admission, now_us)
    asked, problems = read_quote(params, caller.key)
    require(problems, caller, ports.book)
    ports.book.consume(caller.nonce)
    assert asked is not None, "a request without problems is parsed"
    placed = price(asked, caller.merchant, ports.matching, now_us)
    fits = would_match(placed, ports.matching)
    return views.quoted(asked.order_type, placed.quote, placed.base_rate.set_at, fits=fits)


_CREATE = endpoint.MerchantRoute(create, NAMES)
ROUTES: Mapping[str, endpoint.MerchantRoute] = {
    **{route.value: _CREATE for route in CreateRoute},
    "/merchant/quote": endpoint.MerchantRoute(show_quote, names_of(QuoteParameters)),
}
