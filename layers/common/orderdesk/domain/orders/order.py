"""Orders: their statuses and their stored fields (contract sections 5 and 6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import BaseRate, ByType, FeePolicy, Mode, OrderType, Quote
from orderdesk.domain.pricing import quote as priced

BUY_LETTER = "B"
SELL_LETTER = "S"

# The part of a trader's slots that one merchant's orders may take, in percent.
DEFAULT_SLOT_SHARE = 50


class OrderStatus(StrEnum):
    """The status of an order (contract section 6)."""

    PENDING = "pending"
    PAID = "paid"
    MATCHING = "matching"
    ASSIGNED = "assigned"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    DISPUTED = "disputed"

    @property
    def is_open(self) -> bool:
        """Whether an order in this status holds USDT."""
        return _FACTS[self].is_open

    @property
    def takes_receipts(self) -> bool:
        """Whether a receipt is accepted, from a buy's payer or a sell's trader."""
        return _FACTS[self].takes_receipts


class ByStatus[T]:
    """One value for each status; a missing one is a type error."""

    def __init__(
        self,
        *,
        pending: T,
        paid: T,
        matching: T,
        assigned: T,
        completed: T,
        cancelled: T,
        expired: T,
        disputed: T,
    ) -> None:
        def of(status: OrderStatus) -> T:  # noqa: PLR0911 - one for each
            match status:
                case OrderStatus.PENDING:
                    return pending
                case OrderStatus.PAID:
                    return paid
                case OrderStatus.MATCHING:
                    return matching
                case OrderStatus.ASSIGNED:
                    return assigned
                case OrderStatus.COMPLETED:
                    return completed
                case OrderStatus.CANCELLED:
                    return cancelled
                case OrderStatus.EXPIRED:
                    return expired
                case OrderStatus.DISPUTED:
                    return disputed

        self._values = {status: of(status) for status in OrderStatus}

    def __getitem__(self, status: OrderStatus) -> T:
        return self._values[status]


class _Facts(NamedTuple):
    is_open: bool = True
    takes_receipts: bool = False
    has_window: bool = False


_FACTS = ByStatus(
    pending=_Facts(takes_receipts=True, has_window=True),
    paid=_Facts(takes_receipts=True),
    matching=_Facts(),
    assigned=_Facts(takes_receipts=True, has_window=True),
    completed=_Facts(is_open=False),
    cancelled=_Facts(is_open=False),
    expired=_Facts(is_open=False),
    disputed=_Facts(),
)

FIRST_STATUS = ByType(buy=OrderStatus.PENDING, sell=OrderStatus.MATCHING)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A status, since when (Unix seconds), and which actor moved the order; "" for its creation.

    `by` is the value of an Actor (domain/orders/transitions.py).
    """

    status: OrderStatus
    time: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class IdentityRecord:
    """The stored result of a verification: the outcome, the provider's reference, masked values.

    `open_name` is a buy's payer, whose whole name its trader compares with the transfer's. It is ""
    once the order or draft has ended, and for a sell (decision 55).
    """

    outcome: str
    provider: str
    reference: str
    masked_name: str = field(repr=False)
    masked_id_card: str = field(repr=False)
    masked_mobile: str = field(repr=False)
    open_name: str = field(default="", repr=False)

    @property
    def masked(self) -> "IdentityRecord":
        """The record without the whole name."""
        return replace(self, open_name="") if self.open_name else self


MAX_RECEIPTS = 5

# Payer and merchant may dispute after 30 minutes. After 24 hours the order is disputed
# automatically (contract section 6).
DISPUTE_AFTER_SECONDS = 1800
UNCONFIRMED_SECONDS = 86_400
# A payer can send a receipt for 24 hours after the order expired.
LATE_SECONDS = 86_400
# An operator can dispute an ended buy for 7 days, on a late payment.
OPERATORS_LATE_SECONDS = 7 * 86_400
# Afterwards support may decide a dispute without the answer to its question.
ANSWER_SECONDS = 86_400


class SumAnswer(StrEnum):
    """What a buy's payer answered to a different sum that its trader reported."""

    AGREED = "agreed"
    OBJECTED = "objected"


