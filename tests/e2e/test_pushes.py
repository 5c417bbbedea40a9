"""Push messages from a new order to a trader's device, on the deployed stack."""

import time

from tests.support.merchant_client import buy
from tests.support.merchant_receiver import Answer, Receiver
from tests.support.payer import Payer
from tests.support.push_service import verified
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit, endpoints_of, push_key_shown, push_on
from tests.support.waiting import wait_until

A_DAY = 86_400


def test_a_new_order_and_its_payment_wake_the_traders_devices(
    stack_seed: StackSeed, desk: TraderVisit, shop: Receiver
) -> None:
    stays = shop.url("/stays", Answer(201))
    leaves = shop.url("/leaves", Answer(410))
    for endpoint in (stays, leaves):
        assert push_on(desk, endpoint)["statusCode"] == 200
    _, client = stack_seed.add_merchant()
    created = client.create(buy()).data
    (push,) = shop.wait_for("/stays")
    shop.wait_for("/leaves")
    vapid = verified(push.headers)
    assert vapid.key == push_key_shown(desk)
    assert vapid.claims["aud"] == shop.origin
    assert 0 < vapid.claims["exp"] - time.time() <= A_DAY
    assert (push.body, push.headers["topic"]) == (b"", "orders")
    assert 0 < int(push.headers["ttl"]) <= 900
    wait_until(lambda: endpoints_of(desk) == [stays])
    assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == 303
    shop.wait_for("/stays", 2)
    assert len(shop.of("/leaves")) == 1


def test_a_busy_push_service_is_asked_again_and_delays_no_other_trader(
    stack_seed: StackSeed, desk: TraderVisit, shop: Receiver
) -> None:
    busy = shop.url("/busy", Answer(503), Answer(201))
    push_on(desk, busy)
    desk.buy()
    shop.wait_for("/busy")
    stack_seed.clear_rotation()
    other = TraderVisit.of_new_trader(stack_seed)
    push_on(other, shop.url("/other", Answer(201)))
    other.buy()
    shop.wait_for("/other")
    shop.wait_for("/busy", 2)
