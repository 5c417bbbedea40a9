"""Payers on the deployed stack: concurrent submits and moves."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.support.depth import examples
from tests.support.identities import submit_identity
from tests.support.merchant_client import MerchantClient, buy
from tests.support.payer import Payer
from tests.support.stack_seed import StackSeed

# A link accepts 30 posts in ten minutes: of forty concurrent ones, ten get 429.
SUBMITS = examples(budget=8, full=40)


@pytest.fixture
def agreed(stack_seed: StackSeed) -> MerchantClient:
    """Return a merchant with an identity agreement; there are enough traders."""
    stack_seed.clear_rotation()
    for _ in range(8):
        stack_seed.add_trader()
    _, client = stack_seed.add_merchant(identity_required=True)
    return client


@pytest.mark.deep
def test_many_submits_of_one_form_make_one_attempt_and_one_order(
    stack_seed: StackSeed, agreed: MerchantClient
) -> None:
    held = agreed.create(buy(merchant_order_no="P-3")).data
    with ThreadPoolExecutor(SUBMITS) as pool:
        answers = list(pool.map(submit_identity, [held["identity_url"]] * SUBMITS))
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {200, 202, 303, 409, 429, 503}, statuses
    # On a busy machine the submit that created the order may get 503; then the page shows it.
    pay_url = agreed.query(merchant_order_no="P-3").data["pay_url"]
    assert {a.headers["location"] for a in answers if a.status_code == 303} <= {pay_url}
    assert pay_url in httpx.get(held["identity_url"], timeout=None).text
    merchant_id = agreed.api_key.split("_")[-2]
    orders = stack_seed.items(stack_seed.tables.orders, "order")
    assert len([order for order in orders if order["merchant_id"] == merchant_id]) == 1
    draft: Any = stack_seed.get(stack_seed.tables.orders, {"pk": held["pending_no"]})
    assert draft["status"] == "completed"
    # Three changes: taken, verified, completed. An attempt that DynamoDB refused got 503 and was
    # taken and released: two more changes.
    assert draft["version"] in {4 + 2 * released for released in range(statuses[503] + 1)}


def test_cancel_and_paid_at_once_leave_one_winner(stack_seed: StackSeed) -> None:
    trader = stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    for _ in range(20):
        payer = Payer.of_link(stack_seed, client.create(buy()).data["pay_url"])
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(payer.post, ["/paid", "/cancel"]))
        assert sorted(answer["statusCode"] for answer in answers) == [303, 409]
    orders = stack_seed.items(stack_seed.tables.orders, "order")
    mine = [order for order in orders if order.get("trader_id") == trader.trader_id]
    paid = [order for order in mine if order["status"] == "paid"]
    after = stack_seed.trader(trader.trader_id)
    assert (len(mine), after.counts.open_orders) == (20, len(paid))
    assert after.counts.held_micro == len(paid) * 138_197_899
    assert after.counts.available_micro + after.counts.held_micro == trader.counts.available_micro
