"""Commands that need two people: propose, approve, reject, reveal (docs/operators.md).

An approval runs the command itself. The audit entry of its transaction also changes the proposal
from open to executed, so a proposal is executed once and completely, or not at all.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hmac import compare_digest

from orderdesk.domain import operators
from orderdesk.domain.audit import DecisionLost, FirstAnswer, Hands, KeyUsed, differences
from orderdesk.domain.authority import HANDS_SECONDS, Effect, Power
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ids import RANDOM_BITS
from orderdesk.domain.operators import is_same_person
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    NOTHING,
    Plan,
    Proposal,
    ProposalStatus,
    digest_of,
    first_number,
    life_seconds,
    proposal_number,
    rejected,
)
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import (
    ANSWER_LIFE_SECONDS,
    Decision,
    Operator,
    ProposalNeeded,
    RequestKey,
)
from orderdesk.services.operator.ports import CommandPorts, Proposals
from orderdesk.services.ports import Slice

PAGES_MAX = 15
_IMPERSONAL = frozenset({"merchant.set", "rate.set"})
"""The commands whose values may be in the audit trail."""


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command, and its parameters as JSON text, as they were sent, with ids for names."""

    command: str
    parameters: str


def propose(ports: CommandPorts, asked: SentCommand, needed: ProposalNeeded) -> Proposal:
    """Store what a command will do, for a second person.

    Raises: UnknownId, BalanceTooLow, RequestDecided, TryAgain; KeyUsed for a repeated request.
    """
    plan, operator = needed.plan, ports.operator

    def attempt() -> Proposal:
        at_us = operator.now_us()
        proposal = Proposal(
            proposal_no=proposal_number(at_us, operator.chance.below(1 << RANDOM_BITS)),
            command=asked.command,
            parameters=asked.parameters,
            plan=plan,
            proposed_by=operator.who,
            proposed_at_us=at_us,
            expires_at=at_us // US_PER_SECOND + life_seconds(asked.command),
        )
        proposal = replace(proposal, digest=digest_of(proposal))
        details = {"status": ProposalStatus.OPEN.value, **_details(proposal)}
        permit = operator.permit(plan, Effect(Power.CONTACT))
        entry = permit.entry(asked.command, details, proposal.proposal_no)
        if needed.leaves_hands:
            hands = Hands(plan.target, operator.who, at_us // US_PER_SECOND + HANDS_SECONDS)
            entry = replace(entry, leaves=(hands,))
        ports.proposals.propose(proposal, entry)
        return proposal

    return operator.commit(attempt)


def _details(proposal: Proposal) -> dict[str, str]:
    """Return the details of an audit entry about a proposal, without names and accounts."""
    plan, money = proposal.plan, proposal.plan.money
    if money is not None:
        numbers = {"request_no": plan.request_no} if plan.request_no else {}
        return {**money.details, **numbers}
    if proposal.command in _IMPERSONAL:
        return differences(plan.before, plan.after)
    return {}


def approve(
    ports: CommandPorts,
    proposal_no: str,
    digest: str,
    run: Callable[[Operator, SentCommand], object],
) -> Proposal:
    """Execute an open proposal; its proposer may not. The answer has no secret.

    A payout of live money is only approved: it waits for a seal, unless the caller acts alone. A
    list that was begun is continued.

    `digest` is of what the approver has seen. `run` runs a command as it was sent, for an operator.
    Raises: UnknownId, SecondPersonNeeded, ProposalDecided, BasisChanged, and the refusals of the
    command, after all of which the proposal is as it was; TryAgain, after which it may be executed.
    """
    operator = ports.operator
    proposal = known_proposal(ports.proposals, proposal_no)
    if is_same_person(proposal.proposed_by, operator.who):
        text = f"{proposal_no} was proposed by {proposal.proposed_by}"
        raise operators.SecondPersonNeeded(f"{text}: another person has to approve it")
    is_begun = proposal.status is ProposalStatus.BEGUN
    if not is_begun:
        _check_open(proposal, operator)
    if not compare_digest(digest.encode(), proposal.digest.encode()):
        raise operators.BasisChanged(proposal_no, ["digest"])
    decision = Decision(
        *(proposal_no, proposal.proposed_by, proposal.plan.target, proposal.plan.basis),
        operator.chance.token(),
        lambda secret: ports.vault.seal_for_people(proposal_no, secret),
        is_begun=is_begun,
    )
    try:
        run(
            replace(operator, decision=decision), SentCommand(proposal.command, proposal.parameters)
        )
    except (DecisionLost, operators.OperatorRefusal) as lost:
        # Another decision was first, or this call's own transaction was repeated unanswered.
        now = known_proposal(ports.proposals, proposal_no)
        if now.decision == decision.token:
            return now
        _check_open(now, operator)
        raise TryAgain if isinstance(lost, DecisionLost) else lost from None
    now = known_proposal(ports.proposals, proposal_no)
    if now.status is ProposalStatus.OPEN:
        # Nothing was left to do: somebody else has done it, perhaps in another way.
        raise operators.BasisChanged(proposal_no, ["the state"])
    return now


def reject(ports: CommandPorts, proposal_no: str, reason: str) -> Proposal:
    """Reject a proposal that is open, or blocked by a finding, and release what it holds.

    Its proposer may do so too.

    Raises: UnknownId, UnacceptableTerms, ProposalDecided, TryAgain.
    """
    operators.refuse_unfit(operators.required_text_problems("reason", reason))
    operator, earlier = ports.operator, set[str]()

    def attempt() -> Proposal:
        before = known_proposal(ports.proposals, proposal_no)
        if before.audit_id in earlier:
            return before  # an earlier attempt was written, but not answered
        is_blocked = before.status is ProposalStatus.BLOCKED
        if not is_blocked:
            _check_open(before, operator)
        details = {"command": before.command, **_details(before)}
        plan = Plan(before.plan.target, f"Reject {proposal_no}", NOTHING, reason=reason)
        permit = operator.permit(plan, Effect(Power.CONTACT))
        entry = permit.entry("proposal.reject", details, proposal_no)
        earlier.add(entry.audit_id)
        after = replace(
            rejected(before, operator.who, entry.at_us, reason), audit_id=entry.audit_id
        )
        ports.proposals.reject(after, entry, is_blocked=is_blocked)
        return after

    return operator.commit(attempt)


def record_show(ports: CommandPorts, proposal: Proposal) -> None:
    """Write that a person sees an open proposal unmasked. Raises: TryAgain."""
    operator = ports.operator

    def attempt() -> None:
        plan = Plan(proposal.plan.target, f"See all of {proposal.proposal_no}", NOTHING)
        permit = operator.without_key().permit(plan, Effect(Power.CONTACT))
        details = {"command": proposal.command}
        entry = permit.entry("proposal.show", details, proposal.proposal_no)
        ports.proposals.record(entry)

    operator.commit(attempt)


@dataclass(frozen=True, slots=True)
class Revealed:
    """One half of a secret that an approval made, in plain text."""

    proposal: Proposal
    secret: str = field(repr=False)


def reveal(
    ports: CommandPorts, proposal_no: str, is_used: Callable[[Proposal, Sequence[str]], bool]
) -> Revealed:
    """Return the caller's half of a secret that an approval made, for 24 h or until it is used.

    The proposer has the first half, the approver the second. Each call is audited before the half
    is returned. Raises: UnknownId, NothingToReveal, TryAgain.
    """
    operator = ports.operator

    def attempt() -> Revealed:
        proposal = known_proposal(ports.proposals, proposal_no)
        people = [proposal.proposed_by, proposal.decided_by]
        mine = [is_same_person(each, operator.who) for each in people]
        if not any(mine):
            raise operators.NothingToReveal(
                f"only {' and '.join(filter(None, people))} can read its halves"
            )
        if proposal.sealed is None or operator.now() >= proposal.reveal_until:
            raise operators.NothingToReveal(f"{proposal_no} has no secret that can be read now")
        halves: list[str] = json.loads(ports.vault.unseal_for_people(proposal_no, proposal.sealed))
        if is_used(proposal, halves):
            raise operators.NothingToReveal(f"the secret of {proposal_no} was used or replaced")
        plan = Plan(proposal.plan.target, f"Read a half of the secret of {proposal_no}", NOTHING)
        permit = operator.without_key().permit(plan, Effect(Power.CONTACT))
        entry = permit.entry("proposal.reveal", {"command": proposal.command}, proposal_no)
        ports.proposals.record_reveal(proposal, entry)
        return Revealed(proposal, halves[mine.index(True)])

    return operator.commit(attempt)


def list_proposals(
    proposals: Proposals,
    now: int,
    *,
    limit: int,
    after: str | None = None,
    open_only: bool = False,
    commands: Collection[str] | None = None,
) -> Slice[Proposal, str]:
    """Return a page of proposals, newest first; a page can be short and have a following one.

    `now` in Unix seconds. Raises: TryAgain.
    """

    def wanted(proposal: Proposal) -> bool:
        is_open = proposal.status_at(now) is ProposalStatus.OPEN
        is_of = commands is None or proposal.command in commands
        return is_of and (is_open or not open_only)

    since = first_number(now - LIFE_SECONDS - 1) if open_only else ""
    found: list[Proposal] = []
    place = after
    for number, page in enumerate(proposals.newest(since, place)):
        for proposal in page:
            place = proposal.proposal_no
            if wanted(proposal):
                found.append(proposal)
                if len(found) == limit:
                    return Slice(found, place)
        if number + 1 == PAGES_MAX:
            return Slice(found, place)
    return Slice(found, None)


def known_proposal(proposals: Proposals, proposal_no: str) -> Proposal:
    """Return a proposal's present state. Raises: UnknownId, TryAgain."""
    return operators.known(proposals.proposal(proposal_no), "proposal", proposal_no)


def _check_open(proposal: Proposal, operator: Operator) -> None:
    """Raise ProposalDecided if the proposal is not open, or its time is over."""
    status = proposal.status_at(operator.now())
    if status is not ProposalStatus.OPEN:
        raise operators.ProposalDecided(proposal.proposal_no, status.value, proposal.decided_by)


@dataclass(frozen=True, slots=True)
class Repeated:
    """The request was committed before: the ids of its first answer."""

    ids: Mapping[str, str]


def once[T](answers: Proposals, operator: Operator, act: Callable[[Operator], T]) -> T | Repeated:
    """Act, or return the ids of the first answer to the same request of the last 24 hours.

    A request without a key, that changed nothing, or that took several writes, has no stored ids:
    it runs again, which is safe. Raises: IdempotencyConflict, TryAgain, and whatever `act` raises.
    """
    key = operator.key
    if key is None:
        return act(operator)
    first = _first(answers, operator, key)
    if first is not None:
        return Repeated(first.ids) if first.ids else act(operator.without_key())
    try:
        done = act(operator)
    except KeyUsed:
        # A concurrent request with this key, or an earlier attempt of this one.
        first = _first(answers, operator, key)
        if first is None or not first.ids:
            raise TryAgain from None
        return Repeated(first.ids)
    now = operator.now()
    if answers.first_answer(operator.who, key.key, now) is None:  # no write of it has stored ids
        kept = FirstAnswer(operator.who, key.key, key.digest, {}, now + ANSWER_LIFE_SECONDS)
        with suppress(KeyUsed):  # by a concurrent request
            answers.keep_key(kept, now, operator.chance.token())
    return done


def _first(answers: Proposals, operator: Operator, key: RequestKey) -> FirstAnswer | None:
    answer = answers.first_answer(operator.who, key.key, operator.now())
    if answer is not None and answer.digest != key.digest:
        raise operators.IdempotencyConflict
    return answer
