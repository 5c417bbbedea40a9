"""Proposals: commands that one person requests and another one approves (docs/operators.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.ids import is_numbered, numbered, time_ordered_id
from orderdesk.domain.ledger.accounts import Account, AccountKind, Posting, Transfer, TransferKind
from orderdesk.domain.times import US_PER_SECOND

_LETTER = "P"

LIFE_SECONDS = 72 * 3600
RATE_LIFE_SECONDS = 3600
REVEAL_SECONDS = 3600
"""How long the proposer can read a secret that an approval made."""

CHANGE_PERCENT_MAX = 5
_WHOLE_PERCENT = 100
_US_PER_MS = 1_000

NOTHING: Mapping[str, str] = MappingProxyType({})


class TwoPersonCommand(StrEnum):
    """The commands that can need a second person."""

    WITHDRAW_MERCHANT = "withdraw.merchant"
    WITHDRAW_TRADER = "withdraw.trader"
    FUND_MERCHANT = "fund.merchant"
    FUND_TRADER = "fund.trader"
    ROTATE_SECRET = "merchant.rotate-secret"  # noqa: S105 a command
    INVITE_MEMBER = "merchant.invite"
    SET_MERCHANT = "merchant.set"
    ADD_METHOD = "trader.add-method"
    REMOVE_METHOD = "trader.remove-method"
    RESET_CODE = "trader.reset-code"
    SET_RATE = "rate.set"

    @property
    def life_seconds(self) -> int:
        """How long a proposal of the command is open."""
        return RATE_LIFE_SECONDS if self is TwoPersonCommand.SET_RATE else LIFE_SECONDS

    @property
    def takes_money(self) -> bool:
        """Whether a proposal of the command holds its amount on the account."""
        return self in {TwoPersonCommand.WITHDRAW_MERCHANT, TwoPersonCommand.WITHDRAW_TRADER}


class ProposalStatus(StrEnum):
    """The state of a proposal; only an open one can be decided."""

    OPEN = "open"
    EXECUTED = "executed"
    REJECTED = "rejected"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Sum:
    """The amount in micro-USDT that a command adds to an account or takes from it."""

    account: Account
    amount_micro: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command will do, for the people who decide.

    `target` is the id of the subject, `reason` the proposer's text. `basis` is the state that the
    command rests on: the approval is refused if it has changed. Only `basis` may contain a hash of
    a secret, and nothing here contains a secret. `request_no` is the merchant's withdrawal request
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


@dataclass(frozen=True, slots=True)
class Proposal:
    """A planned command; `expires_at` is in Unix seconds, the other times in microseconds.

    - `parameters` is a JSON object. It and the plan's `basis` are only there while the proposal is
      open.
    - `decision` is the random token of the call that approved it.
    - `sealed` is the encrypted secret that the approval made, readable until `reveal_until` (Unix
      seconds).
    - `txid` is the transaction that paid an executed withdrawal outside.
    """

    proposal_no: str
    command: TwoPersonCommand
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
    sealed: bytes | None = field(default=None, repr=False)
    reveal_until: int = 0
    txid: str = ""
    sent_at_us: int | None = None

    @property
    def hold(self) -> Sum | None:
        """What the proposal holds while its stored status is open."""
        is_of_request = bool(self.plan.request_no)
        return self.plan.money if self.command.takes_money and not is_of_request else None

    def status_at(self, now: int) -> ProposalStatus:
        """Return the status at a time (Unix seconds); an expired one may not be swept yet."""
        is_over = self.status is ProposalStatus.OPEN and now >= self.expires_at
        return ProposalStatus.EXPIRED if is_over else self.status


def proposal_number(at_us: int, chance: int) -> str:
    """Return a proposal_no, which grows with time; `chance` is a random int below 2^13."""
    identifier = time_ordered_id(at_us // _US_PER_MS, chance)
    return numbered(_LETTER, identifier, at_us // US_PER_SECOND)


def is_proposal_no(text: str) -> bool:
    """Return whether a text has the format of a proposal_no."""
    return is_numbered(_LETTER, text)


def first_number(now: int) -> str:
    """Return the lowest proposal_no of a time (Unix seconds)."""
    return proposal_number(now * US_PER_SECOND, 0)


def rejected(proposal: Proposal, by: str, at_us: int, reason: str) -> Proposal:
    """Return the rejected proposal."""
    return replace(
        _ended(proposal, ProposalStatus.REJECTED),
        decided_by=by,
        decided_at_us=at_us,
        reason=reason,
    )


def expired(proposal: Proposal, at_us: int) -> Proposal:
    """Return the expired proposal."""
    return replace(_ended(proposal, ProposalStatus.EXPIRED), decided_at_us=at_us)


def _ended(proposal: Proposal, status: ProposalStatus) -> Proposal:
    assert proposal.status is ProposalStatus.OPEN
    plan = replace(proposal.plan, basis=NOTHING)
    return replace(proposal, status=status, parameters="", plan=plan)


def payout(money: Sum, *, transfer_id: str, at_us: int, memo: str) -> Transfer:
    """Create the transfer of a withdrawal, from an account to outside."""
    outside = Account(AccountKind.FUNDING, "", money.account.mode)
    return Transfer(
        transfer_id=transfer_id,
        kind=TransferKind.WITHDRAWAL,
        at_us=at_us,
        memo=memo,
        postings=(
            Posting(money.account, -money.amount_micro),
            Posting(outside, money.amount_micro),
        ),
    )


def is_far_from(value: int, base: int) -> bool:
    """Return whether a value differs by more than 5 % from its base; any value does from 0."""
    return abs(value - base) * _WHOLE_PERCENT > abs(base) * CHANGE_PERCENT_MAX
