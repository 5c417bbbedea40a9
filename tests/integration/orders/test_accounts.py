"""Several accounts of one trader: each buy takes one of them within its switch and its cap."""

import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.traders.claims import claim_write
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.trader import DAY_UNIT, AccountTerms, Claim, ClaimLost
from tests.support.merchant_client import buy
from tests.support.orders import buy_order
from tests.support.seed import BANK_METHOD, with_changes
from tests.support.world import World

CARDS = tuple(
    replace(BANK_METHOD, account_no=number, card_number=f"62000000000000{number}")
    for number in (1, 2, 3)
)
NOW = int(time.time())
TODAY = trading_day(NOW)


@pytest.fixture(autouse=True)
def _same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock: a trading day may end while the tests run."""
    monkeypatch.setattr(time, "time", lambda: float(NOW))
    monkeypatch.setattr(time, "time_ns", lambda: NOW * 10**9)


def keys(world: World) -> Counter[str]:
    return Counter(f"bank{order['payment_method'].get('account_no', 1)}" for order in orders(world))


def orders(world: World) -> list[Any]:
    return world.items(world.tables.orders, "order")


def test_buys_are_spread_and_a_full_or_closed_account_gets_none(world: World) -> None:
    terms = {"bank2": AccountTerms(daily_cap_fen=1999_99), "bank3": AccountTerms(is_on=False)}
    trader = world.only_trader(methods=CARDS, account_terms=terms)
    _, client = world.add_merchant(slot_share=100)
    assert [client.create(buy()).code for _ in range(4)] == [1] * 4
    assert keys(world) == {"bank1": 3, "bank2": 1}
    after = world.trader(trader.trader_id)
    assert [after.received_on(key, TODAY) for key in ("bank", "bank2", "bank3")] == [
        *(3000_00, 1000_00, 0)
    ]
    assert after.used_on(TODAY) == 4000_00


def test_unique_amounts_are_per_account(world: World) -> None:
    world.only_trader(methods=CARDS, unique_amounts=True)
    _, client = world.add_merchant(slot_share=100)
    assert [client.create(buy()).code for _ in range(4)] == [1, 1, 1, 2101]
    assert keys(world) == {"bank1": 1, "bank2": 1, "bank3": 1}
    assert client.create(buy(cny_amount="999.99")).code == 1


def test_a_busier_account_is_tried_when_the_least_used_has_the_amount(world: World) -> None:
    sums = {"bank": TODAY * DAY_UNIT + 9, "bank3": TODAY * DAY_UNIT + 10**10}
    world.only_trader(methods=CARDS, unique_amounts=True, account_sums=sums)
    _, client = world.add_merchant(slot_share=100)
    assert [client.create(buy(cny_amount=cny)).code for cny in ("1000", "50", "1000")] == [1] * 3
    assert [client.create(buy(cny_amount=cny)).code for cny in ("1000", "1000")] == [1, 2101]


def test_a_buy_on_one_of_several_accounts_makes_two_requests(world: World) -> None:
    world.only_trader(methods=CARDS, unique_amounts=True)
    _, client = world.add_merchant(slot_share=100)
    client.create(buy())
    with world.requests("create_order") as requests:
        assert client.create(buy()).code == 1
    assert requests == ["Query", "TransactWriteItems"]


def test_a_claim_of_yesterday_does_not_reset_the_days_cap(world: World) -> None:
    """A buy that began before midnight and commits after a newer one counts in the new day."""
    trader = world.only_trader(daily_cap_fen=1500_00)
    order = buy_order(int(time.time()), fen=1000_00, trader_id=trader.trader_id)
    yesterday = Claim(trader, TODAY - 1, 10**15 + 2)
    for number, fen in enumerate((1000_00, 500_00)):
        claim = Claim(world.trader(trader.trader_id), TODAY, 10**15 + number)
        taken = replace(order, quote=replace(order.quote, cny_fen=fen))
        transact(world.client, [claim_write(world.tables.traders, taken, claim)], f"{number}" * 30)
    now = world.trader(trader.trader_id)
    for late in (yesterday, replace(yesterday, trader=now)):
        with pytest.raises(ClaimLost):
            transact(world.client, [claim_write(world.tables.traders, order, late)], "c" * 30)
    small = replace(order, quote=replace(order.quote, cny_fen=1))
    begun = replace(yesterday, trader=with_changes(now, daily_day=TODAY - 1))
    with pytest.raises(ClaimLost):
        transact(world.client, [claim_write(world.tables.traders, small, begun)], "d" * 30)
    world.put_trader(with_changes(now, daily_cap_fen=1500_01))
    fits = replace(yesterday, trader=world.trader(trader.trader_id))
    transact(world.client, [claim_write(world.tables.traders, small, fits)], "e" * 30)
    assert world.trader(trader.trader_id).used_on(TODAY) == 1500_01
