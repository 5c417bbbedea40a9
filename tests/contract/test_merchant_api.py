"""listOrders, cancelOrder, disputeOrder and balance (contract sections 4 and 6)."""

import time
from typing import Any

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.identities import identity
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed

PLENTY = "1000000000.000000"
SELL_HELD = "140.424345"
HALF_AN_HOUR = 1800


def numbers(listed: Any) -> list[str]:
    return [order["order_no"] for order in listed["orders"]]


def test_orders_are_listed_newest_first_as_queried(client: MerchantClient) -> None:
    created = [client.create(params).data["order_no"] for params in (buy(), sell(), buy())]
    listed = client.listed()
    assert numbers(listed) == created[::-1]
    assert listed["cursor"] is None
    for order in listed["orders"]:
        assert order == client.query(order_no=order["order_no"]).data


def test_pages_do_not_move_while_orders_arrive(client: MerchantClient) -> None:
    created = [client.create(buy()).data["order_no"] for _ in range(7)]
    first = client.listed(limit=3)
    client.create(buy())
    second = client.listed(limit=3, cursor=first["cursor"])
    third = client.listed(limit="3", cursor=second["cursor"])
    assert [*numbers(first), *numbers(second), *numbers(third)] == created[::-1]
    assert third["cursor"] is None


def test_filters(seed: Seed, client: MerchantClient) -> None:
    seed.add_trader(mode=Mode.TEST)
    kept = client.create(buy()).data["order_no"]
    gone = client.create(buy())
    client.cancel(gone)
    sold = client.create(sell()).data["order_no"]
    tested = client.create(buy(), route="test").data["order_no"]
    assert numbers(client.listed(status="pending")) == [tested, kept]
    assert numbers(client.listed(status="cancelled, matching")) == [sold, gone.data["order_no"]]
    assert numbers(client.listed(order_type=2)) == [sold]
    assert numbers(client.listed(is_test=1)) == [tested]
    assert numbers(client.listed(order_type="1", is_test="0", status="pending")) == [kept]


def test_times_are_inclusive(client: MerchantClient) -> None:
    created = client.create(buy()).data
    at = created["createtime"]
    assert numbers(client.listed(start_time=at, end_time=at)) == [created["order_no"]]
    assert numbers(client.listed(start_time=at + 1)) == []
    assert numbers(client.listed(end_time=at - 1)) == []
    assert numbers(client.listed(start_time=at, end_time=at - 5)) == []


def test_nobody_lists_anothers_orders(seed: Seed, client: MerchantClient) -> None:
    client.create(buy())
    _, other = seed.add_merchant()
    assert numbers(other.listed()) == []


@pytest.mark.parametrize("by", ["order_no", "merchant_order_no"])
def test_a_buy_is_cancelled_and_its_trader_released(seed: Seed, by: str) -> None:
    trader = seed.only_trader()
    _, client = seed.add_merchant()
    created = client.create(buy(merchant_order_no="C-1")).data
    for _ in range(2):
        reply = client.post("/merchant/cancelOrder", {by: created[by]})
        assert (reply.code, reply.data["status"]) == (1, "cancelled")
        assert [entry["status"] for entry in reply.data["timeline"]] == ["pending", "cancelled"]
    after = seed.trader(trader.trader_id)
    assert (after.counts.held_micro, after.counts.open_orders) == (0, 0)
    assert after.counts.available_micro == trader.counts.available_micro
    assert client.create(buy(merchant_order_no="C-1")).code == 2001


def test_a_sell_is_cancelled_and_its_hold_released(client: MerchantClient) -> None:
    created = client.create(sell())
    assert client.balance()["live"]["held"] == SELL_HELD
    for _ in range(2):
        assert client.cancel(created).data["status"] == "cancelled"
    assert client.balance()["live"] == {
        "available": PLENTY,
        "held": "0.000000",
        "deposit": "0.000000",
    }


def test_what_cannot_be_cancelled(seed: Seed, client: MerchantClient) -> None:
    created = client.create(buy())
    seed.report_paid(created.data["order_no"])
    reply = client.cancel(created)
    assert (reply.status, reply.code) == (409, 2003)
    assert reply.data == {"reason": "state_conflict", "status": "paid"}


def test_an_overdue_buy_cannot_be_cancelled_any_more(seed: Seed, client: MerchantClient) -> None:
    created = client.create(buy())
    order: Any = seed.get(seed.tables.orders, {"pk": created.data["order_no"]})
    seed.put(seed.tables.orders, {**order, "expire_time": int(time.time()) - 1})
    assert client.cancel(created).data == {"reason": "state_conflict", "status": "expired"}
    seen = client.query(order_no=created.data["order_no"]).data
    assert (seen["status"], seen["expire_time"]) == ("expired", None)


def test_a_draft_is_no_order_to_cancel(seed: Seed) -> None:
    seed.only_trader()
    _, client = seed.add_merchant(identity_required=True)
    client.create(buy(merchant_order_no="C-2"))
    reply = client.post("/merchant/cancelOrder", {"merchant_order_no": "C-2"})
    assert (reply.code, reply.data["status"]) == (2003, "held")
    assert client.create(buy(**identity())).code == 1


def test_the_balance_tells_live_and_test_apart(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    seed.fund(merchant, 200_000_000)
    seed.fund(merchant, 5, Mode.TEST)
    client.create(sell())
    assert client.balance() == {
        "live": {"available": "59.575655", "held": SELL_HELD, "deposit": "0.000000"},
        "test": {"available": "0.000005", "held": "0.000000", "deposit": "0.000000"},
    }


@pytest.mark.parametrize("by", ["order_no", "merchant_order_no"])
def test_a_buy_that_stays_unconfirmed_is_disputed(seed: Seed, by: str) -> None:
    trader = seed.only_trader()
    _, client = seed.add_merchant()
    created = client.create(buy(merchant_order_no="D-1")).data
    seed.report_paid(created["order_no"], seconds_ago=HALF_AN_HOUR)
    for _ in range(2):
        reply = client.post("/merchant/disputeOrder", {by: created[by]})
        assert (reply.status, reply.code) == (200, 1)
        way = [entry["status"] for entry in reply.data["timeline"]]
        assert way == ["pending", "paid", "disputed"]
        assert reply.data == client.query(order_no=created["order_no"]).data
    after = seed.trader(trader.trader_id)
    assert (after.counts.held_micro, after.counts.open_orders) == (138_197_899, 1)


def test_a_dispute_comes_half_an_hour_after_paid(seed: Seed, client: MerchantClient) -> None:
    created = client.create(buy())
    told = [client.dispute(created)]
    # Far enough from the half hour for a slow machine.
    seed.report_paid(created.data["order_no"], seconds_ago=HALF_AN_HOUR - 120)
    told.append(client.dispute(created))
    assert [(reply.status, reply.code) for reply in told] == [(409, 2003)] * 2
    assert [reply.data["status"] for reply in told] == ["pending", "paid"]
    assert client.query(order_no=created.data["order_no"]).data["status"] == "paid"


def test_a_waiting_sell_cannot_be_disputed(client: MerchantClient) -> None:
    sold = client.create(sell())
    assert (client.dispute(sold).code, client.dispute(sold).data["status"]) == (2003, "matching")
