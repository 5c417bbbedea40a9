"""A trader's own limits: within the operator's when set; the stricter always applies."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.matching import Demand, Misfit, misfits
from orderdesk.domain.traders.settings import method_change, settings_version, unfit_limits
from orderdesk.domain.traders.trader import NO_CHOICE, OwnLimits, Trader, TraderTerms
from tests.support.seed import ALL_METHODS, BANK_METHOD, WECHAT_METHOD, a_trader, with_changes

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
