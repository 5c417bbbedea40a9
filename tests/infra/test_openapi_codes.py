"""Every example answer of docs/openapi.yaml is produced once by one of its example requests.

An example request is sent with a test merchant's keys to a prepared world. For a refusal of the
request itself the example is made invalid first. The answer must match the example.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest
from moto import mock_aws

from orderdesk.domain.merchants.merchant import MerchantStatus, Scope
from orderdesk.domain.pricing import FeePolicy, Mode
from orderdesk.web.codes import UNKNOWN_ROUTE
from orderdesk.web.merchant.create_order import NAMES
from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tests.support import engine, openapi
from tests.support.deliveries import keep_delivery
from tests.support.faults import answered_with, refused_with
from tests.support.identities import identity
from tests.support.merchant_client import MerchantClient, Reply
from tests.support.seed import ALL_METHODS
from tests.support.world import ADVANCE, ENVIRONMENT, World

CREATE = "/merchant/createOrder"
TEST = "/test/createOrder"
QUERY = "/merchant/queryOrder"
CANCEL = "/merchant/cancelOrder"
DISPUTE = "/merchant/disputeOrder"
REDELIVER = "/merchant/redeliverCallback"
ADVANCE_ORDER = "/test/advanceOrder"
PLENTY_MICRO = 10**12
DISPUTE_AFTER_SECONDS = 1800
OLD_SECONDS = 40 * 86_400

type Produced = tuple[str, Reply]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, mock_aws(), engine.running():
        for name, value in {**ENVIRONMENT, "CACHE_SECONDS": "0"}.items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        world = World()
        world.only_trader(methods=ALL_METHODS)
        world.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
        yield world


def client_of(world: World, **terms: Any) -> MerchantClient:
    return world.add_merchant(**terms)[1]


def shown(path: str, name: str, **changes: Any) -> dict[str, Any]:
    """Return the parameters of an example request without the common ones."""
    content = openapi.document()["paths"][path]["post"]["requestBody"]["content"]
    value = content[openapi.JSON]["examples"][name]["value"]
    own = {each: value[each] for each in value if each not in COMMON_PARAMETERS}
    return {**own, **changes}


a_buy = partial(shown, CREATE, "buy", is_test=0)
a_sell = partial(shown, CREATE, "sell", is_test=0)
a_query = partial(shown, QUERY, "by_order_no")


def created(world: World, params: dict[str, Any], **terms: Any) -> Produced:
    return CREATE, client_of(world, **terms).create(params)


def sent(world: World, body: str, content_type: str = "application/json") -> Produced:
    return QUERY, client_of(world).post_text(QUERY, body, {"content-type": content_type})


def queried(world: World, **params: Any) -> Produced:
    """Sign a request, then change and post it."""
    client = client_of(world)
    return QUERY, client.post_as_is(QUERY, client.signed(QUERY, a_query()) | params)


def badly_signed_test(world: World) -> Produced:
    client = client_of(world)
    params = {**client.signed(TEST, shown(TEST, "buy")), "signature": "0" * 64}
    return TEST, client.post_as_is(TEST, params)


def many_bad_fields(world: World) -> Produced:
    method = a_sell()["payment_method"] | {f"x{n}": 1 for n in range(30)}
    return created(world, a_sell(payment_method=method))


def repeated_nonce(world: World) -> Produced:
    client = client_of(world)
    params = client.signed(QUERY, a_query())
    client.post_as_is(QUERY, params)
    return QUERY, client.post_as_is(QUERY, params)


def too_often(world: World) -> Produced:
    client = client_of(world, max_rps=1)
    replies = [client.post(QUERY, a_query()) for _ in range(6)]
    return QUERY, next(reply for reply in replies if reply.code == 1201)


def used_number(world: World, **terms: Any) -> Produced:
    client = client_of(world, **terms)
    return CREATE, [client.create(a_buy()) for _ in range(2)][1]


def used_live_number(world: World) -> Produced:
    merchant, live = world.add_merchant()
    _, test = world.add_test_key(merchant)
    assert live.create(a_buy()).code == 1
    return TEST, test.create(shown(TEST, "buy"), route="test")


def reading_key(world: World) -> Produced:
    merchant, _ = world.add_merchant()
    _, reading = world.add_scoped_key(merchant, Scope.READ)
    return CANCEL, reading.post(CANCEL, shown(CANCEL, "by_merchant_order_no"))


def provoked(world: World) -> Produced:
    merchant, _ = world.add_merchant()
    _, test = world.add_test_key(merchant)
    return TEST, test.create(shown(TEST, "buy", merchant_order_no="a-2106"), route="test")


def paid_order(world: World) -> Produced:
    client = client_of(world)
    world.report_paid(client.create(a_buy()).data["order_no"])
    return CANCEL, client.post(CANCEL, shown(CANCEL, "by_merchant_order_no"))


def taken_amount(world: World) -> Produced:
    world.only_trader(unique_amounts=True)
    created(world, a_buy())
    return created(world, a_buy())


def no_trader(world: World) -> Produced:
    world.clear_rotation()
    try:
        return created(world, a_buy())
    finally:
        world.add_trader(methods=ALL_METHODS)
        world.add_trader(methods=ALL_METHODS, mode=Mode.TEST)


def old_rate(world: World) -> Produced:
    world.set_rates(buy_e4=72360, sell_e4=71640, set_at=int(time.time()) - OLD_SECONDS)
    try:
        return created(world, a_buy())
    finally:
        world.set_rates(buy_e4=72360, sell_e4=71640)


def broken_secrets(world: World) -> Produced:
    merchant, client = world.add_merchant()
    world.change_merchant(merchant, sealed_secrets=b"not sealed by the key")
    return QUERY, client.post(QUERY, a_query())


def throttled_store(world: World) -> Produced:
    client = client_of(world)
    client.post(QUERY, a_query())
    error = refused_with("ProvisionedThroughputExceededException")
    with ExitStack() as faults:
        module = world.modules["merchant_api"]
        faults.enter_context(answered_with(module, "GetItem", error, times=99))
        return QUERY, client.post(QUERY, a_query())


RECIPES: dict[str, Callable[[World], Produced]] = {
    "invalid_body": lambda world: sent(world, json.dumps([a_query()])),
    "body_too_large": lambda world: sent(world, json.dumps(a_query(remark="x" * 65_536))),
    "wrong_content_type": lambda world: sent(world, json.dumps(a_query()), "text/plain"),
    "invalid_parameter": lambda world: created(world, a_buy(cny_amount="1.001")),
    "invalid_parameter_many": many_bad_fields,
    "amount_out_of_range": lambda world: created(world, a_buy(), min_cny_fen=1000_01),
    "amount_out_of_range_nothing_left": lambda world: created(
        world, a_buy(), fees=FeePolicy(service_fixed_micro=10**9)
    ),
    "unknown_api_key": lambda world: queried(world, api_key="mk_nobody"),
    "bad_signature": lambda world: queried(world, signature="0" * 64),
    "bad_signature_in_test": badly_signed_test,
    "timestamp_out_of_window": lambda world: (
        QUERY,
        client_of(world).post(QUERY, a_query(timestamp=1)),
    ),
    "nonce_reused": repeated_nonce,
    "ip_not_allowed": lambda world: created(world, a_buy(), allowed_cidrs=("192.0.2.0/24",)),
    "merchant_suspended": lambda world: created(world, a_buy(), status=MerchantStatus.SUSPENDED),
    "not_allowed_by_key": reading_key,
    "too_many_requests": too_often,
    "merchant_order_no_exists": used_number,
    "merchant_order_no_exists_draft": lambda world: used_number(world, identity_required=True),
    "merchant_order_no_exists_live": used_live_number,
    "order_not_found": queried,
    "state_conflict": paid_order,
    "no_trader_available": no_trader,
    "no_trader_available_nearby": taken_amount,
    "open_limit_reached": lambda world: created(world, a_buy(), max_open_cny_fen=1_00),
    "open_sell_limit_reached": lambda world: created(world, a_sell(), max_open_sell_cny_fen=1_00),
    "refused_by_desk": provoked,
    "insufficient_balance": lambda world: created(world, a_sell()),
    "rate_unavailable": old_rate,
    "identity_verification_failed": lambda world: created(world, a_sell(), identity_required=True),
    "identity_provider_unavailable": lambda world: created(
        world, a_sell(**identity(mobile="13800009999")), identity_required=True
    ),
    "internal_error": broken_secrets,
    "try_again": throttled_store,
}
EXAMPLES = [
    (path, name)
    for path, operation in openapi.operations()
    for name in operation["requestBody"]["content"][openapi.JSON]["examples"]
]


@pytest.mark.parametrize(("path", "name"), EXAMPLES)
def test_a_request_that_is_shown_succeeds(world: World, path: str, name: str) -> None:
    """The service's own numbers are replaced; all other parameters are sent as shown."""
    merchant, client = world.add_merchant(
        identity_required=name == "buy_with_identity", callback_url="https://shop.example.com/"
    )
    for mode in Mode:
        world.fund(merchant, PLENTY_MICRO, mode)
    changes: dict[str, Any] = {}
    if path not in {CREATE, TEST}:
        is_test = int(path == ADVANCE_ORDER)
        order_no = client.create(a_buy(is_test=is_test)).data["order_no"]
        if path == DISPUTE:
            world.report_paid(order_no, seconds_ago=DISPUTE_AFTER_SECONDS)
        if name == "by_order_no":
            changes["order_no"] = order_no
        if path == REDELIVER:
            changes["webhook_id"] = keep_delivery(world, merchant).event.webhook_id
    reply = client.post(path, shown(path, name, **changes))
    assert reply.code == 1, reply
    assert openapi.answer_problems(path, reply) == []
    assert "ignored" not in reply.data


