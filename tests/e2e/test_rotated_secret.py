"""Sells that are signed with a secret that a rotation just made wait."""

import time
from typing import Any

import pytest

from orderdesk.adapters.system import SystemChance
from orderdesk.domain.credentials import new_api_secret
from tests.support.merchant_client import sell
from tests.support.operator_calls import People, Refused
from tests.support.stack_seed import StackSeed, assign, let_wait

HOLD_SECONDS = 4 * 3600


def order_of(seed: StackSeed, order_no: str) -> Any:
    return seed.get(seed.tables.orders, {"pk": order_no})


def test_sells_of_a_just_rotated_secret_wait(
    stack_seed: StackSeed, operators: list[dict[str, str]]
) -> None:
    trader = stack_seed.only_trader()
    merchant, old = stack_seed.add_merchant()
    stack_seed.fund(merchant, 10**10)
    secret, now = new_api_secret(SystemChance().below), int(time.time())
    both = stack_seed.kms.unseal(merchant.merchant_id, merchant.sealed_secrets).rotated(secret, now)
    sealed = stack_seed.kms.seal(merchant.merchant_id, both)
    stack_seed.change_merchant(merchant, sealed_secrets=sealed)
    new = stack_seed.client_of(merchant, secret)

    held = new.create(sell()).data["order_no"]
    row = order_of(stack_seed, held)
    assert row["assignable_from"] == row["due_time"] == now + HOLD_SECONDS
    let_wait(stack_seed, held)  # due, as if the hold were not there
    stack_seed.assign_sells()
    assert new.query(order_no=held).data["status"] == "matching"
    at_once = {"order_no": held, "trader_id": trader.trader_id, "reason": "now"}
    with pytest.raises(Refused) as refused:
        People(stack_seed.stack, operators).call("support-1", "order.assign", **at_once)
    assert (refused.value.code, "rotation" in refused.value.data["detail"]) == (2003, True)

    signed_by_old = old.create(sell()).data["order_no"]
    assign(stack_seed, signed_by_old)

    let_wait(stack_seed, held)
    row = order_of(stack_seed, held)
    stack_seed.put(stack_seed.tables.orders, row | {"assignable_from": 1})
    stack_seed.assign_sells()
    assert new.query(order_no=held).data["status"] == "assigned", "the hold is over"
