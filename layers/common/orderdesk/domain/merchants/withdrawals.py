"""A merchant's withdrawal request and its states (contract section 12).

    requested ─→ approved ─→ sent
        ├──────→ rejected
        └──────→ cancelled

The amount is held while the request is `requested`. An operator takes the request up as a proposal,
and the request stays `requested` until another operator decides. If the proposal expires, the
request can be taken up again.
"""

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.ids import id_of, is_numbered, numbered, numbered_at, seconds_of
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.addresses import Network
from orderdesk.domain.modes import Mode
from orderdesk.domain.proposals import Sum

_LETTER = "W"

FORM_LIFE_SECONDS = 24 * 3600
"""How long a number can be used after it was drawn for a form."""
OPEN_REQUESTS_MAX = 20
REQUEST_ACTION = "withdrawal.request"
"""The action of a request's entry in the merchant's audit trail."""


class RequestStatus(StrEnum):
    """The state of a request."""

    REQUESTED = "requested"
    APPROVED = "approved"
    SENT = "sent"
    REJECTED = "rejected"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether an operator has something to do."""
        return self in {RequestStatus.REQUESTED, RequestStatus.APPROVED}


@dataclass(frozen=True, slots=True)
class WithdrawalRequest:
    """A request as stored; times ending in `_us` are Unix microseconds, others Unix seconds.

    - `proposal_no` is the open proposal that took it up, or the one that decided it.
    - `transfer_id` is that of the payout: the `proposal_no`, or the audit entry's id if one person
      acted alone.
    - `agreed_at_us` is when its payout was approved; it is paid once a seal proves the books.
    - `reason` is why it was rejected.
    - `sealed` is the encrypted `digest` that the portal made when the person asked; no other
      function's role can make one.
    """

    request_no: str
    merchant_id: str
    network: Network
    address: str
    label: str
    address_added_at: int
    amount_micro: int
    memo: str
    requested_by: str
    requested_at_us: int
    status: RequestStatus = RequestStatus.REQUESTED
    proposal_no: str = ""
    decided_at_us: int | None = None
    transfer_id: str = ""
    reason: str = ""
    txid: str = ""
    sent_at_us: int | None = None
    sealed: str = field(default="", repr=False)
    agreed_at_us: int | None = None

    @property
    def shown_status(self) -> RequestStatus:
        """The status that people see: approved from the approval on."""
        is_agreed = self.is_held and self.agreed_at_us is not None
        return RequestStatus.APPROVED if is_agreed else self.status

    @property
    def digest(self) -> str:
        """The SHA-256 in hex of who asked for what, to which entry of the address book."""
        asked = [
            *(self.request_no, self.merchant_id, self.network.value, self.address),
            *(self.address_added_at, self.amount_micro, self.requested_by),
        ]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    @property
    def money(self) -> Sum:
        """The amount on the merchant's live account."""
        return Sum(Account(AccountKind.MERCHANT, self.merchant_id, Mode.LIVE), self.amount_micro)

    @property
    def is_held(self) -> bool:
        """Whether the amount is held."""
        return self.status is RequestStatus.REQUESTED

    @property
    def is_paid(self) -> bool:
        """Whether it was paid out of the books."""
        return self.status in {RequestStatus.APPROVED, RequestStatus.SENT}

    @property
    def ref(self) -> str:
        """The open proposal that took it up, or the proposal or audit entry that decided it."""
        return self.transfer_id or self.proposal_no

    @property
    def is_taken_up(self) -> bool:
        """Whether a proposal about it is open."""
        return self.is_held and bool(self.proposal_no)


def request_number(at_us: int, chance: int) -> str:
    """Return a request_no, which grows with time; `chance` is a random int below 2^13."""
    return numbered_at(_LETTER, at_us, chance)


def is_request_no(text: str) -> bool:
    """Return whether a text has the format of a request_no."""
    return is_numbered(_LETTER, text)


def is_fresh(request_no: str, now: int) -> bool:
    """Return whether a number was drawn within 24 h before a time (Unix seconds)."""
    if not is_request_no(request_no):
        return False
    identifier = id_of(request_no)
    drawn = seconds_of(identifier)
    is_recent = now - FORM_LIFE_SECONDS <= drawn <= now + 1
    return is_recent and numbered(_LETTER, identifier, drawn) == request_no
