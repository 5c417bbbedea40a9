"""The signed routes of merchants except createOrder (contract section 4): see ROUTES."""

from orderdesk import cold_start
from orderdesk.services.ports import Slice

# isort: split
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import CallbackStore, MerchantCallbackIndex
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.keys import LIST_SHARDS
from orderdesk.adapters.dynamodb.ledger import LedgerStore
from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.nonces import NonceStore
from orderdesk.adapters.dynamodb.orders.reads import MerchantOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.overview import MerchantOverview
from orderdesk.adapters.dynamodb.withdrawals import MerchantWithdrawals
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.queues import RedeliveryQueue, sqs_client
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.callbacks.endpoints import paused_endpoints
from orderdesk.services.callbacks.merchant import (
    RedeliverPorts,
    list_deliveries,
    redeliver,
    send_test,
)
from orderdesk.services.merchants.list_withdrawals import WithdrawalReads, list_withdrawals
from orderdesk.services.merchants.statement import (
    Span,
    filtered_statement,
    first_position,
    merchant_balance,
    statement,
)
from orderdesk.services.orders.listing import OrderWithNumber, list_orders
from orderdesk.services.orders.look_up import find_order_or_draft, order_to_move
from orderdesk.services.orders.move import move_order
from orderdesk.settings.merchants import MerchantSettings
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.http import Request
from orderdesk.web.merchant import endpoint, views
from orderdesk.web.merchant.endpoint import identify, require
from orderdesk.web.merchant.lists import (
    NO_ADDRESS,
    ListCallbacksParameters,
    ListEventsParameters,
    ListOrdersParameters,
    ListWithdrawalsParameters,
    RedeliverParameters,
    StatementParameters,
    TestCallbackParameters,
    callbacks_cursor,
    cursor_of,
    order_cursor,
    position_of,
    read_test,
    withdrawals_cursor,
)
from orderdesk.web.merchant.parameters import ONLY_TEST, mode_of, names_of, parse, present
from orderdesk.web.merchant.query_order import AnyNumber, OrderNumber, read_query
from orderdesk.wiring.ports import authenticate_ports, merchant_directory, move_ports, refusal_log


class MerchantApiSettings(MerchantSettings):
    """Further settings to move an order, read accounts, and list and redeliver callbacks."""

    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    callbacks_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    allow_local_targets: bool


logger = Logger(use_rfc3339=True)
settings = MerchantApiSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
orders = OrderStore(dynamodb, settings.orders_table)
pool = ThreadPoolExecutor(LIST_SHARDS)
order_index = MerchantOrderIndex(dynamodb, settings.orders_table, pool.map)
balances = LedgerStore(dynamodb, settings.ledger_table)
callback_index = MerchantCallbackIndex(dynamodb, settings.callbacks_table)
endpoints = EndpointStore(dynamodb, settings.callbacks_table, settings.callback_retention_days)
postings = LedgerStatement(dynamodb, settings.ledger_table)
withdrawals = WithdrawalReads(MerchantWithdrawals(dynamodb, settings.tables), postings)
accounts = MerchantOverview(dynamodb, settings.tables)
nonces = NonceStore(dynamodb, settings.guards_table)
moves = move_ports(dynamodb, settings.tables)
directory = merchant_directory(kms, dynamodb, settings.merchants_table, settings.cache_seconds)
admission = authenticate_ports(directory, dynamodb, settings)
refusals = refusal_log(directory, dynamodb, settings)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle one API Gateway event."""
    return endpoint.answer(event, logger, ROUTES[event["resource"]], refusals)


def query_order(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return an order or a draft."""
    query = read_query(params)
    merchant, key = admit(request, params, query.problems, now_us)
    found = find_order_or_draft(orders, merchant.merchant_id, key, query.kind, query.number)
    return render(found, merchant, request, now_us)


