"""An operator's action: retried until it is committed, with an audit entry."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from orderdesk.domain.audit import AuditEntry, Execution, FirstAnswer, Hands, Solo, new_audit_id
from orderdesk.domain.authority import HANDS_SECONDS, Effect
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import Team
from orderdesk.domain.operators import BasisChanged, Caller, refuse_unfit
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.proposals import NOTHING, REVEAL_SECONDS, Plan
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, until_committed

ANSWER_LIFE_SECONDS = 24 * 3600
APPROVE = "proposal.approve"


@dataclass(frozen=True, slots=True)
class RequestKey:
    """An idempotency key, and the digest of the command and parameters that it is used for."""

    key: str
    digest: str


def request_digest(command: str, parameters: Mapping[str, object], *, alone: bool) -> str:
    """Return the SHA-256 in hex of a command and its JSON parameters."""
    text = json.dumps([command, alone, parameters], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Decision:
    """An approval under way: its proposal, what that rests on, and the random token of the call.

    `target` is the subject that the proposal named. `seal` encrypts a secret for proposer and
    approver. `sealed` is the encrypted secret. A list `is_begun` if an earlier call was approved;
    its parts are executed one by one, each with `is_part`.
    """

    proposal_no: str
    proposed_by: str
    target: str
    basis: Mapping[str, str]
    token: str
    seal: Callable[[str], bytes]
    sealed: bytes | None = field(default=None, repr=False)
    is_begun: bool = False
    is_part: bool = False


class ProposalNeeded(OrderdeskError):
    """The command needs a second person; nothing was written.

    `leaves_hands`: who proposes it decides no order of its target alone (contract section 11).
    """

    def __init__(self, plan: Plan, *, leaves_hands: bool = False) -> None:
        super().__init__()
        self.plan = plan
        self.leaves_hands = leaves_hands


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator who acts, with the clock and the randomness of the action.

    `key` is the request's idempotency key. `decision` is set while an approval executes a command.
    """

    caller: Caller
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs
    key: RequestKey | None = None
    decision: Decision | None = None

    @property
    def who(self) -> str:
        """The person."""
        return self.caller.person

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return self.now_us() // US_PER_SECOND

    def without_key(self) -> Self:
        """Return the operator for an action that can be repeated without an idempotency key."""
        return replace(self, key=None)

    @property
    def must_propose(self) -> bool:
        """Whether a command that needs a second person becomes a proposal."""
        return self.decision is None and not self.caller.alone

    def permit(self, plan: Plan, *effects: Effect) -> "Permit":
        """Return the permit of a command's effects, without which no entry and no write is made.

        Raises: UnacceptableTerms for an invalid reason; BasisChanged; ProposalNeeded if an effect
        needs a second person, and nobody approved it or acts alone.
        """
        refuse_unfit(text_problems("reason", plan.reason))
        if self.decision is not None:
            old = self.decision.basis
            changed = [n for n in {**old, **plan.basis} if old.get(n) != plan.basis.get(n)]
            if changed:
                raise BasisChanged(self.decision.proposal_no, sorted(changed))
        elif self.must_propose and any(effect.needs_two for effect in effects):
            leaves = any(effect.leaves_hands for effect in effects)
            raise ProposalNeeded(plan, leaves_hands=leaves)
        return Permit(self, plan, effects)

    def keeping(self, for_proposer: str, for_approver: str) -> Self:
        """Return the operator whose execution stores a new secret in two halves, one for each."""
        if self.decision is None:
            return self
        halves = json.dumps([for_proposer, for_approver])
        return replace(self, decision=replace(self.decision, sealed=self.decision.seal(halves)))

    def for_part(self, basis: Mapping[str, str] = NOTHING) -> Self:
        """Return the operator for one part of an approved list, which rests on its own basis."""
        assert self.decision is not None, "a list was approved"
        return replace(self, decision=replace(self.decision, basis=basis, is_part=True), key=None)

    def new_target(self, drawn: str) -> str:
        """Return the id of a new subject: the one that the proposal named, else the drawn one."""
        return drawn if self.decision is None else self.decision.target

    def commit[T](self, attempt: Callable[[], T]) -> T:
        """Retry an action until it is committed or refused. Raises: TryAgain."""
        return until_committed(attempt, self)

    def change[T: (Merchant, Trader, Team)](
        self,
        action: str,
        read: Callable[[], T],
        changed: Callable[[T], "AuditedChange[T] | None"],
        write: Callable[[T, T, AuditEntry], None],
    ) -> T:
        """Change a party's item, with an audit entry; no change writes nothing.

        `write` writes both states' difference and the entry.
        Raises: TryAgain, and whatever the steps raise.
        """

        def attempt() -> T:
            before = read()
            change = changed(before)
            if change is None or change.after == before:
                return before
            after = replace(change.after, version=before.version + 1)
            entry = change.permit.entry(action, change.details)
            write(before, after, entry)
            return after

        return self.commit(attempt)


