"""Limits of a trading day, over all merchants (contract sections 3 and 11)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.support.identities import identity
from tests.support.merchant_client import WALLET, MerchantClient, buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.world import World

FIRST, SECOND = "finance-1", "finance-2"


def client_of(world: World, **terms: Any) -> MerchantClient:
    merchant, client = world.add_merchant(**terms)
    world.fund(merchant, 10**10)
    return client


def limit(world: World, api: OperatorApi, **limits: str) -> None:
    proposed = api.data(FIRST, "desk.set", **limits)["proposal"]
    api.data(SECOND, "proposal.approve", proposal_no=proposed["proposal_no"])
    world.cold_start("create_order")


def test_a_payees_day_counts_sells_of_all_merchants(world: World, api: OperatorApi) -> None:
    one, two = client_of(world), client_of(world)
    limit(world, api, payee_daily_cny="2500.00")
    first = one.create(sell(merchant_order_no="S-1"))
    assert (first.code, two.create(sell()).code) == (1, 1)
    assert one.create(sell(cny_amount="500.01")).code == 2106
    again = one.create(sell(merchant_order_no="S-1"))
    assert (again.code, again.data["order_no"]) == (2001, first.data["order_no"])
    one.cancel(first)
    assert one.create(sell()).code == 2106  # cancelled, and still counted
    assert one.create(sell(payment_method=WALLET)).code == 1
    assert one.create(sell(cny_amount="500.00")).code == 1


def test_a_limit_of_orders_and_of_one_order(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_count="2")
    assert [client.create(sell()).code for _ in range(3)] == [1, 1, 2106]
    limit(world, api, payee_daily_count="", payee_daily_cny="999.99")
    assert client.create(sell(payment_method=WALLET)).code == 2106


def test_a_buy_counts_for_its_verified_customer(world: World, api: OperatorApi) -> None:
    world.clear_rotation()
    world.add_trader()
    client = client_of(world, identity_required=True)
    limit(world, api, id_card_daily_count="1")
    assert client.create(buy(**identity())).code == 1
    assert client.create(buy(**identity())).code == 2106


def test_live_and_test_days_are_apart(world: World, api: OperatorApi) -> None:
    from orderdesk.domain.pricing import Mode  # noqa: PLC0415

    merchant, client = world.add_merchant()
    for mode in Mode:
        world.fund(merchant, 10**10, mode)
    limit(world, api, payee_daily_count="1")
    assert [client.create(sell(is_test=mode)).code for mode in (0, 1, 0, 1)] == [1, 1, 2106, 2106]


def test_a_small_change_needs_one_person_and_a_day_is_exact(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_cny="10000.00")
    assert api.data(FIRST, "desk.set", payee_daily_cny="9600.00")["payee_daily_cny"] == "9600.00"
    assert "proposal" in api.data(FIRST, "desk.set", payee_daily_cny="9300.00")
    world.cold_start("create_order")
    with ThreadPoolExecutor(max_workers=1) as pool:
        codes = list(pool.map(lambda _: client.create(sell()).code, range(11)))
    assert sorted(codes) == [1] * 9 + [2106] * 2


def test_a_sell_makes_one_request_where_a_limit_is_set(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_count="9")
    client.create(sell())
    with world.requests("create_order") as requests:
        assert client.create(sell()).code == 1
    assert requests == ["TransactWriteItems"]