@dataclass(frozen=True, slots=True)
class Receipt:
    """A proof of transfer in the private bucket; `time` is in Unix seconds.

    `key` is the prefix of its pictures' keys (domain/receipts/places.py). Type and size are those
    of the uploaded file; `pages` is how many of its pages are drawn.
    """

    key: str
    content_type: str
    size_bytes: int
    time: int
    pages: int = 1


REVERSALS_MAX = 20
REVERSAL_SECONDS = 180 * 86_400
"""How long after its completion an order can be reversed."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """A part of a completed order that was undone, in micro-USDT of its `usdt_amount`.

    `number` is that of the proposal, or of the audit entry if one person decided; `time` is in Unix
    seconds.
    """

    number: str
    time: int
    usdt_micro: int


RETURNS_MAX = 3
# How long the trader that a sell was taken back from can hand in a proof.
LATE_PROOF_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Return:
    """A trader that a sell was taken back from, and when (Unix seconds).

    `sequence` was the order's while the trader had it; the keys of its uploads have it.
    """

    trader_id: str
    time: int
    sequence: int


@dataclass(frozen=True, slots=True)
class LateProof:
    """A proof of payment of a trader that a sell was taken back from."""

    trader_id: str
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class DecidedClaim:
    """What two people decided about a late proof of a sell that had ended.

    `number` is that of the proposal, or of the audit entry if one person decided; `time` is in Unix
    seconds. If it `is_paid`, the trader got the order's USDT.
    """

    number: str
    time: int
    trader_id: str
    is_paid: bool


@dataclass(frozen=True, slots=True)
class Refund:
    """A sell that refunds a buy, and its amount in fen."""

    order_no: str
    cny_fen: int


@dataclass(frozen=True, slots=True)
class OrderSums:
    """Other amounts than that of `quote`, in fen; None if there is none.

    `requested_fen` is what the merchant asked for, if it allowed a discount. If another sum
    completed the order, it is set as well, and `held_fen` is what the order held USDT for.
    `reported_fen` is the different sum that its trader reported, `sum_answer` what its payer
    answered; None is an objection (domain/orders/other_sums.py).
    """

    requested_fen: int | None = None
    reported_fen: int | None = None
    sum_answer: SumAnswer | None = None
    held_fen: int | None = None


@dataclass(frozen=True, slots=True)
class DisputeState:
    """What a dispute waits for; `notes` counts its notes (domain/orders/notes.py).

    `payer_asked_at`, `trader_asked_at`: when an operator asked the question that it has not yet
    answered (Unix seconds), or None. The trader's also is when another began the dispute.
    """

    notes: int = 0
    payer_asked_at: int | None = None
    trader_asked_at: int | None = None


@dataclass(frozen=True, slots=True)
class SellOffers:
    """How a sell is offered to traders; times in Unix seconds.

    - `passed_over` lists the traders that returned it, the latest last.
    - `failed_offers` counts the offers that no trader fitted; the next is at `next_offer_time`.
    - `assignable_from`: not before, because the secret that signed it was too young; or None.
    """

    passed_over: tuple[str, ...] = ()
    failed_offers: int = 0
    next_offer_time: int | None = None
    assignable_from: int | None = None


@dataclass(frozen=True, slots=True)
class LateProofs:
    """What traders sent that a sell was taken back from; the latest last.

    `returns` are the last RETURNS_MAX lapses and unassignments, `late_proofs` what these traders
    sent while another trader had the sell, or after its end, and `claims` the decisions.
    """

    returns: tuple[Return, ...] = ()
    late_proofs: tuple[LateProof, ...] = ()
    claims: tuple[DecidedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenValues:
    """What the merchant sent for itself with the request; None if it sent none.

    `return_url` is where the pages send the payer back to; `metadata` are texts by name.
    """

    callback_url: str | None = field(default=None, repr=False)
    return_url: str | None = field(default=None, repr=False)
    remark: str | None = field(default=None, repr=False)
    metadata: Mapping[str, str] | None = field(default=None, repr=False)


NOTHING_GIVEN = GivenValues()


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """Where an order and its money are counted.

    - `open_shard` is the counter that counts it among its merchant's open buys or sells. A sell's
      is the shard of its balance.
    - `balance_shard` is the shard of its merchant's accounts with its money; None means 0.
    - `slot_share` is the percentage of a trader's slots that its merchant's orders could have at
      its creation. `in_slot`: its trader, which had a cap, counts it among its merchant's slots.
    - `unique_amount`: it is in the record of its amount (domain/orders/amounts.py).
    """

    open_shard: int = 0
    balance_shard: int | None = None
    slot_share: int = DEFAULT_SLOT_SHARE
    in_slot: bool = False
    unique_amount: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """What was paid back of a completed order; the latest last.

    `reversals` are its parts that were undone, and `refunds` the sells that refund a buy: those
    that are not cancelled. `refund_of` is the buy that a sell refunds.
    """

    reversals: tuple[Reversal, ...] = ()
    refund_of: str | None = None
    refunds: tuple[Refund, ...] = ()


@dataclass(frozen=True, slots=True)
class PayPage:
    """How a buy's payer opens its page, and what the page asks.

    `receipt_required`: it can be reported as paid only with a receipt. `payee_stopped_at`: when its
    trader's account was stopped while it was pending or paid (Unix seconds); do not pay any more.
    """

    pay_token_hash: str | None = field(default=None, repr=False)
    receipt_required: bool = False
    payee_stopped_at: int | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """An order as stored; times in Unix seconds, amounts in `quote`, which `fees` computed.

    A buy has a trader, the trader's method and a pay page. A sell has the customer's method.

    - `sequence` grows with every move, `version` with every change.
    - `expire_time` is the end of the payer's or the trader's last window, or None.
    - `pending_no` is the draft that the order was created from.
    - `receipts` are the payer's for a buy and the trader's for a sell.
    """

    order_id: int
    order_no: str
    merchant_id: str
    merchant_order_no: str | None
    order_type: OrderType
    mode: Mode
    status: OrderStatus
    quote: Quote
    base_rate: BaseRate
    fees: FeePolicy
    createtime: int
    updatetime: int
    expire_time: int | None
    timeline: tuple[TimelineEntry, ...]
    payment_method: PaymentMethod
    sequence: int = 1
    version: int = 1
    trader_id: str | None = None
    identity: IdentityRecord | None = None
    receipts: tuple[Receipt, ...] = ()
    pending_no: str | None = None
    given: GivenValues = NOTHING_GIVEN
    pay_page: PayPage = PayPage()
    sums: OrderSums = OrderSums()
    offers: SellOffers = SellOffers()
    counted: OrderCounts = OrderCounts()
    dispute: DisputeState = DisputeState()
    late: LateProofs = LateProofs()
    undone: Undone = Undone()

    @property
    def held_quote(self) -> Quote:
        """The amounts that the order holds, or held while it was open.

        They are not those of `quote` if another sum completed the order.
        """
        if self.sums.held_fen is None:
            return self.quote
        return priced(self.order_type, self.sums.held_fen, self.base_rate.rate_e4, self.fees)

    @property
    def needs_receipt(self) -> bool:
        """Whether the payer can report the payment only with a receipt."""
        return self.pay_page.receipt_required or self.pay_page.payee_stopped_at is not None

    @property
    def asked_fen(self) -> int:
        """The amount that the merchant asked for, in fen."""
        return self.quote.cny_fen if self.sums.requested_fen is None else self.sums.requested_fen

    @property
    def transfer_remark(self) -> str | None:
        """What the payer of a buy writes in the transfer's remark; None for a sell."""
        match self.order_type:
            case OrderType.BUY:
                return payment_reference(self.order_no)
            case OrderType.SELL:
                return None

    @property
    def reversed_micro(self) -> int:
        """How much of its `usdt_amount` was undone, in micro-USDT."""
        return sum(part.usdt_micro for part in self.undone.reversals)

    @property
    def open_claims(self) -> list[LateProof]:
        """The late proofs of an ended sell that nobody has decided."""
        if self.status not in {OrderStatus.COMPLETED, OrderStatus.CANCELLED}:
            return []
        decided = {self.trader_id} if self.status is OrderStatus.COMPLETED else set()
        decided |= {each.trader_id for each in self.late.claims}
        return [each for each in self.late.late_proofs if each.trader_id not in decided]

    @property
    def paid_claim(self) -> DecidedClaim | None:
        """The claim whose trader got the order's USDT after its end; None if there is none."""
        return next((each for each in self.late.claims if each.is_paid), None)

    @property
    def merchant_claim(self) -> DecidedClaim | None:
        """The paid claim that its merchant paid, because the sell was cancelled before."""
        return self.paid_claim if self.status is OrderStatus.CANCELLED else None

    def has_late_proof_of(self, trader_id: str) -> bool:
        """Return whether a trader has handed in a late proof of a sell that it does not have."""
        proven = any(late.trader_id == trader_id for late in self.late.late_proofs)
        return proven and trader_id != self.trader_id

    def claim_of(self, trader_id: str) -> DecidedClaim | None:
        """Return what was decided about a trader's late proof; None if nothing."""
        return next((each for each in self.late.claims if each.trader_id == trader_id), None)

    @property
    def shard(self) -> int:
        """The shard of its merchant's balances with the order's money."""
        return self.counted.balance_shard or 0

    @property
    def since(self) -> int:
        """When the order got its status (Unix seconds)."""
        return self.timeline[-1].time

    def status_at(self, now_seconds: int) -> OrderStatus:
        """Return the status as of a time: a pending order past its window counts as expired."""
        if self.status is not OrderStatus.PENDING or self.expire_time is None:
            return self.status
        return OrderStatus.PENDING if now_seconds < self.expire_time else OrderStatus.EXPIRED

    def deadline(self, status: OrderStatus) -> int | None:
        """Return when the payer's or the trader's window ends (Unix seconds) in a status.

        None where no window runs; `expire_time` keeps the last one (contract section 4).
        """
        return self.expire_time if _FACTS[status].has_window else None

    @property
    def due_time(self) -> int | None:
        """When the sweep must process the order, or from when a matching sell may be offered.

        In Unix seconds. None if the order has ended, or if only an operator can move it.
        """
        match self.status:
            case OrderStatus.PENDING | OrderStatus.ASSIGNED:
                return self.expire_time
            case OrderStatus.PAID:
                return self.since + self.unconfirmed_seconds
            case OrderStatus.MATCHING:
                offered = (
                    self.since
                    if self.offers.next_offer_time is None
                    else self.offers.next_offer_time
                )
                return max(offered, self.offers.assignable_from or 0)
            case (
                OrderStatus.COMPLETED
                | OrderStatus.CANCELLED
                | OrderStatus.EXPIRED
                | OrderStatus.DISPUTED
            ):
                return None

    @property
    def unconfirmed_seconds(self) -> int:
        """After how long a paid buy is disputed: at once if its account was stopped."""
        return UNCONFIRMED_SECONDS if self.pay_page.payee_stopped_at is None else 0

    def hold_left(self, now_seconds: int) -> int:
        """Return for how many more seconds a sell must not be assigned; 0 if it may be."""
        return max(0, (self.offers.assignable_from or 0) - now_seconds)

    @property
    def claimed_at(self) -> int:
        """When the present trader took the order (Unix seconds)."""
        taken = [e.time for e in self.timeline if e.status is OrderStatus.ASSIGNED]
        return taken[-1] if taken else self.createtime

    def returned_from(self, trader_id: str | None, now: int) -> Return | None:
        """Return the latest return from a trader that can still hand in a proof; None if none.

        A trader that has the order needs no return. `now` in Unix seconds.
        """
        latest = [each for each in self.late.returns if each.trader_id == trader_id][-1:]
        in_time = [each for each in latest if now < each.time + LATE_PROOF_SECONDS]
        return in_time[0] if in_time and trader_id != self.trader_id else None

    @property
    def opened_at(self) -> int:
        """When the order was last opened: created, or disputed after its end (Unix seconds)."""
        was_open, opened = False, self.createtime
        for entry in self.timeline:
            if entry.status.is_open and not was_open:
                opened = entry.time
            was_open = entry.status.is_open
        return opened

    def since_disputed_by(self, actor: str) -> bool:
        """Return whether the order is disputed, and an actor (the value of an Actor) began it."""
        last = self.timeline[-1]
        return last.status is OrderStatus.DISPUTED and last.by == actor

    @property
    def was_disputed(self) -> bool:
        """Whether the order was ever disputed."""
        return any(entry.status is OrderStatus.DISPUTED for entry in self.timeline)
