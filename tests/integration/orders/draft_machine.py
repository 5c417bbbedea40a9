"""Drafts under any interleaving of creates, submits, provider failures, kills, clock and sweep."""

import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.orders.order_errors import MerchantOrderNoExists, NoTraderAvailable
from tests.support.draft_world import DraftWorld
from tests.support.faults import Killed

NUMBERS = ("N-1", "N-2", None)
TRADERS = 3


class DraftMachine(RuleBasedStateMachine):
    """A draft has at most one answered attempt and one order; its number and trader are held."""

    def __init__(self, begin: Callable[[], DraftWorld]) -> None:
        super().__init__()
        self.drafts = begin()
        self.traders = [self.drafts.world.add_trader(max_open=2) for _ in range(TRADERS)]
        self.pending: list[str] = []
        self.answered: Counter[str] = Counter()

    @rule(number=st.sampled_from(NUMBERS))
    def create(self, number: str | None) -> None:
        with suppress(MerchantOrderNoExists, NoTraderAvailable):
            self.pending.append(self.drafts.hold(number).draft.pending_no)

    @precondition(lambda self: self.pending)
    @rule(data=st.data(), outcome=st.sampled_from(VerificationOutcome))
    def submit(self, data: st.DataObject, outcome: VerificationOutcome) -> None:
        self._submit(data, outcome, lambda: None)

    @precondition(lambda self: self.pending)
    @rule(data=st.data(), first=st.sampled_from(VerificationOutcome))
    def submit_twice(self, data: st.DataObject, first: VerificationOutcome) -> None:
        """The second submit arrives during the first one's verification."""
        pending_no = data.draw(st.sampled_from(self.pending))
        self._submit_one(pending_no, first, lambda: self._submit_one(pending_no, first, _nothing))

    @precondition(lambda self: self.pending)
    @rule(
        data=st.data(),
        outcome=st.sampled_from(VerificationOutcome),
        seconds=st.sampled_from([5, 61, 7200]),
    )
    def submit_while_time_passes(
        self, data: st.DataObject, outcome: VerificationOutcome, seconds: int
    ) -> None:
        def pass_time_and_sweep() -> None:
            self.drafts.now += seconds
            self.drafts.sweep()

        self._submit(data, outcome, pass_time_and_sweep)

    @precondition(lambda self: self.pending)
    @rule(data=st.data())
    def submit_and_die(self, data: st.DataObject) -> None:
        def die() -> None:
            raise Killed

        self._submit(data, VerificationOutcome.PASSED, die)

    @rule(seconds=st.sampled_from([1, 30, 61, 900, 3600, 7200]))
    def wait(self, seconds: int) -> None:
        self.drafts.now += seconds

    @rule()
    def sweep(self) -> None:
        self.drafts.sweep()

    @invariant()
    def what_is_held_is_held_for_something(self) -> None:
        world = self.drafts.world
        orders_table = world.tables.orders
        drafts: list[Any] = world.items(orders_table, "draft")
        orders: list[Any] = world.items(orders_table, "order")
        made_of = Counter(order.get("pending_no") for order in orders)
        assert all(count == 1 for count in made_of.values()), "one order a draft"
        completed = {d["pending_no"]: d["order_no"] for d in drafts if d["status"] == "completed"}
        assert {o["pending_no"]: o["order_no"] for o in orders} == completed
        assert all(count <= 1 for count in self.answered.values()), "one answered attempt"
        open_orders = Counter(o["trader_id"] for o in orders if o["status"] == "pending")
        for before in self.traders:
            trader = world.trader(before.trader_id)
            assert trader.counts.open_orders == open_orders[trader.trader_id]
            counts = trader.counts
            assert counts.available_micro + counts.held_micro == before.counts.available_micro
        reservations: list[Any] = world.items(orders_table, "reservation")
        reserved = {
            r.get("pending_no") or r["order_no"]
            for r in reservations
            if r.get("expire_time", math.inf) > self.drafts.now
        }
        held = {
            d["pending_no"] for d in drafts if d["status"] == "held" and "merchant_order_no" in d
        }
        ordered = {o["order_no"] for o in orders if "merchant_order_no" in o}
        overdue = {d["pending_no"] for d in drafts if d["expire_time"] <= self.drafts.now}
        assert reserved == (held - overdue) | ordered

    def _submit(
        self, data: st.DataObject, outcome: VerificationOutcome, meanwhile: Callable[[], None]
    ) -> None:
        self._submit_one(data.draw(st.sampled_from(self.pending)), outcome, meanwhile)

    def _submit_one(
        self, pending_no: str, outcome: VerificationOutcome, meanwhile: Callable[[], None]
    ) -> None:
        verifier = self.drafts.verifier
        verifier.outcome, verifier.meanwhile = outcome, meanwhile
        before = self.drafts.drafts.draft(pending_no)
        with suppress(Killed):
            self.drafts.submit(pending_no)
        after = self.drafts.drafts.draft(pending_no)
        assert before is not None
        assert after is not None
        was_open = before.identity is None and before.status.value == "held"
        if was_open and (after.identity is not None or after.status.value == "locked"):
            self.answered[pending_no] += 1


def _nothing() -> None:
    """Do nothing meanwhile."""
