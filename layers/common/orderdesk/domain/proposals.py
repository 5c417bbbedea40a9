"""Proposals: commands that one person requests and another one approves (docs/operators.md)."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.accounts import Account, TransferKind, holds_amount
from orderdesk.domain.ids import is_numbered, numbered_at
from orderdesk.domain.money import format_usdt
from orderdesk.domain.times import US_PER_SECOND

_LETTER = "P"

LIFE_SECONDS = 72 * 3600
RATE_LIFE_SECONDS = 3600
REVEAL_SECONDS = 24 * 3600
"""How long proposer and approver can read their halves of a secret that an approval made."""

NOTHING: Mapping[str, str] = MappingProxyType({})


TRANSFERS: Mapping[str, TransferKind] = MappingProxyType(
    {
        "fund.merchant": TransferKind.FUNDING,
        "fund.trader": TransferKind.FUNDING,
        "withdraw.merchant": TransferKind.WITHDRAWAL,
        "withdraw.trader": TransferKind.WITHDRAWAL,
        "fees.withdraw": TransferKind.WITHDRAWAL,
        "deposit.release": TransferKind.RELEASE,
    }
)
"""The commands that move an amount between two accounts.

The proposals of those that take from an account hold the amount on it.
"""
MONEY_COMMANDS: Mapping[str, TransferKind] = MappingProxyType(
    {**TRANSFERS, **dict.fromkeys(("order.claim", "order.reverse"), TransferKind.REVERSAL)}
)
"""Every command whose proposal is about money, and the kind of its postings."""
WITHDRAWALS = frozenset(
    command for command, kind in TRANSFERS.items() if kind is TransferKind.WITHDRAWAL
)


def life_seconds(command: str) -> int:
    """Return how long a proposal of a command is open."""
    return RATE_LIFE_SECONDS if command == "rate.set" else LIFE_SECONDS


class ProposalStatus(StrEnum):
    """The state of a proposal; only an open one can be approved.

    A payout that was approved waits for a seal of the books, and is blocked while the newest seal
    has an open finding on its account (contract section 13). A list is begun until each of its
    parts was tried; approving it again continues it.
    """

    OPEN = "open"
    APPROVED = "approved"
    BLOCKED = "blocked_by_finding"
    BEGUN = "begun"
    EXECUTED = "executed"
    REJECTED = "rejected"
    EXPIRED = "expired"

    @property
    def is_undecided(self) -> bool:
        """Whether what it holds stays held: it is open, or waits for a seal."""
        return self is ProposalStatus.OPEN or self.waits

    @property
    def waits(self) -> bool:
        """Whether it is a payout that waits for a seal."""
        return self in {ProposalStatus.APPROVED, ProposalStatus.BLOCKED}


@dataclass(frozen=True, slots=True)
class Sum:
    """The amount in micro-USDT that a command adds to an account or takes from it."""

    account: Account
    amount_micro: int

    @property
    def details(self) -> dict[str, str]:
        """The details of an audit entry about it."""
        return {"amount_usdt": format_usdt(self.amount_micro), "account": self.account.key}


@dataclass(frozen=True, slots=True)
class Whole:
    """What is written and what it replaces, with nothing masked, for the person who decides."""

    before: Mapping[str, str] = NOTHING
    after: Mapping[str, str] = NOTHING


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command will do, for the people who decide.

    `target` is the id of the subject, `reason` the proposer's text. `basis` is the state that the
    command rests on: the approval is refused if it has changed. Only `basis` may contain a hash of
    a secret, and nothing here contains a secret. `whole` has what `before` and `after` mask, and is
    kept only while the proposal is open. `request_no` is the merchant's withdrawal request
    that the command pays; the request, not the proposal, holds the amount.
    """

    target: str
    summary: str
    after: Mapping[str, str]
    before: Mapping[str, str] = NOTHING
    reason: str = ""
    basis: Mapping[str, str] = field(default=NOTHING, repr=False)
    money: Sum | None = None
    request_no: str = ""
    whole: Whole = field(default=Whole(), repr=False)


def plan_of_changes(
    target: str, name: str, old: Mapping[str, str], new: Mapping[str, str], reason: str
) -> Plan:
    """Return the plan of a merchant's or trader's changed terms; it rests on what they replace."""
    names = [each for each, value in new.items() if old[each] != value]
    before = {each: old[each] for each in names}
    return Plan(
        target=target,
        summary=f"Change {', '.join(names)} of {name}, {target}",
        before=before,
        after={each: new[each] for each in names},
        reason=reason,
        basis=before,
    )


