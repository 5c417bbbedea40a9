"""Drafts: buy orders that wait for the customer's identity (contract sections 4 and 6)."""

from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType

DRAFT_LETTER = "D"


class DraftStatus(StrEnum):
    """Where a draft stands."""

    HELD = "held"
    LOCKED = "locked"
    EXPIRED = "expired"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class Draft:
    """A held buy order: what the merchant asked for, kept until the customer proves identity."""

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
    callback_url: str | None = field(default=None, repr=False)
    remark: str | None = field(default=None, repr=False)
    order_no: str | None = None

    def status_at(self, now_seconds: int) -> DraftStatus:
        """Give the status as of a time: a held draft past its life counts as expired at once."""
        if self.status is DraftStatus.HELD and now_seconds >= self.expire_time:
            return DraftStatus.EXPIRED
        return self.status
