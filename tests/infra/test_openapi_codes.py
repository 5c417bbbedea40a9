"""Every refusal that docs/openapi.yaml shows is produced once, and looks as it is shown there."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from moto import mock_aws

from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.pricing import FeePolicy
from orderdesk.web.codes import UNKNOWN_ROUTE
from orderdesk.web.merchant.create_order import NAMES
from tests.support import openapi
from tests.support.faults import answered_with, refused_with
from tests.support.identities import identity
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import ALL_METHODS
from tests.support.world import ADVANCE, ENVIRONMENT, World

CREATE = "/merchant/createOrder"
TEST = "/test/createOrder"
QUERY = "/merchant/queryOrder"
CANCEL = "/merchant/cancelOrder"
OLD_SECONDS = 40 * 86_400

type Produced = tuple[str, Reply]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        for name, value in {**ENVIRONMENT, "CACHE_SECONDS": "0"}.items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        world = World()
        world.only_trader(methods=ALL_METHODS)
        yield world


def client_of(world: World, **terms: Any) -> MerchantClient:
    return world.add_merchant(**terms)[1]


def created(world: World, params: dict[str, Any], **terms: Any) -> Produced:
    return CREATE, client_of(world, **terms).create(params)


def sent(world: World, body: str, content_type: str = "application/json") -> Produced:
    return QUERY, client_of(world).post_text(QUERY, body, {"content-type": content_type})


def queried(world: World, **params: Any) -> Produced:
    """Post what is signed, then changed."""
    client = client_of(world)
    return QUERY, client.post_as_is(QUERY, client.signed(QUERY, {"order_no": "B1"}) | params)


def badly_signed_test(world: World) -> Produced:
    client = client_of(world)
    params = {**client.signed(TEST, buy()), "signature": "0" * 64}
    return TEST, client.post_as_is(TEST, params)


def many_bad_fields(world: World) -> Produced:
    method = {"method_type": "bank"} | {f"x{n}": 1 for n in range(30)}
    return created(world, sell(payment_method=method))


def repeated_nonce(world: World) -> Produced:
    client = client_of(world)
    params = client.signed(QUERY, {"order_no": "B1"})
    client.post_as_is(QUERY, params)
    return QUERY, client.post_as_is(QUERY, params)


def too_often(world: World) -> Produced:
    client = client_of(world, max_rps=1)
    replies = [client.query(order_no="B1") for _ in range(6)]
    return QUERY, next(reply for reply in replies if reply.code == 1201)


def used_number(world: World, **terms: Any) -> Produced:
    client = client_of(world, **terms)
    return CREATE, [client.create(buy(merchant_order_no="N-1")) for _ in range(2)][1]


def paid_order(world: World) -> Produced:
    client = client_of(world)
    first = client.create(buy())
    world.report_paid(first.data["order_no"])
    return CANCEL, client.cancel(first)


def no_trader(world: World) -> Produced:
    world.clear_rotation()
    try:
        return created(world, buy())
    finally:
        world.add_trader(methods=ALL_METHODS)


def old_rate(world: World) -> Produced:
    world.set_rates(buy_e4=72360, sell_e4=71640, set_at=int(time.time()) - OLD_SECONDS)
    try:
        return created(world, buy())
    finally:
        world.set_rates(buy_e4=72360, sell_e4=71640)


def broken_secrets(world: World) -> Produced:
    merchant, client = world.add_merchant()
    world.change_merchant(merchant, sealed_secrets=b"not sealed by the key")
    return QUERY, client.query(order_no="B1")


def throttled_store(world: World) -> Produced:
    client = client_of(world)
    client.query(order_no="B1")
    error = refused_with("ProvisionedThroughputExceededException")
    with ExitStack() as faults:
        module = world.modules["merchant_api"]
        faults.enter_context(answered_with(module, "GetItem", error, times=99))
        return QUERY, client.query(order_no="B" + "1" * 24)


RECIPES: dict[str, Callable[[World], Produced]] = {
    "invalid_body": lambda world: sent(world, "[]"),
    "body_too_large": lambda world: sent(world, '{"x":"' + "x" * 65_536 + '"}'),
    "wrong_content_type": lambda world: sent(world, "{}", "text/plain"),
    "invalid_parameter": lambda world: created(world, buy(cny_amount="1.001")),
    "invalid_parameter_many": many_bad_fields,
    "amount_out_of_range": lambda world: created(world, buy(cny_amount="1"), min_cny_fen=200),
    "amount_out_of_range_nothing_left": lambda world: created(
        world, buy(), fees=FeePolicy(service_fixed_micro=10**9)
    ),
    "unknown_api_key": lambda world: queried(world, api_key="mk_nobody"),
    "bad_signature": lambda world: queried(world, signature="0" * 64),
    "bad_signature_in_test": badly_signed_test,
    "timestamp_out_of_window": lambda world: (
        QUERY,
        client_of(world).post(QUERY, {"order_no": "B1", "timestamp": 1}),
    ),
    "nonce_reused": repeated_nonce,
    "ip_not_allowed": lambda world: created(world, buy(), allowed_cidrs=("192.0.2.0/24",)),
    "merchant_suspended": lambda world: created(world, buy(), status=MerchantStatus.SUSPENDED),
    "too_many_requests": too_often,
    "merchant_order_no_exists": used_number,
    "merchant_order_no_exists_draft": lambda world: used_number(world, identity_required=True),
    "order_not_found": queried,
    "state_conflict": paid_order,
    "no_trader_available": no_trader,
    "open_limit_reached": lambda world: created(world, buy(), max_open_cny_fen=1_00),
    "insufficient_balance": lambda world: created(world, sell()),
    "rate_unavailable": old_rate,
    "identity_verification_failed": lambda world: created(world, sell(), identity_required=True),
    "identity_provider_unavailable": lambda world: created(
        world, sell(**identity(mobile="13800009999")), identity_required=True
    ),
    "internal_error": broken_secrets,
    "try_again": throttled_store,
}


def test_the_parameters_are_those_that_are_read(world: World) -> None:
    for name in ("merchant_api", ADVANCE):
        world.cold_start(name)
    modules = [module for module in world.modules.values() if hasattr(module, "ROUTES")]
    routes = {path: route for module in modules for path, route in module.ROUTES.items()}
    read = {path: route.parameters for path, route in routes.items()}
    read |= dict.fromkeys((CREATE, TEST), NAMES)
    told = {path: openapi.own_parameters(path) for path in openapi.document()["paths"]}
    assert told == read


def test_every_refusal_has_a_recipe() -> None:
    """API Gateway answers an unknown route itself: test_schemathesis.py asks the stack for it."""
    assert {*RECIPES, UNKNOWN_ROUTE} == set(openapi.document()["components"]["examples"])


@pytest.mark.parametrize("name", RECIPES)
def test_a_refusal_is_as_shown(world: World, name: str) -> None:
    path, reply = RECIPES[name](world)
    example = openapi.document()["components"]["examples"][name]["value"]
    shown = Reply(reply.status, example, reply.headers)
    assert openapi.answer_problems(path, reply) == []
    assert openapi.answer_problems(path, shown) == []
    for field in ("code", "msg"):
        assert reply.envelope[field] == example[field]
    assert set(reply.data) == set(example["data"])
    assert reply.data["reason"] == example["data"]["reason"]
