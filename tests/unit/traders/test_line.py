"""A plan for many sells is the rotation, one after the other (contract section 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.line import Learned, Line, LinePlan, Turn
from orderdesk.domain.traders.matching import Demand, fits
from orderdesk.domain.traders.trader import Trader
from tests.support.seed import a_trader, with_changes

DAY = 20_000
FEN = (100_00, 500_00, 900_00)
BANK = (PaymentMethod(MethodType.BANK, "payee"),)


@dataclass(frozen=True, slots=True)
class Sell:
    """A sell of an amount, and the traders that declined it."""

    number: int
    fen: int
    passed_over: tuple[str, ...]

    @property
    def demand(self) -> Demand:
        return Demand(OrderType.SELL, Mode.LIVE, MethodType.BANK, self.fen, 0, DAY, "m1", 50)


def trader_id(number: int) -> str:
    return f"t{number:04d}"


@st.composite
def pools(draw: st.DrawFn) -> dict[str, Trader]:
    usual = {"methods": BANK, "daily_day": DAY}
    terms = st.fixed_dictionaries(
        {
            "min_cny_fen": st.sampled_from([1, FEN[1]]),
            "max_cny_fen": st.sampled_from([FEN[0], FEN[1], 10_000_00]),
            "max_open": st.sampled_from([None, 1, 3]),
            "daily_cap_fen": st.sampled_from([None, 1000_00]),
            "last_accepted_us": st.integers(0, 5),
        }
    )
    drawn: list[dict[str, Any]] = draw(st.lists(terms, max_size=8))
    made = (a_trader(trader_id(n), **usual | each) for n, each in enumerate(drawn))
    return {trader.trader_id: trader for trader in made}


SELLS = st.lists(
    st.tuples(
        st.sampled_from(FEN), st.lists(st.integers(0, 7).map(trader_id), unique=True, max_size=3)
    ),
    max_size=25,
)


def longest_waiting(table: dict[str, Trader], sell: Sell) -> Trader | None:
    """Choose for this sell only, from the traders' present states."""
    for skipped in (sell.passed_over, sell.passed_over[-1:]):
        fitting = [
            trader
            for trader in table.values()
            if trader.trader_id not in skipped and fits(trader, sell.demand)
        ]
        if fitting:
            return min(
                fitting, key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id)
            )
    return None


@given(pools(), SELLS, st.integers(1, 10), st.data())
def test_waves_are_the_rotation_one_sell_after_the_other(
    table: dict[str, Trader], drawn: Sequence[Any], wave: int, data: st.DataObject
) -> None:
    """The index shows each trader's present state, or the one before its last orders."""
    waiting = [Sell(n, fen, tuple(passed)) for n, (fen, passed) in enumerate(drawn)]
    history = {each: [trader] for each, trader in table.items()}
    learned, now_us, planned = Learned(), 100, 0
    while waiting:
        ages = {each: data.draw(st.integers(1, min(3, len(history[each])))) for each in table}
        index = sorted(
            (history[each][-ages[each]] for each in table),
            key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id),
        )
        plan, claims, later = LinePlan(Line(iter(index), learned)), list[Trader](), list[Sell]()
        for sell in waiting[:wave]:
            chosen = plan.next_for(sell.demand, sell.passed_over)
            if chosen is Turn.LATER:
                assert longest_waiting(table, sell) in claims
                later.append(sell)
                continue
            assert (None if chosen is Turn.NOBODY_FITS else chosen) == longest_waiting(table, sell)
            if isinstance(chosen, Trader):
                now_us += 1
                after = plan.take(chosen, sell.demand, now_us)
                table[after.trader_id] = after
                claims.append(after)
            planned += 1
        for after in claims:
            learned.note(after)
            history[after.trader_id].append(after)
        assert len({trader.trader_id for trader in claims}) == len(claims)
        assert len(later) < wave, "each wave gets on"
        waiting = [*later, *waiting[wave:]]
    assert planned == len(drawn)


def test_no_more_of_the_rotation_is_read_than_is_looked_at() -> None:
    traders = [a_trader(trader_id(n), methods=BANK, last_accepted_us=n) for n in range(5)]
    read: list[str] = []

    def index() -> Any:
        for trader in traders:
            read.append(trader.trader_id)
            yield trader

    plan = LinePlan(Line(index(), Learned()))
    for number in range(2):
        sell = Sell(number, FEN[1], ())
        chosen = plan.next_for(sell.demand, ())
        assert chosen == traders[number]
        plan.take(traders[number], sell.demand, 100 + number)
    assert read == [trader_id(0), trader_id(1)]


def test_who_the_index_shows_too_early_has_the_place_of_its_last_order() -> None:
    first, second, third = (
        a_trader(trader_id(n), methods=BANK, last_accepted_us=last)
        for n, last in ((1, 0), (2, 30), (3, 40))
    )
    learned = Learned()
    learned.note(with_changes(first, last_accepted_us=20))
    places = [trader.trader_id for trader in Line(iter([first, second, third]), learned)]
    assert places == [trader_id(1), trader_id(2), trader_id(3)]
    learned.note(with_changes(first, last_accepted_us=35))
    places = [trader.trader_id for trader in Line(iter([first, second, third]), learned)]
    assert places == [trader_id(2), trader_id(1), trader_id(3)]


@pytest.mark.parametrize(
    ("on_day", "used", "orders", "kept"), [(DAY, 1200_00, 4, 2), (DAY - 1, 500_00, 1, 1)]
)
def test_a_taken_trader_is_as_the_claim_leaves_it(
    on_day: int, used: int, orders: int, kept: int
) -> None:
    before = a_trader(trader_id(1), methods=BANK, daily_day=on_day, open_orders=2)
    before = with_changes(before, daily_used_fen=700_00, daily_orders=3, daily_kept=1)
    after = LinePlan(Line((), Learned())).take(before, Sell(1, FEN[1], ()).demand, 77)
    counts: Any = {"open_orders": 3, "daily_used_fen": used, "daily_orders": orders}
    counts["daily_kept"] = kept
    assert after == with_changes(before, last_accepted_us=77, daily_day=DAY, **counts)


def test_an_operators_later_change_counts() -> None:
    """A lost claim reveals a state before the index does."""
    before = a_trader(trader_id(1), methods=BANK)
    learned = Learned()
    learned.note(a_trader(trader_id(1), methods=BANK, online=False, version=2))
    plan = LinePlan(Line(iter([before]), learned))
    assert plan.next_for(Sell(1, FEN[1], ()).demand, ()) is Turn.NOBODY_FITS
