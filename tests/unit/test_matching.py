"""The rotation: exact when alone, spread out when others compete."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.errors import NoTraderAvailable
from orderdesk.domain.matching import MAX_WIDTH, Window, choose, rotation
from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.traders import Demand, Trader, fits, trading_day
from orderdesk.services.match_buy import Candidates

METHODS = {kind: PaymentMethod(kind, "payee") for kind in MethodType}
DEMAND = Demand(Mode.LIVE, MethodType.BANK, 1000_00, 100, day=20_000)


class SeededChance:
    """Chance that a seed decides."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def token(self) -> str:
        return f"{self._random.getrandbits(128):032x}"


def trader(number: int = 1, **changes: Any) -> Trader:
    made = Trader(
        trader_id=f"t{number:04d}",
        name="a trader",
        mode=Mode.LIVE,
        online=True,
        suspended=False,
        min_cny_fen=1,
        max_cny_fen=10_000_00,
        max_open=None,
        daily_cap_fen=None,
        methods=(METHODS[MethodType.BANK],),
        available_micro=1000,
    )
    return replace(made, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": Mode.TEST},
        {"online": False},
        {"suspended": True},
        {"methods": (METHODS[MethodType.WECHAT],)},
        {"min_cny_fen": 1000_01},
        {"max_cny_fen": 999_99},
        {"available_micro": 99},
        {"max_open": 2, "open_orders": 2},
        {"daily_cap_fen": 1500_00, "daily_used_fen": 500_01, "daily_day": 20_000},
    ],
)
def test_what_keeps_a_trader_from_an_order(changes: dict[str, Any]) -> None:
    assert fits(trader(), DEMAND)
    assert not fits(trader(**changes), DEMAND)


def test_yesterdays_amounts_do_not_count_today() -> None:
    full = trader(daily_cap_fen=1000_00, daily_used_fen=1000_00, daily_day=19_999)
    assert fits(full, DEMAND)


def test_the_trading_day_begins_at_midnight_in_china() -> None:
    midnight_utc = 20_000 * 86_400
    assert trading_day(midnight_utc + 16 * 3600 - 1) == 20_000
    assert trading_day(midnight_utc + 16 * 3600) == 20_001


@given(st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=40))
def test_the_rotation_is_the_eligible_traders_by_last_acceptance(
    rows: list[tuple[int, bool]],
) -> None:
    traders = [
        trader(number, last_accepted_us=last, online=online)
        for number, (last, online) in enumerate(rows)
    ]
    order = rotation(traders, DEMAND)
    assert {t.trader_id for t in order} == {t.trader_id for t in traders if t.online}
    assert [t.last_accepted_us for t in order] == sorted(t.last_accepted_us for t in order)


def test_alone_the_head_is_taken_and_chance_is_not_asked() -> None:
    def never(_: int) -> int:
        raise AssertionError

    eligible = [trader(1), trader(2)]
    assert choose(eligible, Window(), never) is eligible[0]


def test_the_window_widens_with_conflicts_and_narrows_to_the_exact_rotation() -> None:
    window = Window()
    for _ in range(10):
        window = window.conflicted(5)
    assert window.width == MAX_WIDTH
    steps = 0
    while window.width > 1:
        window, steps = window.succeeded(), steps + 1
    assert 16 < steps < 64
    assert window.succeeded().width == 1


def test_a_conflict_is_forgotten_after_a_second() -> None:
    window = Window().conflicted(5).conflicted(6)
    assert window.at(6 + 1_000_000).width == 4
    assert window.at(7 + 1_000_000) == Window()
    assert window.conflicted(7 + 1_000_000).width == 2


def test_a_wide_window_reaches_the_first_traders_only() -> None:
    eligible = [trader(number) for number in range(10)]
    chance = SeededChance()
    drawn = {choose(eligible, Window(4), chance.below).trader_id for _ in range(200)}
    assert drawn == {f"t{number:04d}" for number in range(4)}


def test_a_lost_trader_that_still_fits_goes_to_its_new_place() -> None:
    first, second = trader(1, last_accepted_us=1), trader(2, last_accepted_us=2)
    candidates = Candidates(iter([[first, second]]), DEMAND)
    assert candidates.pick(Window(), SeededChance()) == first
    candidates.lost(first, replace(first, last_accepted_us=3))
    assert candidates.pick(Window(), SeededChance()) == second
    candidates.lost(second, None)
    assert candidates.pick(Window(), SeededChance()).last_accepted_us == 3
    candidates.lost(first, replace(first, available_micro=0))
    with pytest.raises(NoTraderAvailable):
        candidates.pick(Window(), SeededChance())


def test_a_page_without_a_fitting_trader_leads_to_the_next() -> None:
    pages = [[trader(1, online=False)], [], [trader(2)]]
    candidates = Candidates(iter(pages), DEMAND)
    assert candidates.pick(Window(), SeededChance()).trader_id == "t0002"
