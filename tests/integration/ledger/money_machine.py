"""Random orders and moves, repeated, interleaved and killed; the books must balance."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from orderdesk.domain.accounts import WINDOW_SECONDS
from orderdesk.domain.ledger.seals import due_end
from orderdesk.domain.operators import (
    OperatorRefusal,
    SumNotCovered,
    TraderCannotCover,
    TraderDoesNotFit,
)
from orderdesk.domain.orders.moves import answered_sum
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.orders.order import OPERATORS_LATE_SECONDS, Order, OrderStatus, SumAnswer
from orderdesk.domain.orders.order_errors import (
    InsufficientBalance,
    NoTraderAvailable,
    OpenLimitReached,
    OrderNotFound,
    ProofMissing,
    RefusedByDesk,
    StateConflict,
    SumUncovered,
    TooManyReceipts,
    UnfitSum,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.receipts.files import UnfitReceipt
from orderdesk.domain.traders.trader import TraderSuspended
from tests.integration.ledger.desk_rules import PAYEE, DeskRules
from tests.support.faults import Killed, killed_at
from tests.support.money_world import MoneyWorld, Step
from tests.support.order_table import CASES, TABLE, WAYS, WINDOW, Case, Row, row_of
from tests.support.sealing import Sealer
from tests.support.seed import with_changes

A_DAY = 86_400
REFUSED = (
    *(StateConflict, OrderNotFound, ProofMissing, TraderSuspended, OperatorRefusal),
    *(TooManyReceipts, TooManyNotes, UnfitReceipt, UnfitSum),
)
EXCUSES = (
    *(ProofMissing, TraderDoesNotFit, TraderCannotCover, UnfitReceipt),
    *(SumUncovered, SumNotCovered, UnfitSum, TooManyNotes),
)
# Read the order, commit; a repeat, an assignment and a late payment read more.
REQUESTS = 4
A_TRADER = Actor.TRADER

moves = st.tuples(
    st.sampled_from(sorted({(case.actor, case.what) for case in CASES}, key=str)), st.integers(0, 2)
)


OF_SUMS = frozenset({Move.REPORT_SUM, Move.RESOLVE_COMPLETED})
# In percent of the asked one; an operator may also decide for that.
sums = st.sampled_from([1, 50, 99, 101, 200])


class MoneyMachine(DeskRules):
    """Every allowed move succeeds, and no other one, however the steps interleave.

    `seen` collects the rows of the table that were used, over all examples.
    """

    seen: ClassVar[set[tuple[OrderType, OrderStatus, Actor, Move, bool]]] = set()

    def __init__(self, begin: Callable[[], MoneyWorld]) -> None:
        super().__init__(begin)
        self.sealer = Sealer(self.money.seed, lambda: self.money.now)

    @rule(
        data=st.data(),
        kind=st.sampled_from([OrderType.BUY, OrderType.BUY, OrderType.SELL]),
        fen=st.sampled_from([1_01, 333_33, 1000_00, 9_876_54]),
        owner=st.tuples(st.sampled_from(Mode), st.integers(0, 1)),
    )
    def create_and_live(
        self, data: st.DataObject, kind: OrderType, fen: int, owner: tuple[Mode, int]
    ) -> None:
        """Create an order and move it some steps along the table."""
        count, sum_fen = self.money.open_of(kind, *owner)
        most, most_fen = self.money.merchant(owner[1]).terms.open_limits(kind)
        fits = count < most and sum_fen + fen <= most_fen
        taken = self.money.open_at(fen) & self._with_unique_amounts()
        try:
            number = self.money.create(kind, fen, *owner)
        except OpenLimitReached:
            assert not fits
            return
        except NoTraderAvailable:
            return
        except RefusedByDesk:
            assert self.money.refuses(PAYEE, fen, owner[0])
            return
        except InsufficientBalance:
            mode, which = owner
            assert self.money.sold_from(mode, which).available_micro < self.money.sell_micro(fen)
            return
        assert fits
        self._assert_within_share(number)
        assert self.money.order(number).trader_id not in taken
        self.numbers.append(number)
        self._live_some_steps(number, data, data.draw(st.sampled_from([8, 6, 4, 2, 0])))

    @rule(which=st.integers(0, 2), max_open=st.sampled_from([None, 1, 4, 20]))
    def set_cap(self, which: int, max_open: int | None) -> None:
        """Change a trader's cap: its end, its begin, and its height, while orders are open."""
        self.money.set_cap(which, max_open)

    def _assert_within_share(self, number: str) -> None:
        """Check that a new buy left its merchant within its part of the trader's slots."""
        order = self.money.order(number)
        if order.order_type is OrderType.BUY and order.counted.in_slot:
            trader = self.money.seed.trader(order.trader_id or "")
            most = trader.slots_for(order.counted.slot_share)
            assert most is not None
            assert self.money.taken_of(order.trader_id, order.merchant_id) <= most

    @rule(which=st.integers(0, 1), shards=st.integers(1, 5), is_known=st.booleans())
    def split_balances(self, which: int, shards: int, *, is_known: bool) -> None:
        """Change a merchant's number of shards; createOrder may learn of it later."""
        before = self.money.sold_from(Mode.LIVE, which)
        self.money.split(which, shards, is_known=is_known)
        assert self.money.sold_from(Mode.LIVE, which) == before

    @rule(
        data=st.data(),
        fens=st.tuples(*[st.sampled_from([333_33, 1000_00, 9_876_54])] * 2),
        mode=st.sampled_from(Mode),
    )
    def sells_that_meet(self, data: st.DataObject, fens: tuple[int, int], mode: Mode) -> None:
        """Interrupt a sell that gathers by another sell: the sum must cover both."""
        before = len(self.numbers)

        def sold(fen: int) -> None:
            try:
                self.numbers.append(self.money.create(OrderType.SELL, fen, mode))
            except RefusedByDesk:
                assert self.money.refuses(PAYEE, fen, mode)
            except InsufficientBalance:
                left = self.money.sold_from(mode, 0).available_micro
                assert left < self.money.sell_micro(fen)

        self.money.after_gather.then = lambda: sold(fens[1])
        sold(fens[0])
        self.money.after_gather.then = None
        for number in self.numbers[before:]:
            for _ in range(2):
                self._live_on(number, data)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), steps=st.sampled_from([4, 2, 1]))
    def live_on(self, data: st.DataObject, steps: int) -> None:
        """Move an order some steps along the table."""
        self._live_some_steps(data.draw(st.sampled_from(self.numbers)), data, steps)

    @rule(case=st.sampled_from(CASES))
    def walk(self, case: Case) -> None:
        """Make the move of a row on a new order, unless a limit, balance or trader refuses it."""
        with suppress(InsufficientBalance, NoTraderAvailable, OpenLimitReached, RefusedByDesk):
            self.numbers.append(number := self.money.create(case.kind, 1_01))
            for actor, what in (*WAYS[case.kind, case.status], (case.actor, case.what)):
                before = self.money.order(number)
                is_free = not self.money.is_suspended(before.trader_id)
                if case.proven and before.status is OrderStatus.ASSIGNED and is_free:
                    before = self.money.prove(number, before.trader_id)
                trader_id = before.trader_id or self.money.traders[0].trader_id
                self._make(Step(number, actor, what, trader_id), before)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), times=st.integers(1, 2))
    def move_anyhow(self, data: st.DataObject, times: int) -> None:
        """Make any move as any actor, once or twice; it is allowed by the table or refused."""
        step = self._drawn(data)
        for _ in range(times):
            self._expect(step, self.money.order(step.order_no))

    @precondition(lambda self: self.returned_sells())
    @rule(data=st.data(), number=st.integers(-1, REQUESTS))
    def prove_late(self, data: st.DataObject, number: int) -> None:
        """Hand in a proof of a sell that was taken back, and perhaps die; then do it again."""
        order_no, trader_id = data.draw(st.sampled_from(self.returned_sells()))
        before = self.money.order(order_no)
        with suppress(Killed), killed_at(self.money.seed, number, "after-call"):
            self.money.prove_late(order_no, trader_id)
        with suppress(TooManyNotes, TooManyReceipts):
            self.money.prove_late(order_no, trader_id)
        after = self.money.order(order_no)
        is_suspended = self.money.is_suspended(trader_id)
        if before.status is OrderStatus.MATCHING and not is_suspended:
            assert (after.status, after.trader_id) == (OrderStatus.DISPUTED, trader_id)
        else:
            assert (after.status, after.trader_id) == (before.status, before.trader_id)

    def returned_sells(self) -> list[tuple[str, str]]:
        """Return the sells that were taken back, and from whom, that a proof is still taken of."""
        orders = [self.money.order(number) for number in self.numbers]
        return [
            (order.order_no, each.trader_id)
            for order in orders
            for each in order.late.returns
            if order.returned_from(each.trader_id, self.money.now)
        ]

    @rule(seconds=st.sampled_from([1, 60, 900, 1800, 86_400]))
    def wait_and_sweep(self, seconds: int) -> None:
        """Wait, and seal what is over: whatever happened, nothing is found."""
        self.money.now += seconds
        while due_end(self.sealer.end, self.money.now, WINDOW_SECONDS) is not None:
            found = self.sealer.found()
            assert found == [], found
        self.money.sweep()
        self.money.assign_waiting()

    @rule(which=st.integers(0, 2))
    def suspend(self, which: int) -> None:
        """Suspend a trader: none of its sells stays assigned, and its balance is unchanged."""
        before = self.money.trader(which)
        self.money.suspend(which)
        self._assert_suspended(which)
        after = self.money.trader(which)
        money = (before.counts.available_micro, before.counts.held_micro)
        assert (after.counts.available_micro, after.counts.held_micro) == money

    @rule(which=st.integers(0, 2), number=st.integers(0, REQUESTS * 2))
    def suspend_and_die(self, which: int, number: int) -> None:
        """Die during a suspension: suspending again completes it."""
        with suppress(Killed), killed_at(self.money.seed, number, "before-call"):
            self.money.suspend(which)
        self.money.check()
        self.money.suspend(which)
        self._assert_suspended(which)

    @precondition(lambda self: any(self.money.trader(which).suspended for which in range(3)))
    @rule(which=st.integers(0, 2))
    def put_online(self, which: int) -> None:
        self.money.put_online(which)

    @rule(data=st.data(), which=st.integers(0, 2), fen=st.sampled_from([1_01, 333_33]))
    def unique_amounts_begin_or_end(self, data: st.DataObject, which: int, fen: int) -> None:
        """Change the option while orders are created, end or are reopened."""
        before = self.money.trader(which)

        def meanwhile() -> None:
            if not self.numbers or data.draw(st.booleans()):
                with suppress(InsufficientBalance, NoTraderAvailable, OpenLimitReached):
                    self.numbers.append(self.money.create(OrderType.BUY, fen, before.mode))
            else:
                with suppress(*REFUSED):
                    self.money.do(self._likely(data.draw(st.sampled_from(self.numbers)), data))

        self.money.before_change.then = meanwhile
        self.money.set_unique_amounts(which, unique=not before.terms.unique_amounts)
        assert self.money.before_change.then is None
        assert self.money.trader(which).terms.unique_amounts is not before.terms.unique_amounts

    def _with_unique_amounts(self) -> set[str]:
        traders = [self.money.trader(which) for which in range(3)]
        return {trader.trader_id for trader in traders if trader.terms.unique_amounts}

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def suspended_meanwhile(self, data: st.DataObject) -> None:
        """Suspend a trader between its read and its write: its move is refused."""
        number = data.draw(st.sampled_from(self.numbers))
        before = self.money.order(number)
        owners = {trader.trader_id: which for which, trader in enumerate(self.money.traders)}
        moves = [w for a, w in _row_of(before) if a is A_TRADER]
        if before.trader_id is None or not moves:
            return
        what = data.draw(st.sampled_from(moves))
        self.money.before_commit.then = lambda: self.money.suspend(owners[before.trader_id or ""])
        with suppress(*REFUSED):
            self.money.do(Step(number, A_TRADER, what, before.trader_id))
        self.money.before_commit.then = None
        after = self.money.order(number)
        assert not [e for e in after.timeline[len(before.timeline) :] if e.by == A_TRADER.value]

    def _assert_suspended(self, which: int) -> None:
        trader_id = self.money.traders[which].trader_id
        orders = [self.money.order(number) for number in self.numbers]
        assigned = [o for o in orders if o.status is OrderStatus.ASSIGNED]
        assert all(order.trader_id != trader_id for order in assigned)
        assert self.money.is_suspended(trader_id)

    @invariant()
    def the_books_are_right(self) -> None:
        self.money.check()

    def _live_some_steps(self, number: str, data: st.DataObject, steps: int) -> None:
        """Move an order along the table until it has ended, at most so many steps."""
        for _ in range(steps):
            self._live_on(number, data)
            order = self.money.order(number)
            if (order.order_type, order.status) not in TABLE:
                return

    def _live_on(self, number: str, data: st.DataObject) -> None:
        """Make an allowed move when its waiting time is over, and check the books."""
        before = self.money.order(number)
        may_prove = before.status is OrderStatus.ASSIGNED and not before.receipts
        is_free = not self.money.is_suspended(before.trader_id)
        if may_prove and is_free and data.draw(st.booleans()):
            before = self.money.prove(number, before.trader_id)
        self._make(self._likely(number, data), before)
        self.money.check()

    def _make(self, step: Step, before: Order) -> None:
        """Make a move when its waiting time is over."""
        row = _row_of(before)
        if (step.actor, step.what) in row:
            wait = row[step.actor, step.what][1]
            due = (before.expire_time or 0) if wait == WINDOW else before.since + wait
            self.money.now = max(self.money.now, due)
        self._expect(step, before)

    def _likely(self, number: str, data: st.DataObject) -> Step:
        """Draw an allowed move of an order; if there is none, draw any move."""
        order = self.money.order(number)
        row = _row_of(order)
        if not row:
            return replace(self._drawn(data), order_no=number)
        # Several actors share some moves, which would be drawn more often than the others.
        what = data.draw(st.sampled_from(list(dict.fromkeys(each for _, each in row))))
        actor = data.draw(st.sampled_from([each for each, its in row if its is what]))
        traders = [trader.trader_id for trader in self.money.traders]
        assigning = what is Move.ASSIGN
        trader_id = data.draw(st.sampled_from(traders)) if assigning else order.trader_id
        has_sum = what in OF_SUMS and order.order_type is OrderType.BUY
        percent = data.draw(sums) if has_sum else None
        return Step(number, actor, what, trader_id, percent)

    def _drawn(self, data: st.DataObject) -> Step:
        (actor, what), which = data.draw(moves)
        number = data.draw(st.sampled_from(self.numbers))
        trader_id = self.money.traders[which].trader_id
        return Step(number, actor, what, trader_id)

    def _expect(self, step: Step, before: Order) -> None:
        """Make a move; it is allowed by the table or refused."""
        allowed = self._allowed(step, before)
        try:
            after = self.money.do(step)
        except REFUSED as refusal:
            excused = isinstance(refusal, EXCUSES)
            assert allowed is None or excused, (step, before.status)
            if not (isinstance(refusal, SumUncovered) and self._is_recorded(step, before)):
                self._assert_untouched(step, before)
            return
        stored = self.money.order(step.order_no)
        if stored in (before, _put_off(before, stored), _noted(before, stored)):
            return  # a repeat, no trader to assign it to, or a late payment without room
        self._assert_priced(step, before, stored)
        assert after == stored
        assert stored.receipts[: len(before.receipts)] == before.receipts
        assert allowed is stored.status, (step, before.status, stored.status)
        is_proven = before.status is OrderStatus.ASSIGNED and bool(before.receipts)
        status = self._status(step, before)
        self.seen.add((before.order_type, status, step.actor, step.what, is_proven))

    def _assert_priced(self, step: Step, before: Order, after: Order) -> None:
        """Check that an order has the price of the sum that completed it, else of its own."""
        fen = before.quote.cny_fen
        if step.what is Move.AGREE:
            assert before.sums.reported_fen is not None
            fen = before.sums.reported_fen
        if step.what is Move.RESOLVE_COMPLETED and step.percent is not None:
            fen = fen * step.percent // 100
        assert after.quote.cny_fen == fen
        assert after.asked_fen == before.asked_fen

    def _assert_untouched(self, step: Step, before: Order) -> None:
        """Check that a refusal changed nothing; it may have expired an overdue order."""
        stored = self.money.order(step.order_no)
        expired = before.status_at(self.money.now) is OrderStatus.EXPIRED
        assert stored == before or (expired and stored.status is OrderStatus.EXPIRED)

    def _is_recorded(self, step: Step, before: Order) -> bool:
        """Return whether an agreement that the balance cannot follow is all that changed."""
        stored = self.money.order(step.order_no)
        agreed = answered_sum(before, SumAnswer.AGREED, self.money.now)
        return stored in (before, agreed)

    def _status(self, step: Step, order: Order) -> OrderStatus:
        """Return an order's status as a move finds it: only the clock sees an overdue order's."""
        is_clock = step.actor is Actor.CLOCK
        return order.status if is_clock else order.status_at(self.money.now)

    def _allowed(self, step: Step, order: Order) -> OrderStatus | None:
        status = self._status(step, order)
        proven, late = bool(order.receipts), bool(order.late.late_proofs)
        row = row_of(order.order_type, status, proven=proven, late=late)
        lacks_sum = step.what is Move.AGREE and order.sums.reported_fen is None
        if (step.actor, step.what) not in row or lacks_sum:
            return None
        target, wait = row[step.actor, step.what]
        if status in {OrderStatus.EXPIRED, OrderStatus.CANCELLED}:
            is_expired = status is OrderStatus.EXPIRED
            ended = order.expire_time if is_expired and order.expire_time else order.since
            within = OPERATORS_LATE_SECONDS if step.actor is Actor.OPERATOR else A_DAY
            if self.money.now >= ended + within:
                return None
        if wait == WINDOW:
            over = order.expire_time is not None and self.money.now >= order.expire_time
            return target if over else None
        if self.money.now - order.since < wait:
            return None
        if step.actor is not Actor.TRADER:
            return target
        is_suspended = self.money.is_suspended(step.trader_id)
        return target if step.trader_id == order.trader_id and not is_suspended else None


def _row_of(order: Order) -> Row:
    proven, late = bool(order.receipts), bool(order.late.late_proofs)
    return row_of(order.order_type, order.status, proven=proven, late=late)


def _noted(before: Order, after: Order) -> Order:
    """Return `before`, or what it is once expired, if `after` only got a late receipt as a note."""
    expired = after if after.status is OrderStatus.EXPIRED else before
    return with_changes(expired, notes=before.dispute.notes + 1)


def _put_off(before: Order, after: Order) -> Order:
    """Return `before` as it is if `after` only postponed its next offer."""
    return with_changes(
        before,
        version=before.version + 1,
        failed_offers=before.offers.failed_offers + 1,
        next_offer_time=after.offers.next_offer_time,
    )
