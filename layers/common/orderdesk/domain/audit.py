"""Audit entries: who did what to which subject, when and why (contract section 9).

They record operators' actions and traders' changes of their own settings.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal

from orderdesk.domain.errors import CommitLost
from orderdesk.domain.times import US_PER_SECOND

DESK_ACTION = "desk."
"""The prefix of an action name for a trader's change of its own settings."""

_MONTHS_A_YEAR = 12
_ID_BOUND = 1 << 40
_ID_DIGITS = 10


class DecisionLost(CommitLost):
    """The proposal was not open any more when its execution was written."""


class KeyUsed(CommitLost):
    """Another request with the same idempotency key was committed first."""


@dataclass(frozen=True, slots=True)
class Execution:
    """The decision that executes a proposal, written in the transaction of its audit entry.

    `token` names the call. `status` is the proposal's afterwards: `approved` for a payout that
    waits for a seal, `begun` for a list whose parts follow. `sealed` is an encrypted secret, for
    the proposer to read until `reveal_until` (Unix seconds).
    """

    proposal_no: str
    token: str
    sealed: bytes | None = field(default=None, repr=False)
    reveal_until: int = 0
    status: Literal["executed", "approved", "begun"] = "executed"


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The ids that a repeated request receives, written in the transaction of its audit entry.

    `digest` is of the command and its parameters; `expires_at` is in Unix seconds.
    """

    person: str
    key: str
    digest: str
    ids: Mapping[str, str]
    expires_at: int


@dataclass(frozen=True, slots=True)
class Hands:
    """One person's part in what happened to a merchant, trader or order; times in Unix seconds."""

    subject: str
    person: str
    until: int


@dataclass(frozen=True, slots=True)
class Spending:
    """What one person decides alone on a trading day, in micro-USDT, and the most of it."""

    day: int
    amount_micro: int
    most_micro: int


@dataclass(frozen=True, slots=True)
class Solo:
    """What the transaction of a single person's entry requires.

    The person's hands are on none of the subjects, and the sum that it decided alone on the day
    stays within its limit.
    """

    person: str
    clear_of: tuple[str, ...] = ()
    spends: Spending | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One action; `at_us` is in Unix microseconds.

    `who` is a person, or `trader:<trader_id>`. Only an operator's entry has an `arn`.
    `action` is the command (`merchant.suspend`) or the desk's form (`desk.set-limits`). `target` is
    the id of the subject. `reason` is the operator's text. `details` lists the changes; it never
    contains a secret or unmasked personal data. `alone` means that no second person was asked.
    `powers` are what the write could do (domain/authority.py). `executes`, `answers`, `leaves` and
    `solo` are further writes of the entry's transaction, and not part of it. `token` makes that
    transaction idempotent, so that it can be sent again after a time-out.
    """

    audit_id: str
    at_us: int
    who: str
    action: str
    target: str
    reason: str = ""
    details: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    arn: str = ""
    source_ip: str = ""
    request_id: str = ""
    alone: bool = False
    proposal_no: str = ""
    powers: tuple[str, ...] = ()
    executes: Execution | None = None
    answers: FirstAnswer | None = None
    leaves: tuple[Hands, ...] = ()
    solo: Solo | None = None
    token: str = ""


def trader_actor(trader_id: str) -> str:
    """Return a trader's value for `who`."""
    return f"trader:{trader_id}"


def new_audit_id(below: Callable[[int], int]) -> str:
    """Draw an entry's id; `below(n)` returns a random int in [0, n)."""
    return f"{below(_ID_BOUND):0{_ID_DIGITS}x}"


@dataclass(frozen=True, slots=True)
class Requester:
    """A merchant's person who acts, and where the request came from; `who` as in the trail."""

    merchant_id: str
    who: str
    source_ip: str
    request_id: str

    def entry(
        self,
        below: Callable[[int], int],
        at_us: int,
        action: str,
        target: str,
        details: Mapping[str, str],
        *,
        token: str,
    ) -> AuditEntry:
        """Return the entry of what this person does, with a new id."""
        return AuditEntry(
            audit_id=new_audit_id(below),
            at_us=at_us,
            who=self.who,
            action=action,
            target=target,
            details=details,
            source_ip=self.source_ip,
            request_id=self.request_id,
            token=token,
        )


def month_of(at_us: int) -> str:
    """Return the UTC month of a time as `yyyy-mm`; audit entries are partitioned by month."""
    return f"{datetime.fromtimestamp(at_us // US_PER_SECOND, UTC):%Y-%m}"


def months_between(since_us: int, until_us: int) -> Iterator[str]:
    """Yield every UTC month from one time to another, both included, oldest first."""
    first = datetime.fromtimestamp(since_us // US_PER_SECOND, UTC)
    last = datetime.fromtimestamp(until_us // US_PER_SECOND, UTC)
    first_month = first.year * _MONTHS_A_YEAR + first.month - 1
    last_month = last.year * _MONTHS_A_YEAR + last.month - 1
    for number in range(first_month, last_month + 1):
        year, month = divmod(number, _MONTHS_A_YEAR)
        yield f"{year:04d}-{month + 1:02d}"


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Return each changed value as `old → new`, by name."""
    return {
        name: f"{before.get(name, '')} → {value}"
        for name, value in after.items()
        if before.get(name, "") != value
    }
