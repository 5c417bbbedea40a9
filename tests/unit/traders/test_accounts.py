"""Which of a trader's accounts take an order: by switch, cap, the day, and its own limits."""

from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import ACCOUNTS_MAX, MethodType, account_key, account_of_key
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.matching import Demand, Misfit, accounts_for, fits, misfits
from orderdesk.domain.traders.settings import method_change, settings_version, unfit_limits
from orderdesk.domain.traders.trader import (
    DAY_UNIT,
    NO_CHOICE,
    AccountTerms,
    OwnLimits,
    Trader,
    TraderTerms,
    with_account,
    without_account,
)
from orderdesk.services.traders.history import totals_by_day
from tests.support.orders import STATES, desk_order
from tests.support.seed import ALL_METHODS, BANK_METHOD, WECHAT_METHOD, a_trader, with_changes

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


TRADER = a_trader("t1", min_cny_fen=10_00, max_cny_fen=500_00, max_open=5, daily_cap_fen=900_00)
BOUNDS = TraderTerms(10_00, 500_00, 5, 900_00)
LIMITED = {Misfit.RANGE, Misfit.OPEN_ORDERS, Misfit.DAILY_CAP}

few = st.integers(0, 6)
caps = st.none() | few


def fits_within(trader: Trader, fen: int) -> bool:
    demand = Demand(OrderType.BUY, Mode.LIVE, MethodType.BANK, fen, 0, 1, "m1", 100)
    return not LIMITED.intersection(misfits(trader, demand))


@given(st.tuples(few, few, caps, caps), st.tuples(caps, caps, caps, caps), st.tuples(few, few, few))
def test_an_order_fits_if_it_fits_both(
    operators: tuple[Any, ...], own: tuple[Any, ...], order: tuple[int, int, int]
) -> None:
    names = ("min_cny_fen", "max_cny_fen", "max_open", "daily_cap_fen")
    fen, open_orders, used = order
    trader = a_trader("t1", open_orders=open_orders, daily_day=1, daily_used_fen=used)
    limits: dict[str, Any] = dict(zip(names, operators, strict=True))
    trader = with_changes(trader, **limits)
    no_limits = replace(trader, terms=TraderTerms(0, 9))
    chosen: dict[str, Any] = {**OwnLimits(*own).chosen()}
    by_own_alone = with_changes(no_limits, **chosen)
    both = fits_within(trader, fen) and fits_within(by_own_alone, fen)
    assert fits_within(replace(trader, own=OwnLimits(*own)), fen) == both


@pytest.mark.parametrize(
    ("own", "unfit"),
    [
        (NO_CHOICE, []),
        (OwnLimits(10_00, 500_00, 5, 900_00), []),
        (OwnLimits(min_cny_fen=9_99), ["min_cny"]),
        (OwnLimits(min_cny_fen=500_01), ["min_cny", "max_cny"]),
        (OwnLimits(max_cny_fen=500_01), ["max_cny"]),
        (OwnLimits(max_cny_fen=9_99), ["max_cny"]),
        (OwnLimits(min_cny_fen=60_00, max_cny_fen=59_99), ["max_cny"]),
        (OwnLimits(max_open=1), []),
        (OwnLimits(max_open=0), ["max_open"]),
        (OwnLimits(max_open=6), ["max_open"]),
        (OwnLimits(daily_cap_fen=900_01), ["daily_cny"]),
        (OwnLimits(min_cny_fen=60_00, daily_cap_fen=60_00), []),
        (OwnLimits(min_cny_fen=60_00, daily_cap_fen=59_99), ["daily_cny"]),
    ],
)
def test_a_choice_is_within_what_the_operator_set(own: OwnLimits, unfit: list[str]) -> None:
    assert [name.value for name in unfit_limits(own, BOUNDS)] == unfit


def test_without_an_operators_cap_any_cap_is_within() -> None:
    bounds = replace(BOUNDS, max_open=None, daily_cap_fen=None)
    assert list(unfit_limits(OwnLimits(max_open=10**6, daily_cap_fen=10**12), bounds)) == []


def test_the_version_of_settings_changes_with_each_of_them_and_with_nothing_else() -> None:
    others: list[dict[str, Any]] = [
        {"min_cny_fen": 11_00},
        {"daily_cap_fen": None},
        {"own": OwnLimits(max_open=5)},
        {"methods": ALL_METHODS},
        {"methods": (replace(BANK_METHOD, card_number="6200000000000001235"),)},
    ]
    versions = {settings_version(with_changes(TRADER, **change)) for change in others}
    assert len({*versions, settings_version(TRADER)}) == len(others) + 1
    same = with_changes(TRADER, online=False, version=9, open_orders=3, available_micro=1)
    assert settings_version(same) == settings_version(TRADER)
    turned = replace(TRADER, methods=ALL_METHODS[::-1])
    assert settings_version(turned) == settings_version(replace(TRADER, methods=ALL_METHODS))


def test_a_changed_account_is_described_by_its_end_and_its_fields() -> None:
    other = replace(BANK_METHOD, card_number="6222000000000009876", bank="另一银行")
    changed = replace(TRADER, methods=(other,))
    assert method_change(TRADER, changed, MethodType.BANK) == {
        "method_type": "bank",
        "number": f"{'*' * 15}1234 → {'*' * 15}9876",
        "changed": "bank card_number",
    }
    code = replace(WECHAT_METHOD, qr_code="https://img.example.com/other.png")
    before, after = (replace(TRADER, methods=(method,)) for method in (WECHAT_METHOD, code))
    described = method_change(before, after, MethodType.WECHAT)
    assert (described["number"], described["changed"]) == ("tr******ne → tr******ne", "qr_code")
    gone = method_change(TRADER, replace(TRADER, methods=()), MethodType.BANK)
    assert gone["number"] == f"{'*' * 15}1234 → none"
