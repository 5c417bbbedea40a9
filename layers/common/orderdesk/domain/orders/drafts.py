"""Drafts: buy orders that wait for the customer's identity (contract sections 4, 6 and 8).

A draft has one attempt. It is taken before the call of the provider, returned if the provider does
not answer, and used up otherwise. Each function returns the draft after a step. A step is written
only if the draft did not change since it was read (`version`).
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.orders.order import NOTHING_GIVEN, GivenValues, IdentityRecord
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import Mode

DRAFT_LETTER = "D"

# No function runs this long, so an older attempt belongs to a process that ended.
ATTEMPT_TIMEOUT_SECONDS = 60


class DraftStatus(StrEnum):
    HELD = "held"
    LOCKED = "locked"
    EXPIRED = "expired"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class Draft:
    """A held buy order: the merchant's request, kept until the customer's identity is verified.

    `attempt_time` is set during the call of the provider. `identity` is set once the provider
    confirmed it. Times are in Unix seconds.
    """

    pending_no: str
    merchant_id: str
    merchant_order_no: str | None
    mode: Mode
    status: DraftStatus
    cny_fen: int
    method_type: MethodType
    createtime: int
    updatetime: int
    expire_time: int
    identity_token_hash: str = field(repr=False)
    sequence: int = 1
    version: int = 1
    order_no: str | None = None
    attempt_time: int | None = None
    identity: IdentityRecord | None = None
    max_discount_fen: int = 0
    given: GivenValues = NOTHING_GIVEN
    customer_hash: str | None = field(default=None, repr=False)

    def status_at(self, now_seconds: int) -> DraftStatus:
        """Return the status as of a time: a held draft past its expire_time counts as expired."""
        if self.status is DraftStatus.HELD and now_seconds >= self.expire_time:
            return DraftStatus.EXPIRED
        return self.status

    def is_verifying_at(self, now_seconds: int) -> bool:
        """Return whether a process that may still run is calling the provider."""
        return (
            self.attempt_time is not None
            and now_seconds < self.attempt_time + ATTEMPT_TIMEOUT_SECONDS
        )

    @property
    def due_time(self) -> int | None:
        """When the sweep must process the draft (Unix seconds); None once it has ended."""
        if self.status is not DraftStatus.HELD:
            return None
        if self.attempt_time is None:
            return self.expire_time
        return min(self.expire_time, self.attempt_time + ATTEMPT_TIMEOUT_SECONDS)


@dataclass(frozen=True, slots=True)
class Reservation:
    """The owner of a merchant_order_no: permanently an order, or a draft until `expire_time`.

    `fingerprint` is that of the owner's request; None on records from before fingerprints. `mode`
    is the owner's; None on records from before test keys.
    """

    order_no: str | None
    pending_no: str | None
    expire_time: int | None
    fingerprint: str | None
    mode: Mode | None

    def holds_at(self, now: int) -> bool:
        """Return whether the number is taken at a time (Unix seconds)."""
        return self.expire_time is None or now < self.expire_time


def take_attempt(draft: Draft, now: int) -> Draft:
    """Start the one attempt, also after a process that ended without a result."""
    return _changed(draft, now, attempt_time=now)


def give_attempt_back(draft: Draft, now: int) -> Draft:
    """Allow another attempt: the provider did not answer, or the process ended."""
    return _changed(draft, now)


def verified(
    draft: Draft, record: IdentityRecord, now: int, customer_hash: str | None = None
) -> Draft:
    """Record that the identity was verified. The draft still needs a trader.

    `customer_hash` finds the customer's day, where the desk limits it.
    """
    return replace(_changed(draft, now), identity=record, customer_hash=customer_hash)


def locked(draft: Draft, now: int) -> Draft:
    """End the draft: its only attempt failed."""
    return _ended(draft, DraftStatus.LOCKED, now)


def expired(draft: Draft, now: int) -> Draft:
    """End the draft: its expire_time has passed."""
    return _ended(draft, DraftStatus.EXPIRED, now)


def completed(draft: Draft, order_no: str, now: int) -> Draft:
    """End the draft: its order exists."""
    return replace(_ended(draft, DraftStatus.COMPLETED, now), order_no=order_no)


def _ended(draft: Draft, status: DraftStatus, now: int) -> Draft:
    record = None if draft.identity is None else draft.identity.masked
    ended = replace(_changed(draft, now), identity=record)
    return replace(ended, status=status, sequence=draft.sequence + 1)


def _changed(draft: Draft, now: int, attempt_time: int | None = None) -> Draft:
    version = draft.version + 1
    return replace(draft, version=version, updatetime=now, attempt_time=attempt_time)