def test_the_parameters_are_those_that_are_read(world: World) -> None:
    for name in ("merchant_api", ADVANCE):
        world.cold_start(name)
    modules = [module for module in world.modules.values() if hasattr(module, "ROUTES")]
    routes = {path: route for module in modules for path, route in module.ROUTES.items()}
    read = {path: route.parameters for path, route in routes.items()}
    read |= dict.fromkeys((CREATE, TEST), NAMES)
    documented = {path: openapi.own_parameters(path) for path in openapi.document()["paths"]}
    assert documented == read


def test_every_refusal_has_a_recipe() -> None:
    """API Gateway itself answers an unknown route; test_gateway.py tests it on the stack."""
    assert {*RECIPES, UNKNOWN_ROUTE} == set(openapi.document()["components"]["examples"])


@pytest.mark.parametrize("name", RECIPES)
def test_a_refusal_is_as_shown(world: World, name: str) -> None:
    path, reply = RECIPES[name](world)
    example = openapi.document()["components"]["examples"][name]["value"]
    documented = Reply(reply.status, example, reply.headers)
    assert openapi.answer_problems(path, reply) == []
    assert openapi.answer_problems(path, documented) == []
    for field in ("code", "msg"):
        assert reply.envelope[field] == example[field]
    assert set(reply.data) == set(example["data"])
    assert reply.data["reason"] == example["data"]["reason"]