@dataclass(frozen=True, slots=True)
class PartResult:
    """What became of one order of a list: its status, or why it could not be moved."""

    order_no: str
    status: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A planned command; `expires_at` is in Unix seconds, the other times in microseconds.

    - `parameters` is a JSON object. It and the plan's `basis` are only there while the proposal is
      open.
    - `decision` is the random token of the call that approved it.
    - `sealed` is the encrypted secret that the approval made, readable until `reveal_until` (Unix
      seconds).
    - `txid` is the transaction that paid an executed withdrawal outside.
    - `executed_at_us` is set if it was executed later than it was approved.
    - `results` are those of a list's parts.
    """

    proposal_no: str
    command: str
    parameters: str = field(repr=False)
    plan: Plan
    proposed_by: str
    proposed_at_us: int
    expires_at: int
    status: ProposalStatus = ProposalStatus.OPEN
    decided_by: str = ""
    decided_at_us: int | None = None
    reason: str = ""
    audit_id: str = ""
    decision: str = ""
    digest: str = ""
    sealed: bytes | None = field(default=None, repr=False)
    reveal_until: int = 0
    txid: str = ""
    sent_at_us: int | None = None
    executed_at_us: int | None = None
    results: tuple[PartResult, ...] = ()

    @property
    def hold(self) -> Sum | None:
        """What the proposal holds while its stored status is open, or it waits for a seal."""
        holds = self.kind is not None and holds_amount(self.kind) and not self.plan.request_no
        return self.plan.money if holds else None

    @property
    def kind(self) -> TransferKind | None:
        """The kind of its postings; None for a command that is not about money."""
        return MONEY_COMMANDS.get(self.command)

    @property
    def money(self) -> Sum:
        """The amount of a command that is about money."""
        assert self.plan.money is not None, "a command about money"
        return self.plan.money

    @property
    def takes_money(self) -> bool:
        """Whether the proposal is a withdrawal."""
        return self.command in WITHDRAWALS

    @property
    def agreed_at_us(self) -> int | None:
        """When it was approved; None if it was not, or if it was rejected afterwards."""
        is_agreed = self.status.waits or self.status is ProposalStatus.EXECUTED
        return self.decided_at_us if is_agreed else None

    @property
    def ended_at_us(self) -> int:
        """When it was executed, rejected or expired; 0 before. A payout's wait does not end it."""
        return self.executed_at_us or self.decided_at_us or 0

    def status_at(self, now: int) -> ProposalStatus:
        """Return the status at a time (Unix seconds); an expired one may not be swept yet."""
        is_over = self.status is ProposalStatus.OPEN and now >= self.expires_at
        return ProposalStatus.EXPIRED if is_over else self.status


def digest_of(proposal: Proposal) -> str:
    """Return the SHA-256 in hex of everything that an approval would execute."""
    plan, money = proposal.plan, proposal.plan.money
    seen = [
        *(proposal.proposal_no, proposal.command, proposal.parameters, proposal.proposed_by),
        *(plan.target, plan.summary, dict(plan.before), dict(plan.after), plan.reason),
        *(dict(plan.whole.before), dict(plan.whole.after), plan.request_no),
        None if money is None else [money.account.key, money.amount_micro],
    ]
    text = json.dumps(seen, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def proposal_number(at_us: int, chance: int) -> str:
    """Return a proposal_no, which grows with time; `chance` is a random int below 2^13."""
    return numbered_at(_LETTER, at_us, chance)


def is_proposal_no(text: str) -> bool:
    """Return whether a text has the format of a proposal_no."""
    return is_numbered(_LETTER, text)


def first_number(now: int) -> str:
    """Return the lowest proposal_no of a time (Unix seconds)."""
    return proposal_number(now * US_PER_SECOND, 0)


def rejected(proposal: Proposal, by: str, at_us: int, reason: str) -> Proposal:
    """Return the rejected proposal."""
    return replace(
        _ended(proposal, ProposalStatus.REJECTED), decided_by=by, decided_at_us=at_us, reason=reason
    )


def expired(proposal: Proposal, at_us: int) -> Proposal:
    """Return the expired proposal."""
    return replace(_ended(proposal, ProposalStatus.EXPIRED), decided_at_us=at_us)


def _ended(proposal: Proposal, status: ProposalStatus) -> Proposal:
    assert proposal.status.is_undecided
    plan = replace(proposal.plan, basis=NOTHING, whole=Whole())
    return replace(proposal, status=status, parameters="", plan=plan)