def cancel_order(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Cancel a pending buy, or a sell that is not assigned."""
    return moved(request, params, Move.CANCEL, now_us)


def dispute_order(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Dispute a buy that was paid at least half an hour ago."""
    return moved(request, params, Move.DISPUTE, now_us)


def moved(
    request: Request, params: endpoint.Params, move: Move, now_us: int
) -> Mapping[str, object]:
    """Move the order; return it as queryOrder does."""
    query = read_query(params, OrderNumber)
    merchant, key = admit(request, params, query.problems, now_us)
    order = order_to_move(orders, merchant.merchant_id, key, query.kind, query.number)
    now = now_us // US_PER_SECOND
    after = move_order(order.order_no, move, By(Actor.MERCHANT), moves, now)
    return render(after, merchant, request, now_us)


def list_newest(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return a page of orders, newest first."""
    asked, problems = parse(ListOrdersParameters, params)
    merchant, key = admit(request, params, problems, now_us, mode_of(asked.is_test))
    number = asked.merchant_order_no
    page = list_orders(
        order_index if number is None else OrderWithNumber(orders, number),
        merchant.merchant_id,
        asked.wanted.reached_by(key),
        limit=asked.limit,
        before_id=asked.cursor,
        now=now_us // US_PER_SECOND,
    )
    return {
        "orders": [render(order, merchant, request, now_us) for order in page.items],
        "cursor": None if page.following is None else order_cursor(page.following),
    }


def show_balance(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return the balances of the modes that the key reaches."""
    merchant, key = admit(request, params, [], now_us)
    modes = filter(key.reaches, Mode)
    return views.balances(
        {mode: merchant_balance(balances, merchant.merchant_id, mode) for mode in modes}
    )


def show_statement(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return a page of postings, oldest first."""
    asked, problems = parse(StatementParameters, params)
    asked_mode = mode_of(asked.is_test)
    merchant, key = admit(request, params, problems, now_us, asked_mode)
    merchant_id, secret = merchant.merchant_id, directory.secrets(merchant).link_secret
    mode, span = asked_mode or key, Span(asked.start_time, asked.end_time)
    if asked.order_no:
        span = span.of_order(orders.order(asked.order_no), merchant_id)
    position = (
        first_position(postings, merchant_id, mode, span)
        if asked.cursor is None
        else position_of(asked.cursor, mode, secret)
    )
    now = now_us // US_PER_SECOND
    read = partial(filtered_statement, wanted=asked.wanted) if asked.wanted else statement
    page = read(postings, merchant_id, mode, span, position, limit=asked.limit, now=now)
    cursor = None if page.following is None else cursor_of(page.following, mode, secret)
    settled = orders.orders(sorted({line.entry.order_no for line in page.items} - {""}))
    return views.statement(page, cursor, settled, None if cursor else postings.newest_seal())


def list_callbacks(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return a page of the merchant's deliveries."""
    page, merchant, key = delivery_page(request, params, now_us, ListCallbacksParameters, AnyNumber)
    paused = paused_endpoints(endpoints, merchant.merchant_id, key)
    return views.deliveries(page, callbacks_cursor(page.following), paused)


def list_events(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return a page of the bodies of callbacks."""
    page, _, _ = delivery_page(request, params, now_us, ListEventsParameters, OrderNumber)
    return views.events(page, callbacks_cursor(page.following))


def delivery_page(
    request: Request,
    params: endpoint.Params,
    now_us: int,
    model: type[ListEventsParameters],
    numbers: type[OrderNumber],
) -> tuple[Slice[Delivery, str], Merchant, Mode]:
    """Return a page of the merchant's deliveries, of one order or draft if it is named."""
    has_number = any(name in present(params) for name in numbers.model_fields)
    query = read_query(params, numbers) if has_number else None
    asked, problems = parse(model, params)
    problems = [*(query.problems if query else ()), *problems]
    merchant, key = admit(request, params, problems, now_us)
    merchant_id, number = merchant.merchant_id, None
    if query is not None:
        found = find_order_or_draft(orders, merchant_id, key, query.kind, query.number)
        number = found.pending_no if isinstance(found, Draft) else found.order_no
    page = list_deliveries(
        *(callback_index, merchant_id, key, number, asked.cursor),
        limit=asked.limit,
        wanted=asked.wanted,
    )
    return page, merchant, key


def list_paid_out(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return a page of withdrawals."""
    asked, problems = parse(ListWithdrawalsParameters, params)
    asked_mode = mode_of(asked.is_test)
    merchant, key = admit(request, params, problems, now_us, asked_mode)
    page = list_withdrawals(
        withdrawals, merchant.merchant_id, asked_mode or key, asked.cursor, asked.limit
    )
    return views.withdrawals(page, withdrawals_cursor(page.following))


def show_agreement(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Return the merchant's terms, and what is open of its limits."""
    merchant, key = admit(request, params, [], now_us)
    modes = filter(key.reaches, Mode)
    return views.agreement(merchant, {mode: accounts.accounts(merchant, mode)[1] for mode in modes})


def redeliver_callback(
    request: Request, params: endpoint.Params, now_us: int
) -> Mapping[str, object]:
    """Queue a callback for redelivery; return its delivery."""
    asked, problems = parse(RedeliverParameters, params)
    merchant, key = admit(request, params, problems, now_us)
    sent = redeliver(asked.delivery_key, merchant.merchant_id, key, redeliver_ports(), now_us)
    return views.delivery(sent)


def test_callback(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    """Queue an event that tests an endpoint; return its delivery."""
    url, problems = read_test(params, allow_loopback=settings.allow_local_targets)
    merchant, key = admit(request, params, problems, now_us)
    if not (url or merchant.terms.callback_url):
        raise InvalidParameters([FieldProblem("callback_url", NO_ADDRESS)])
    return views.delivery(send_test(merchant, key, url, redeliver_ports(), now_us))


@cache
def redeliver_ports() -> RedeliverPorts:
    """Return the ports of sending a callback, created on first use: few containers need them."""
    return RedeliverPorts(
        deliveries=CallbackStore(
            dynamodb, settings.callbacks_table, settings.callback_retention_days
        ),
        send=RedeliveryQueue(sqs_client(session), settings.callbacks_queue_url).send,
        attempts=AttemptCounter(dynamodb, settings.guards_table),
        chance=moves.chance,
        pause_ms=moves.pause_ms,
    )


def admit(
    request: Request,
    params: endpoint.Params,
    problems: Sequence[FieldProblem],
    now_us: int,
    asked_mode: Mode | None = None,
) -> tuple[Merchant, Mode]:
    """Authenticate, check the parameters, consume the nonce; return merchant and mode of the key.

    `asked_mode` is the mode that the parameters name; a test key does not reach live.
    """
    problems = [*problems, *ROUTES[request.route].problems(params)]
    caller = identify(request, params, problems, admission, now_us)
    if asked_mode is not None and not caller.key.reaches(asked_mode):
        problems = [*problems, FieldProblem("is_test", ONLY_TEST)]
    require(problems, caller, nonces)
    nonces.consume(caller.nonce)
    return caller.merchant, caller.key


def render(
    found: Order | Draft, merchant: Merchant, request: Request, now_us: int
) -> Mapping[str, object]:
    """Return the data of an order or draft, with its link (contract section 4)."""
    base_url = settings.public_base_url or request.stage_url
    secret = directory.secrets(merchant).link_secret
    return views.queried(found, base_url, secret, now_us // US_PER_SECOND)


ROUTES: Mapping[str, endpoint.MerchantRoute] = {
    "/merchant/queryOrder": endpoint.MerchantRoute(query_order, names_of(AnyNumber)),
    "/merchant/listOrders": endpoint.MerchantRoute(
        list_newest, names_of(ListOrdersParameters), is_list=True
    ),
    "/merchant/cancelOrder": endpoint.MerchantRoute(cancel_order, names_of(OrderNumber)),
    "/merchant/disputeOrder": endpoint.MerchantRoute(dispute_order, names_of(OrderNumber)),
    "/merchant/balance": endpoint.MerchantRoute(show_balance),
    "/merchant/listCallbacks": endpoint.MerchantRoute(
        list_callbacks, names_of(AnyNumber, ListCallbacksParameters), is_list=True
    ),
    "/merchant/listEvents": endpoint.MerchantRoute(
        list_events, names_of(OrderNumber, ListEventsParameters), is_list=True
    ),
    "/merchant/listWithdrawals": endpoint.MerchantRoute(
        list_paid_out, names_of(ListWithdrawalsParameters), is_list=True
    ),
    "/merchant/agreement": endpoint.MerchantRoute(show_agreement),
    "/merchant/redeliverCallback": endpoint.MerchantRoute(
        redeliver_callback, names_of(RedeliverParameters)
    ),
    "/merchant/testCallback": endpoint.MerchantRoute(
        test_callback, names_of(TestCallbackParameters)
    ),
    "/merchant/statement": endpoint.MerchantRoute(
        show_statement, names_of(StatementParameters), is_list=True
    ),
}
