"""Nothing in a role is idle: without any one action, a request that needs it fails.

That nothing is missing, every other test on the deployed stack shows. Each statement of the roles
allows one action, so that taking out a statement takes out an action.
"""

from collections.abc import Callable

import httpx
import pytest

from tests.infra.roles import FUNCTIONS, NOT_PROBED, statements, without
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed

type Call = Callable[[MerchantClient], Reply]
type Probe = Callable[[StackSeed], bool]
"""Sends a request that needs one action of the role; tells whether it was served."""

PLENTY_MICRO = 10**15
QUERY = "/merchant/queryOrder"


def answered(code: int, call: Call) -> Probe:
    """Make a probe of a call by a fresh merchant, served where it gets this code."""

    def probe(seed: StackSeed) -> bool:
        merchant, client = seed.add_merchant()
        seed.fund(merchant, PLENTY_MICRO)
        seed.only_trader()
        return call(client).code == code

    return probe


def number_used_while_nobody_is_free(seed: StackSeed) -> bool:
    """Create with a number that is taken, with nobody free: only reading Orders tells it."""
    _, client = seed.add_merchant()
    seed.only_trader(max_open=1)
    _reserve(seed, client)
    seed.clear_rotation()
    return client.create(buy(merchant_order_no="P")).code == 2001


def _reserve(seed: Seed, client: MerchantClient) -> None:
    merchant_id = client.api_key.split("_")[1]
    key = f"number#{merchant_id}#P"
    seed.put(seed.tables.orders, {"pk": key, "kind": "reservation", "order_no": "B1"})


def open_a_page(seed: StackSeed) -> bool:
    """Open the page of an order that is not there: only reading the table tells."""
    page = httpx.get(f"{seed.stack.base_url}/pay/B202601010000000000000001/{'t' * 43}")
    return page.status_code == httpx.codes.NOT_FOUND


PROBES: dict[tuple[str, str], Probe] = {
    ("CreateOrder", "ReadMerchant"): answered(1101, lambda c: c.create(buy(api_key="mk_a_b"))),
    ("CreateOrder", "DecryptMerchantSecret"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "QueryRotation"): answered(1, lambda c: c.create(buy())),
    ("CreateOrder", "ClaimTrader"): answered(1, lambda c: c.create(buy())),
    ("CreateOrder", "StoreOrder"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "HoldBalance"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "ConsumeNonce"): answered(1002, lambda c: c.create({})),
    ("CreateOrder", "ReadOrder"): number_used_while_nobody_is_free,
    ("MerchantApi", "ReadMerchant"): answered(1101, lambda c: c.post(QUERY, {"api_key": "mk_a_b"})),
    ("MerchantApi", "DecryptMerchantSecret"): answered(2002, lambda c: c.query(order_no="B")),
    ("MerchantApi", "ConsumeNonce"): answered(2002, lambda c: c.query(order_no="B")),
    ("MerchantApi", "ReadOrder"): answered(2002, lambda c: c.query(merchant_order_no="none")),
    ("PayPage", "ReadOrder"): open_a_page,
}


@pytest.mark.parametrize(("function", "sid"), sorted(PROBES))
def test_without(stack_seed: StackSeed, function: str, sid: str) -> None:
    probe, stack = PROBES[function, sid], stack_seed.stack
    assert probe(stack_seed), "fails even with the whole role"
    with without(stack, function, sid):
        assert not probe(stack_seed), "served without the action: it is idle, or the probe is"
    assert probe(stack_seed)


def test_every_action_has_a_probe(stack_seed: StackSeed) -> None:
    there = [
        (function, statement)
        for function in FUNCTIONS
        for statement in statements(stack_seed.stack, function)
        if statement["Sid"] not in NOT_PROBED
    ]
    assert all(isinstance(statement["Action"], str) for _, statement in there)
    assert {(function, statement["Sid"]) for function, statement in there} == PROBES.keys()
