"""Which of a trader's accounts take an order: by switch, cap and the totals of the day."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import ACCOUNTS_MAX, MethodType, account_key, account_of_key
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.matching import Demand, Misfit, accounts_for, fits, misfits
from orderdesk.domain.traders.trader import (
    DAY_UNIT,
    AccountTerms,
    Trader,
    TraderTerms,
    with_account,
    without_account,
)
from orderdesk.services.traders.history import totals_by_day
from tests.support.orders import STATES, desk_order
from tests.support.seed import BANK_METHOD, WECHAT_METHOD, a_trader, with_changes

DAY = 20_000
BUY, SELL = OrderType.BUY, OrderType.SELL
THREE = tuple(
    replace(BANK_METHOD, account_no=number, card_number=f"62000000000{number}")
    for number in (1, 2, 3)
)


def demand(fen: int = 100_00, side: OrderType = BUY, day: int = DAY) -> Demand:
    return Demand(side, Mode.LIVE, MethodType.BANK, fen, 0, day, "m000000000001", 50)


def with_sums(**fen: int) -> Trader:
    sums = {key: DAY * DAY_UNIT + used for key, used in fen.items()}
    return a_trader("t1", methods=(*THREE, WECHAT_METHOD), account_sums=sums)


def keys(trader: Trader, wanted: Demand) -> list[str]:
    return [method.account_key for method in accounts_for(trader, wanted)]


def test_the_account_with_the_least_of_the_day_is_first() -> None:
    assert keys(with_sums(bank=5, bank2=3), demand()) == ["bank3", "bank2", "bank"]
    assert keys(with_sums(bank=5, bank2=3), demand(day=DAY + 1)) == ["bank", "bank2", "bank3"]


def test_an_account_that_is_off_gets_neither_buys_nor_sells() -> None:
    off = {"bank": AccountTerms(is_on=False), "bank3": AccountTerms(is_on=False)}
    trader = replace(with_sums(), account_terms=off)
    assert keys(trader, demand()) == keys(trader, demand(side=SELL)) == ["bank2"]
    none = replace(trader, account_terms={**off, "bank2": AccountTerms(is_on=False)})
    assert misfits(none, demand()) == [Misfit.METHOD]
    assert not fits(none, demand(side=SELL))


@given(st.integers(1, 10**9), st.integers(0, 10**9), st.integers(1, 10**9))
def test_a_cap_is_exact_for_buys_and_does_not_apply_to_sells(cap: int, used: int, fen: int) -> None:
    terms = {account_key(MethodType.BANK, n): AccountTerms(daily_cap_fen=cap) for n in (1, 2, 3)}
    full = {"bank2": DAY * DAY_UNIT + cap, "bank3": DAY * DAY_UNIT + cap}
    sums = {"bank": DAY * DAY_UNIT + used, **full}
    trader = with_changes(with_sums(), account_terms=terms, account_sums=sums)
    trader = replace(trader, terms=TraderTerms(1, 10**9))
    assert keys(trader, demand(fen)) == (["bank"] if used + fen <= cap else [])
    assert (Misfit.DAILY_CAP in misfits(trader, demand(fen))) is (used + fen > cap)
    assert not misfits(trader, demand(fen, SELL))


def test_a_removed_account_takes_its_terms_and_its_sum_along() -> None:
    trader = replace(with_sums(bank=1, bank2=2), account_terms={"bank2": AccountTerms(is_on=False)})
    after = without_account(trader, "bank2")
    assert (after.account("bank2"), dict(after.account_terms)) == (None, {})
    assert after.received_on("bank", DAY) == 1
    again = with_account(after, THREE[1])
    assert (again.terms_of("bank2").is_on, again.received_on("bank2", DAY)) == (True, 0)


def test_the_item_keeps_accounts_terms_and_sums_and_the_release_before_reads_it() -> None:
    trader = replace(
        with_sums(bank=1, bank2=2),
        account_terms={"bank2": AccountTerms(False, 5_00), "bank": AccountTerms()},
    )
    item = {name: value for name, value in trader_item(trader, 0).items() if value is not None}
    read = trader_of(item)
    assert read.methods == trader.methods
    assert read.counts.account_sums == trader.counts.account_sums
    assert read.account_terms == {"bank2": AccountTerms(False, 5_00)}
    plain = a_trader("t1")
    assert not {"account_terms", "d_bank"} & {k for k, v in trader_item(plain, 0).items() if v}


@pytest.mark.parametrize("text", ["", "bank1", "bank0", "bank6", "cash", "bank22", "BANK", "bank "])
def test_only_keys_of_accounts_are_read(text: str) -> None:
    assert account_of_key(text) is None


def test_every_account_has_a_key_of_its_own() -> None:
    named = [(kind, number) for kind in MethodType for number in range(1, ACCOUNTS_MAX + 1)]
    assert [account_of_key(account_key(*one)) for one in named] == named
    assert [account_key(kind, 1) for kind in MethodType] == [kind.value for kind in MethodType]


MIDNIGHT = 1_763_654_400  # 2025-11-21 in China
PAST = [(side, status) for side, status in STATES if not status.is_open]
DRAWN = st.lists(
    st.builds(
        lambda state, since, fen: desk_order(state[0], state[1], since, fen=fen),
        st.sampled_from(PAST),
        st.integers(MIDNIGHT - 200_000, MIDNIGHT + 200_000),
        st.integers(1, 10**9),
    )
)


def test_a_day_begins_at_midnight_in_china() -> None:
    late = desk_order(OrderType.BUY, OrderStatus.COMPLETED, MIDNIGHT - 1)
    early = desk_order(OrderType.BUY, OrderStatus.COMPLETED, MIDNIGHT)
    days = [totals.day for totals in totals_by_day([late, early])]
    assert days == [date(2025, 11, 21), date(2025, 11, 20)]


@given(DRAWN)
def test_every_order_is_counted_once(orders: list[Order]) -> None:
    days = totals_by_day(orders)
    assert [totals.day for totals in days] == sorted({t.day for t in days}, reverse=True)
    for side in OrderType:
        paid = [o for o in orders if (o.order_type, o.status) == (side, OrderStatus.COMPLETED)]
        sides = [totals.completed[side] for totals in days]
        assert sum(one.count for one in sides) == len(paid)
        assert sum(one.cny_fen for one in sides) == sum(o.quote.cny_fen for o in paid)
        assert sum(one.usdt_micro for one in sides) == sum(o.quote.usdt_micro for o in paid)
    unpaid = Counter(order.status is not OrderStatus.COMPLETED for order in orders)[True]
    assert sum(totals.unpaid for totals in days) == unpaid
