"""Reserved amounts: who may have one when, and which amounts a buy looks up (section 6)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import batched
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.orders.items import draft_item, draft_of
from orderdesk.domain.orders.amounts import (
    LOOKS_MAX,
    NO_RECORD,
    RESERVED_MAX,
    AccountAmount,
    AmountRecord,
    amounts_to_look_up,
    lowering_offsets,
    near_amounts,
    nearby_offsets,
    nearest,
)
from orderdesk.domain.orders.moves import By, move
from orderdesk.domain.orders.open_orders import CANCELS_AN_HOUR, cancel_reserves, with_cancel
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.requests import OrderRequest, fingerprint, new_draft, request_of_draft
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import BaseRate, Mode, OrderType, quote
from orderdesk.domain.traders.matching import Demand
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.match import Candidates, Choice, Choices, Contention, Placement
from tests.support.chance import SeededChance
from tests.support.orders import order_in
from tests.support.seed import BANK_METHOD, a_merchant, a_trader, with_changes

NOW = 1_900_000_000
DAY, HOUR = 86_400, 3_600
OPEN, EXPIRED, CANCELLED = OrderStatus.PENDING, OrderStatus.EXPIRED, OrderStatus.CANCELLED


def an_order(number: int, status: OrderStatus, merchant_id: str = "m1") -> Order:
    one = order_in(OrderType.BUY, status, since=NOW)
    return replace(one, order_no=f"B{number}", merchant_id=merchant_id)


def test_an_open_order_keeps_its_amount_from_everybody() -> None:
    record = NO_RECORD.after(an_order(1, OPEN), NOW)
    assert not record.is_free("m1", NOW + 2 * DAY)
    assert NO_RECORD.is_free("m1", NOW)


@pytest.mark.parametrize(("status", "seconds"), [(EXPIRED, DAY), (CANCELLED, HOUR)])
def test_an_unpaid_end_reserves_the_amount_for_its_merchant(
    status: OrderStatus, seconds: int
) -> None:
    record = NO_RECORD.after(an_order(1, OPEN), NOW).after(an_order(1, status), NOW)
    assert record.is_free("m1", NOW)
    assert not record.is_free("m2", NOW + seconds - 1)
    assert record.is_free("m2", NOW + seconds)


def test_a_completed_order_frees_its_amount_at_once() -> None:
    record = NO_RECORD.after(an_order(1, OPEN), NOW)
    assert record.after(an_order(1, OrderStatus.COMPLETED), NOW).is_free("m2", NOW)


def test_a_repetition_that_is_cancelled_does_not_shorten_the_reservation() -> None:
    record = NO_RECORD.after(an_order(1, EXPIRED), NOW)
    record = record.after(an_order(2, OPEN), NOW).after(an_order(2, CANCELLED), NOW)
    assert not record.is_free("m2", NOW + HOUR)
    assert record.free_at == NOW + DAY


def test_reservations_of_two_merchants_keep_both_away() -> None:
    record = NO_RECORD.after(an_order(1, EXPIRED), NOW).after(an_order(2, EXPIRED, "m2"), NOW)
    assert not record.is_free("m1", NOW)
    assert not record.is_free("m2", NOW)
    assert record.is_free("m1", NOW + DAY)


@given(
    steps=st.lists(
        st.tuples(
            st.integers(1, 4),
            st.sampled_from([OPEN, EXPIRED, CANCELLED, OrderStatus.COMPLETED]),
            st.integers(0, 2 * HOUR),
        ),
        max_size=12,
    ),
    later=st.integers(0, 2 * DAY),
)
def test_an_amount_is_free_if_nothing_of_another_merchant_is_in_the_way(
    steps: list[tuple[int, OrderStatus, int]], later: int
) -> None:
    record, now = AmountRecord(), NOW
    last: dict[int, tuple[OrderStatus, int]] = {}
    for number, status, seconds in steps:
        now += seconds
        record = record.after(an_order(number, status, f"m{number % 2}"), now)
        last[number] = status, now
    now += later
    kept = {EXPIRED: DAY, CANCELLED: HOUR}
    is_open = any(status is OPEN for status, _ in last.values())
    reserving = {
        number % 2 for number, (status, since) in last.items() if since + kept.get(status, 0) > now
    }
    if is_open or 1 in reserving:
        assert not record.is_free("m0", now)
    if not is_open and not reserving:
        assert record.is_free("m0", now)


@pytest.mark.parametrize("status", [EXPIRED, CANCELLED])
def test_a_late_payment_puts_the_order_into_its_amounts_record(status: OrderStatus) -> None:
    moved = move(order_in(OrderType.BUY, status, since=NOW), Move.DISPUTE, By(Actor.OPERATOR), NOW)
    assert moved is not None
    assert moved.after.counted.unique_amount


def at(number: int, fen: int = 1000_00) -> AccountAmount:
    return AccountAmount(f"t{number}", MethodType.BANK, fen)


@given(traders=st.integers(0, 200), discount=st.integers(0, 100), draws=st.integers(0, 1 << 30))
def test_one_read_has_room_for_what_it_looks_up(traders: int, discount: int, draws: int) -> None:
    asked = [at(number) for number in range(traders)]
    groups = [near_amounts(asked, of(discount)) for of in (lowering_offsets, nearby_offsets)]
    looked_up = amounts_to_look_up(asked, groups, lambda bound: draws % bound)
    assert len(looked_up) <= LOOKS_MAX
    assert len(set(looked_up)) == len(looked_up)
    assert set(looked_up) <= {*asked, *groups[0], *groups[1]}


def test_all_discounts_of_one_trader_fit_into_one_read() -> None:
    lowered = near_amounts([at(1)], lowering_offsets(100))
    nearby = near_amounts([at(1)], nearby_offsets(100))
    assert amounts_to_look_up([], [lowered, nearby], lambda _: 0) == lowered
    assert {amount.cny_fen for amount in lowered} == set(range(999_00, 1000_00))


def test_no_near_amount_is_nothing_or_less() -> None:
    assert {amount.cny_fen for amount in near_amounts([at(1, 2)], [-3, -2, -1, 1])} == {1, 3}


def test_the_four_nearest_amounts_are_named_in_order() -> None:
    assert nearest(1000, [1004, 990, 999, 1001, 998, 999]) == (998, 999, 1001, 1004)
    assert nearest(1000, []) == ()


def test_a_draft_keeps_the_discount_and_an_order_what_was_asked() -> None:
    asked = OrderRequest(OrderType.BUY, Mode.LIVE, 100_00, max_discount_fen=5)
    draft = new_draft(
        asked, "m1", pending_no="D" + "1" * 24, identity_token="t", now=NOW, life_seconds=60
    )
    stored = {name: value for name, value in draft_item(draft).items() if value is not None}
    assert request_of_draft(draft_of(stored)) == asked
    order = an_order(1, OPEN)
    lowered = with_changes(order, requested_fen=order.quote.cny_fen + 1)
    plain = replace(order, quote=replace(order.quote, cny_fen=order.quote.cny_fen + 1))
    assert fingerprint(lowered) == fingerprint(plain)
    assert fingerprint(draft) == fingerprint(asked)


def test_a_record_keeps_a_bounded_number_of_reservations() -> None:
    record = NO_RECORD
    for number in range(10 * RESERVED_MAX):
        record = record.after(an_order(number, EXPIRED), NOW + number)
    assert len(record.reserved) == RESERVED_MAX
    assert record.free_at == NOW + 10 * RESERVED_MAX - 1 + DAY
    assert (record.is_free("m1", NOW), record.is_free("m2", NOW)) == (True, False)


@given(times=st.lists(st.integers(0, 3 * HOUR), min_size=1, max_size=100).map(sorted))
def test_within_an_hour_twenty_cancels_reserve_their_amounts(times: list[int]) -> None:
    cancels, reserving = 0, Counter[int]()
    for at in times:
        cancels = with_cancel(cancels, at)
        reserving[at // HOUR] += cancel_reserves(cancels)
    counts = Counter(at // HOUR for at in times)
    assert reserving == {hour: min(count, CANCELS_AN_HOUR) for hour, count in counts.items()}


def test_a_cancel_of_an_earlier_hour_counts_in_the_later_one() -> None:
    assert with_cancel(with_cancel(0, 2 * HOUR), HOUR) == with_cancel(0, 2 * HOUR) + 1


ASKED, PAGE = 1000_00, 16
TAKEN = AmountRecord(frozenset({"B1"}))
CHANCE = SeededChance(Random(1))


def traders(count: int) -> list[Trader]:
    return [
        a_trader(f"t{n:04d}", max_cny_fen=10**9, unique_amounts=True, methods=(BANK_METHOD,))
        for n in range(count)
    ]


@dataclass
class Amounts:
    """The rotation of some traders; the asked amount is free at `free` ones only."""

    count: int
    free: frozenset[str] = frozenset()
    reads: list[int] = field(default_factory=list)

    def rotation_pages(self, demand: Demand, at_least: int = 1) -> Iterator[Iterator[Trader]]:
        assert demand.cny_fen == ASKED
        return map(iter, batched(traders(self.count), max(at_least, PAGE), strict=False))

    def amount_records(self, amounts: Sequence[AccountAmount]) -> Sequence[AmountRecord]:
        assert len(amounts) <= LOOKS_MAX
        self.reads.append(len(amounts))
        return [AmountRecord() if self.is_free(amount) else TAKEN for amount in amounts]

    def is_free(self, amount: AccountAmount) -> bool:
        return amount.cny_fen != ASKED or amount.trader_id in self.free


def chosen(amounts: Amounts, discount_fen: int = 100) -> Choice:
    """Return the choice whose claim succeeds."""
    request = OrderRequest(OrderType.BUY, Mode.LIVE, ASKED, max_discount_fen=discount_fen)
    merchant, rate = a_merchant("m1"), BaseRate(72_500, "test", 0)
    priced = quote(OrderType.BUY, ASKED, rate.rate_e4, merchant.terms.fees)
    placed = Placement(request, merchant, priced, rate, 0)
    candidates = Candidates(amounts.rotation_pages(placed.demand), placed.demand, Contention())
    choices = Choices(candidates, placed, amounts)
    while True:
        choice = choices.next(CHANCE)
        if amounts.is_free(choice.amount):
            return choice
        choices.amount_taken(choice, CHANCE)


@pytest.mark.parametrize("count", [PAGE + 1, 2 * PAGE, 5 * PAGE])
def test_a_trader_of_a_later_page_with_the_amount_free_takes_it_unchanged(count: int) -> None:
    last = f"t{count - 1:04d}"
    choice = chosen(Amounts(count, frozenset({last})))
    assert (choice.trader.trader_id, choice.placed.cny_fen) == (last, ASKED)


@pytest.mark.parametrize("count", [1, PAGE, 2 * PAGE, LOOKS_MAX])
def test_the_amount_is_lowered_where_every_account_has_it(count: int) -> None:
    assert ASKED - 100 <= chosen(Amounts(count)).placed.cny_fen < ASKED


def test_with_more_accounts_than_are_looked_up_the_amount_stays() -> None:
    with pytest.raises(NoTraderAvailable):
        chosen(Amounts(LOOKS_MAX + 1))
    last = f"t{LOOKS_MAX:04d}"
    assert chosen(Amounts(LOOKS_MAX + 1, frozenset({last}))).placed.cny_fen == ASKED
