"""Commands that need two people: propose, approve, reject, reveal (docs/operators.md).

An approval runs the command itself. The audit entry of its transaction also changes the proposal
from open to executed, so a proposal is executed once and completely, or not at all.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from orderdesk.domain.audit import DecisionLost, differences
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ids import RANDOM_BITS
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    NothingToReveal,
    OperatorRefusal,
    ProposalDecided,
    SecondPersonNeeded,
    UnacceptableTerms,
    UnknownId,
    is_same_person,
    required_text_problems,
)
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    Plan,
    Proposal,
    ProposalStatus,
    TwoPersonCommand,
    first_number,
    proposal_number,
    rejected,
)
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import (
    Decision,
    GuardedCommand,
    Operator,
    ProposalNeeded,
)
from orderdesk.services.operator.funds import (
    FundMerchant,
    FundTrader,
    WithdrawMerchant,
    WithdrawTrader,
)
from orderdesk.services.operator.invitations import InviteMember
from orderdesk.services.operator.merchants import RotateSecret, SetTerms
from orderdesk.services.operator.ports import CommandPorts, Proposals, Vault
from orderdesk.services.operator.rates import SetRate
from orderdesk.services.operator.traders import AddMethod, RemoveMethod, ResetCode

PAGES_MAX = 15


def guarded_command(name: TwoPersonCommand) -> type[GuardedCommand[Any]]:  # noqa: C901, PLR0911 a row each
    """Return the class of a command."""
    match name:
        case TwoPersonCommand.WITHDRAW_MERCHANT:
            return WithdrawMerchant
        case TwoPersonCommand.WITHDRAW_TRADER:
            return WithdrawTrader
        case TwoPersonCommand.FUND_MERCHANT:
            return FundMerchant
        case TwoPersonCommand.FUND_TRADER:
            return FundTrader
        case TwoPersonCommand.ROTATE_SECRET:
            return RotateSecret
        case TwoPersonCommand.INVITE_MEMBER:
            return InviteMember
        case TwoPersonCommand.SET_MERCHANT:
            return SetTerms
        case TwoPersonCommand.ADD_METHOD:
            return AddMethod
        case TwoPersonCommand.REMOVE_METHOD:
            return RemoveMethod
        case TwoPersonCommand.RESET_CODE:
            return ResetCode
        case TwoPersonCommand.SET_RATE:
            return SetRate


def request[R](ports: CommandPorts, operator: Operator, command: GuardedCommand[R]) -> Proposal | R:
    """Execute a command, or propose it if it needs a second person.

    Raises: OperatorRefusal, TryAgain; KeyUsed for a repeated request.
    """
    try:
        return command.carry_out(ports, operator)
    except ProposalNeeded as needed:
        return _propose(ports.proposals, operator, command, needed.plan)


def _propose(
    proposals: Proposals, operator: Operator, command: GuardedCommand[Any], plan: Plan
) -> Proposal:
    def attempt() -> Proposal:
        at_us = operator.now_us()
        proposal = Proposal(
            proposal_no=proposal_number(at_us, operator.chance.below(1 << RANDOM_BITS)),
            command=command.name,
            parameters=json.dumps(command.parameters(), ensure_ascii=False),
            plan=plan,
            proposed_by=operator.who,
            proposed_at_us=at_us,
            expires_at=at_us // US_PER_SECOND + command.name.life_seconds,
        )
        details = {"status": ProposalStatus.OPEN.value, **_details(proposal)}
        number = proposal.proposal_no
        entry = operator.entry(command.name.value, plan.target, plan.reason, details, number)
        proposals.propose(proposal, entry, operator.chance.token())
        return proposal

    return operator.commit(attempt)


def _details(proposal: Proposal) -> dict[str, str]:
    """Return the details of an audit entry about a proposal, without names and accounts."""
    plan, money = proposal.plan, proposal.plan.money
    if money is not None:
        numbers = {"request_no": plan.request_no} if plan.request_no else {}
        amount = format_usdt(money.amount_micro)
        return {"amount_usdt": amount, "account": money.account.key, **numbers}
    if proposal.command in {TwoPersonCommand.SET_MERCHANT, TwoPersonCommand.SET_RATE}:
        return differences(plan.before, plan.after)
    return {}


def approve(ports: CommandPorts, operator: Operator, proposal_no: str) -> Proposal:
    """Execute an open proposal; its proposer may not. The answer has no secret.

    Raises: UnknownId, SecondPersonNeeded, ProposalDecided, BasisChanged, and the refusals of the
    command, after all of which the proposal is as it was; TryAgain, after which it may be executed.
    """
    proposal = known_proposal(ports.proposals, proposal_no)
    if is_same_person(proposal.proposed_by, operator.who):
        raise SecondPersonNeeded(proposal_no, proposal.proposed_by)
    _check_open(proposal, operator)
    command = guarded_command(proposal.command).of(json.loads(proposal.parameters))
    decision = Decision(
        proposal_no,
        proposal.plan.basis,
        operator.chance.token(),
        lambda secret: ports.vault.seal_for_proposer(proposal_no, secret),
    )
    try:
        command.carry_out(ports, replace(operator, decision=decision))
    except (DecisionLost, OperatorRefusal) as lost:
        # Another decision was first, or this call's own transaction was repeated unanswered.
        now = known_proposal(ports.proposals, proposal_no)
        if now.decision == decision.token:
            return now
        _check_open(now, operator)
        raise TryAgain if isinstance(lost, DecisionLost) else lost from None
    return known_proposal(ports.proposals, proposal_no)


def reject(proposals: Proposals, operator: Operator, proposal_no: str, reason: str) -> Proposal:
    """Reject an open proposal and release what it holds; its proposer may do so too.

    Raises: UnknownId, UnacceptableTerms, ProposalDecided, TryAgain.
    """
    problems = required_text_problems("reason", reason)
    if problems:
        raise UnacceptableTerms(problems)
    earlier: set[str] = set()

    def attempt() -> Proposal:
        before = known_proposal(proposals, proposal_no)
        if before.audit_id in earlier:
            return before  # an earlier attempt was written, but not answered
        _check_open(before, operator)
        details = {"command": before.command.value, **_details(before)}
        target = before.plan.target
        entry = operator.entry("proposal.reject", target, reason, details, proposal_no)
        earlier.add(entry.audit_id)
        after = replace(
            rejected(before, operator.who, entry.at_us, reason), audit_id=entry.audit_id
        )
        proposals.reject(after, entry, operator.chance.token())
        return after

    return operator.commit(attempt)


@dataclass(frozen=True, slots=True)
class Revealed:
    """A secret that an approval made, in plain text."""

    proposal: Proposal
    secret: str = field(repr=False)


def reveal(proposals: Proposals, vault: Vault, operator: Operator, proposal_no: str) -> Revealed:
    """Return the secret that an approved proposal made, to its proposer, for one hour.

    Each call is audited before the secret is decrypted.
    Raises: UnknownId, NothingToReveal, TryAgain.
    """

    def attempt() -> Proposal:
        proposal = known_proposal(proposals, proposal_no)
        if not is_same_person(proposal.proposed_by, operator.who):
            raise NothingToReveal(f"only {proposal.proposed_by} can read this secret")
        if proposal.sealed is None or operator.now() >= proposal.reveal_until:
            raise NothingToReveal(f"{proposal_no} has no secret that can be read now")
        details = {"command": proposal.command.value}
        repeatable = operator.without_key()
        entry = repeatable.entry("proposal.reveal", proposal.plan.target, "", details, proposal_no)
        proposals.record_reveal(proposal, entry, operator.chance.token())
        return proposal

    proposal = operator.commit(attempt)
    assert proposal.sealed is not None
    return Revealed(proposal, vault.unseal_for_proposer(proposal_no, proposal.sealed))


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """Some proposals, newest first; `following` continues the list, None ends it."""

    items: Sequence[Proposal]
    following: str | None


def list_proposals(
    proposals: Proposals,
    now: int,
    *,
    limit: int,
    after: str | None = None,
    open_only: bool = False,
    commands: Callable[[TwoPersonCommand], bool] = lambda _: True,
) -> ProposalPage:
    """Return a page of proposals, newest first; a page can be short and have a following one.

    `now` in Unix seconds. Raises: TryAgain.
    """

    def wanted(proposal: Proposal) -> bool:
        is_open = proposal.status_at(now) is ProposalStatus.OPEN
        return commands(proposal.command) and (is_open or not open_only)

    since = first_number(now - LIFE_SECONDS - 1) if open_only else ""
    found: list[Proposal] = []
    place = after
    for number, page in enumerate(proposals.newest(since, place)):
        for proposal in page:
            place = proposal.proposal_no
            if wanted(proposal):
                found.append(proposal)
                if len(found) == limit:
                    return ProposalPage(found, place)
        if number + 1 == PAGES_MAX:
            return ProposalPage(found, place)
    return ProposalPage(found, None)


def known_proposal(proposals: Proposals, proposal_no: str) -> Proposal:
    """Return a proposal's present state. Raises: UnknownId, TryAgain."""
    proposal = proposals.proposal(proposal_no)
    if proposal is None:
        raise UnknownId("proposal", proposal_no)
    return proposal


def _check_open(proposal: Proposal, operator: Operator) -> None:
    """Raise ProposalDecided if the proposal is not open, or its time is over."""
    status = proposal.status_at(operator.now())
    if status is not ProposalStatus.OPEN:
        raise ProposalDecided(proposal.proposal_no, status.value, proposal.decided_by)
