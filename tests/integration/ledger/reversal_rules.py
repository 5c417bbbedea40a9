"""The money machine's reversals: whole, in parts, without enough USDT, interleaved and killed."""

from collections.abc import Callable
from contextlib import suppress

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from orderdesk.domain.operators import BalanceTooLow, OperatorRefusal
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import (
    InsufficientBalance,
    NotRefundable,
    OpenLimitReached,
    RefusedByDesk,
    StateConflict,
)
from orderdesk.domain.orders.refunds import refundable_fen
from orderdesk.services.operator.reversals import Verdict
from tests.integration.ledger.proposal_rules import ProposalRules
from tests.support.faults import Killed, killed_at
from tests.support.money_world import MoneyWorld

# Read the order and its accounts, gather, commit.
REQUESTS = 9


class ReversalRules(ProposalRules):
    """Rules for operators who reverse completed orders."""

    def __init__(self, begin: Callable[[], MoneyWorld]) -> None:
        super().__init__(begin)
        self.numbers: list[str] = []

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), share=st.sampled_from([1, 2, 3, 0]), meets=st.booleans())
    def reverse(self, data: st.DataObject, share: int, *, meets: bool) -> None:
        """Reverse a share of what is left, all, or (`share` 0) too much; or two at once."""
        number = data.draw(st.sampled_from(self.numbers))
        before = self.money.order(number)
        left = before.quote.usdt_micro - before.reversed_micro
        asked = left // share if share else left + 1

        def reverse_once() -> None:
            with suppress(BalanceTooLow):
                self.money.reverse(number, asked)

        self.money.before_reverse.then = reverse_once if meets else None
        try:
            self.money.reverse(number, asked)
        except (OperatorRefusal, StateConflict):
            pass
        else:
            assert before.status is OrderStatus.COMPLETED
            assert share
        self.money.before_reverse.then = None
        after = self.money.order(number)
        done = after.reversed_micro - before.reversed_micro
        assert 0 <= done <= min(left, asked * (2 if meets else 1))
        assert (after.status, after.timeline) == (before.status, before.timeline)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), fen=st.sampled_from([1_01, 333_33, 9_876_54]), meets=st.booleans())
    def refund(self, data: st.DataObject, fen: int, *, meets: bool) -> None:
        """Refund a completed buy: exactly what it may refund, also beside another refund."""
        buy = self.money.order(data.draw(st.sampled_from(self.numbers)))

        def sell() -> None:
            with suppress(NotRefundable, InsufficientBalance, OpenLimitReached, RefusedByDesk):
                self.numbers.append(self.money.refund(buy, fen))

        self.money.before_sell.then = sell if meets else None
        count = len(self.numbers)
        sell()
        self.money.before_sell.then = None
        assert len(self.numbers) == count or buy.status is OrderStatus.COMPLETED
        if refundable_fen(buy) < fen:
            assert len(self.numbers) == count

    @precondition(lambda self: self.numbers)
    @rule(
        data=st.data(),
        number=st.integers(0, REQUESTS),
        when=st.sampled_from(["before-call", "after-call"]),
    )
    def reverse_and_die(self, data: st.DataObject, number: int, when: str) -> None:
        order_no = data.draw(st.sampled_from(self.numbers))
        before = self.money.order(order_no)
        with (
            suppress(Killed, OperatorRefusal, StateConflict),
            killed_at(self.money.seed, number, when),
        ):
            self.money.reverse(order_no)
        after = self.money.order(order_no)
        assert len(after.undone.reversals) - len(before.undone.reversals) in {0, 1}

    def claims(self) -> list[tuple[str, str]]:
        """Return the ended sells with a late proof that nobody has decided, and whose it is."""
        orders = [self.money.order(number) for number in self.numbers]
        return [(each.order_no, late.trader_id) for each in orders for late in each.open_claims]

    @precondition(lambda self: self.claims())
    @rule(data=st.data(), verdict=st.sampled_from(Verdict), number=st.integers(-1, REQUESTS))
    def decide_claim(self, data: st.DataObject, verdict: Verdict, number: int) -> None:
        """Decide a late proof, and perhaps die; then do it again."""
        order_no, trader_id = data.draw(st.sampled_from(self.claims()))
        before = self.money.order(order_no)
        with (
            suppress(Killed, OperatorRefusal, NotRefundable),
            killed_at(self.money.seed, number, "after-call"),
        ):
            self.money.claim(order_no, trader_id, verdict)
        with suppress(OperatorRefusal, NotRefundable):
            self.money.claim(order_no, trader_id, verdict)
        after = self.money.order(order_no)
        assert (after.status, after.timeline) == (before.status, before.timeline)
        assert len(after.late.claims) - len(before.late.claims) in {0, 1}
        assert len([each for each in after.late.claims if each.is_paid]) <= 1
