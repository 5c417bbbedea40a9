"""When an operator's move of an order needs a second person (contract section 11).

It does where the person's hands are on the order, its merchant or its trader. A resolution also
does above what one person may decide on a trading day, and for a buy with neither a receipt nor its
trader's word. The transaction checks the same again, so a race becomes a proposal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.audit import Spending
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.ledger.settlement import amount_held
from orderdesk.domain.money import format_usdt
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import trading_day
from orderdesk.services.operator.actions import Operator, Permit


@dataclass(frozen=True, slots=True)
class Record:
    """The subjects that a person's hands are on, and the micro-USDT that it decided alone."""

    touched: tuple[str, ...]
    spent_micro: int


class Records(Protocol):
    """Reads what persons had a part in."""

    def record(self, person: str, subjects: Sequence[str], day: int, now: int) -> Record:
        """Return a person's record about subjects at a time (Unix seconds). Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class OrderAuthority:
    """`solo_micro` is the deployment's SoloResolveUsdt."""

    records: Records
    solo_micro: int

    def permit(
        self,
        operator: Operator,
        order: Order,
        plan: Plan,
        *,
        trader_id: str | None,
        opens_dispute: bool = False,
        resolves: Sequence[Note] | None = None,
        beside_micro: int = 0,
    ) -> Permit:
        """Return the permit of a move; `trader_id` is who has the order or gets it.

        `resolves` are the notes of a dispute that the move ends, and `beside_micro` what the other
        parts of a list end. Raises: ProposalNeeded, BasisChanged, UnacceptableTerms, TryAgain.
        """
        opens = order.order_no if opens_dispute else ""
        if order.mode.is_test or not operator.must_propose:
            return operator.permit(plan, Effect(Power.ORDER, order.mode, opens=opens))
        now = operator.now()
        parties = [order.merchant_id, *([trader_id] if trader_id else [])]
        subjects = parties if opens_dispute else [order.order_no, *parties]
        day, amount = trading_day(now), max(amount_held(order), order.quote.trader_micro)
        record = self.records.record(operator.who, subjects, day, now)
        is_grave, spends = bool(record.touched), None
        if resolves is not None:
            spends = Spending(day, amount, self.solo_micro)
            is_over = record.spent_micro + beside_micro + amount > self.solo_micro
            is_grave = is_grave or is_over or is_without_word(order, resolves)
        effect = Effect(
            *(Power.ORDER, order.mode, is_grave, tuple(subjects)), spends=spends, opens=opens
        )
        return operator.permit(plan, effect)


def order_plan(
    order: Order, action: str, details: Mapping[str, str], reason: str, trader_id: str | None
) -> Plan:
    """Return the plan of a move; it rests on the order's status."""
    usdt = format_usdt(amount_held(order))
    summary = f"{action} {order.order_no}: {usdt} USDT, merchant {order.merchant_id}"
    return Plan(
        target=order.order_no,
        summary=f"{summary}, trader {trader_id}" if trader_id else summary,
        before={"status": details["from"]},
        after={name: value for name, value in details.items() if name != "from"},
        reason=reason,
        basis={"status": details["from"]},
    )


def is_without_word(order: Order, notes: Sequence[Note]) -> bool:
    """Return whether nobody but the payer says anything about a buy's money."""
    if order.order_type is OrderType.SELL or order.receipts:
        return False
    by_trader = any(
        entry.status is OrderStatus.DISPUTED and entry.by == Actor.TRADER.value
        for entry in order.timeline
    )
    return not (by_trader or any(note.by is Actor.TRADER for note in notes))
