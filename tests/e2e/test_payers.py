"""Payers on the deployed stack: identity, the pay page's moves, and the sweep."""

import json
import os
import secrets as random_secrets
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx
import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from tests.support.depth import examples
from tests.support.identities import submit_identity
from tests.support.merchant_client import MerchantClient, buy
from tests.support.orders import buy_order
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
    merchant_id = agreed.api_key.split("_")[1]
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
    assert (len(mine), after.open_orders) == (20, len(paid))
    assert after.held_micro == len(paid) * 138_197_899
    assert after.available_micro + after.held_micro == trader.available_micro


@pytest.mark.deep
def test_the_sweep_settles_what_is_due(stack_seed: StackSeed) -> None:
    """ORDERDESK_DUE=10000 measures the sweep at its maximum size."""
    due = int(os.environ.get("ORDERDESK_DUE", str(examples(budget=60, full=300))))
    past = int(time.time()) - 10_000
    one = buy_order(past)
    usdt = one.quote.usdt_micro
    trader = stack_seed.only_trader(held_micro=due * usdt, open_orders=due)
    for number in range(due):
        order_id = random_secrets.randbelow(10**15)
        order = replace(
            one,
            order_id=order_id,
            order_no=f"B20261121{order_id:016d}",
            trader_id=trader.trader_id,
            expire_time=past + number % 900,
        )
        stack_seed.put(stack_seed.tables.orders, order_item(order))
    functions = stack_seed.stack.client("lambda")
    name = stack_seed.stack.outputs["ExpireDraftsFunctionName"]
    began, runs = time.monotonic(), 0
    while stack_seed.trader(trader.trader_id).open_orders:
        counts = json.loads(functions.invoke(FunctionName=name)["Payload"].read())
        runs += 1
        assert counts["failed"] == 0  # the stack's own sweep may settle some of them
    per_minute = due / (time.monotonic() - began) * 60
    print(f"{due} due orders in {runs} runs: {per_minute:.0f} a minute")
    after = stack_seed.trader(trader.trader_id)
    assert (after.held_micro, after.open_orders) == (0, 0)
    assert after.available_micro == trader.available_micro + due * usdt
