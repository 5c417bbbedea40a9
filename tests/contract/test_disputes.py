"""disputeOrder: a merchant's move of contract section 6."""

import pytest

from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed

HALF_AN_HOUR = 1800


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
    assert (after.held_micro, after.open_orders) == (138_197_899, 1)


def test_a_dispute_comes_half_an_hour_after_paid(seed: Seed, client: MerchantClient) -> None:
    created = client.create(buy())
    told = [client.dispute(created)]
    # Far enough from the half hour for a slow machine.
    seed.report_paid(created.data["order_no"], seconds_ago=HALF_AN_HOUR - 120)
    told.append(client.dispute(created))
    assert [(reply.status, reply.code) for reply in told] == [(409, 2003)] * 2
    assert [reply.data["status"] for reply in told] == ["pending", "paid"]
    assert client.query(order_no=created.data["order_no"]).data["status"] == "paid"


def test_what_cannot_be_disputed(seed: Seed, client: MerchantClient) -> None:
    assert client.post("/merchant/disputeOrder", {"order_no": "B1"}).code == 2002
    sold = client.create(sell())
    assert (client.dispute(sold).code, client.dispute(sold).data["status"]) == (2003, "matching")
    created = client.create(buy())
    seed.report_paid(created.data["order_no"], seconds_ago=HALF_AN_HOUR)
    _, other = seed.add_merchant()
    assert other.dispute(created).code == 2002
    assert client.query(order_no=created.data["order_no"]).data["status"] == "paid"