@dataclass(frozen=True, slots=True)
class AuditedChange[T]:
    """A changed item, the permit of its change, and the details of its audit entry."""

    after: T
    permit: "Permit"
    details: Mapping[str, str] = NOTHING


@dataclass(frozen=True, slots=True)
class Permit:
    """What `Operator.permit` allowed: the only source of an operator's audit entries.

    Every write of an operator needs an entry, so none can be made without a permit.
    """

    operator: Operator
    plan: Plan
    effects: tuple[Effect, ...]

    def entry(
        self, action: str, details: Mapping[str, str] = NOTHING, proposal_no: str = ""
    ) -> AuditEntry:
        """Create the audit entry of an action on the plan's target at this time."""
        operator, target = self.operator, self.plan.target
        at_us, audit_id = operator.now_us(), new_audit_id(operator.chance.below)
        execution, decision = self._execution(at_us), operator.decision
        if decision is not None:
            proposal_no = decision.proposal_no
        if execution is not None:
            action, details = APPROVE, {"command": action, **details}
        named = {name: value for name, value in details.items() if name.endswith("_id")}
        ids = {**named, "target": target, "audit_id": audit_id}
        if proposal_no:
            ids["proposal_no"] = proposal_no
        return AuditEntry(
            audit_id=audit_id,
            at_us=at_us,
            who=operator.who,
            action=action,
            target=target,
            reason=self.plan.reason,
            details=details,
            arn=operator.caller.arn,
            source_ip=operator.caller.source_ip,
            request_id=operator.caller.request_id,
            alone=operator.caller.alone,
            proposal_no=proposal_no,
            powers=tuple(sorted({effect.power.value for effect in self.effects})),
            executes=execution,
            answers=self._answer(at_us, ids),
            leaves=tuple(self._hands(at_us // US_PER_SECOND + HANDS_SECONDS)),
            solo=self._solo(),
            token=operator.chance.token(),
        )

    def _hands(self, until: int) -> Iterator[Hands]:
        """Yield the parts that proposer and approver have now, and who opens a dispute."""
        operator, decision = self.operator, self.operator.decision
        if decision is not None and any(effect.leaves_hands for effect in self.effects):
            for person in (decision.proposed_by, operator.who):
                yield Hands(self.plan.target, person, until)
        for effect in self.effects:
            if effect.opens:
                people = {operator.who} | ({decision.proposed_by} if decision else set())
                yield from (Hands(effect.opens, person, until) for person in sorted(people))

    def _solo(self) -> Solo | None:
        """Return what the write requires of a single person."""
        operator = self.operator
        if not operator.must_propose:
            return None
        clear_of = tuple(each for effect in self.effects for each in effect.clear_of)
        spends = next((effect.spends for effect in self.effects if effect.spends), None)
        return Solo(operator.who, clear_of, spends) if clear_of or spends else None

    def _execution(self, at_us: int) -> Execution | None:
        decision = self.operator.decision
        if decision is None or decision.is_part:
            return None
        until = 0 if decision.sealed is None else at_us // US_PER_SECOND + REVEAL_SECONDS
        return Execution(decision.proposal_no, decision.token, decision.sealed, until)

    def _answer(self, at_us: int, ids: Mapping[str, str]) -> FirstAnswer | None:
        key = self.operator.key
        if key is None:
            return None
        until = at_us // US_PER_SECOND + ANSWER_LIFE_SECONDS
        return FirstAnswer(self.operator.who, key.key, key.digest, ids, until)


def transfer_id(entry: AuditEntry) -> str:
    """Return the id of a transfer: the approved proposal's number, else the entry's id."""
    return entry.proposal_no or entry.audit_id
