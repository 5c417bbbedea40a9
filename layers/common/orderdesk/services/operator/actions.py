"""An operator's action: retried until it is committed, with an audit entry."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self

from orderdesk.domain.audit import AuditEntry, Execution, FirstAnswer, KeyUsed, new_audit_id
from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import Team
from orderdesk.domain.operators import (
    BasisChanged,
    Caller,
    IdempotencyConflict,
    UnacceptableTerms,
)
from orderdesk.domain.plain_text import text_problems
from orderdesk.domain.proposals import REVEAL_SECONDS, Plan, TwoPersonCommand
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, change_until_committed, until_committed

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

    `seal` encrypts a secret for the proposer. `sealed` is the encrypted secret.
    """

    proposal_no: str
    basis: Mapping[str, str]
    token: str
    seal: Callable[[str], bytes]
    sealed: bytes | None = field(default=None, repr=False)


class ProposalNeeded(OrderdeskError):
    """The command needs a second person; nothing was written."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


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

    def require(self, plan: Plan, *, second_person: bool) -> None:
        """Check that the command may be executed now.

        Raises: BasisChanged; ProposalNeeded if it needs a second person, and nobody approved it or
        acts alone.
        """
        if self.decision is not None:
            old = self.decision.basis
            changed = [n for n in {**old, **plan.basis} if old.get(n) != plan.basis.get(n)]
            if changed:
                raise BasisChanged(self.decision.proposal_no, sorted(changed))
        elif second_person and self.must_propose:
            raise ProposalNeeded(plan)

    def keeping(self, secret: str) -> Self:
        """Return the operator whose execution stores this new secret for the proposer."""
        if self.decision is None:
            return self
        return replace(self, decision=replace(self.decision, sealed=self.decision.seal(secret)))

    def entry(
        self,
        action: str,
        target: str,
        reason: str,
        details: Mapping[str, str],
        proposal_no: str = "",
    ) -> AuditEntry:
        """Create the audit entry of an action at this time; `reason` is the operator's text.

        Raises: UnacceptableTerms for an invalid reason.
        """
        problems = text_problems("reason", reason)
        if problems:
            raise UnacceptableTerms(problems)
        at_us, audit_id = self.now_us(), new_audit_id(self.chance.below)
        execution = self._execution(at_us)
        if execution is not None:
            proposal_no = execution.proposal_no
            action, details = APPROVE, {"command": action, **details}
        ids = {"target": target, "audit_id": audit_id}
        if proposal_no:
            ids["proposal_no"] = proposal_no
        return AuditEntry(
            audit_id=audit_id,
            at_us=at_us,
            who=self.who,
            action=action,
            target=target,
            reason=reason,
            details=details,
            arn=self.caller.arn,
            source_ip=self.caller.source_ip,
            request_id=self.caller.request_id,
            alone=self.caller.alone,
            proposal_no=proposal_no,
            executes=execution,
            answers=self._answer(at_us, {**_ids_among(details), **ids}),
        )

    def _execution(self, at_us: int) -> Execution | None:
        decision = self.decision
        if decision is None:
            return None
        until = 0 if decision.sealed is None else at_us // US_PER_SECOND + REVEAL_SECONDS
        return Execution(decision.proposal_no, decision.token, decision.sealed, until)

    def _answer(self, at_us: int, ids: Mapping[str, str]) -> FirstAnswer | None:
        if self.key is None:
            return None
        until = at_us // US_PER_SECOND + ANSWER_LIFE_SECONDS
        return FirstAnswer(self.who, self.key.key, self.key.digest, ids, until)

    def transfer_id(self, entry: AuditEntry) -> str:
        """Return the id of a transfer: the approved proposal's number, else the entry's id."""
        return entry.proposal_no or entry.audit_id

    def commit[T](self, attempt: Callable[[], T]) -> T:
        """Retry an action until it is committed or refused. Raises: TryAgain."""
        return until_committed(attempt, self.chance, self.pause_ms)

    def change[T: (Merchant, Trader, Team)](
        self, read: Callable[[], T], changed: Callable[[T], T], write: Callable[[T, T], None]
    ) -> T:
        """Change an item of a party; `write` writes its audit entry, too. Raises: TryAgain."""
        return change_until_committed(read, changed, write, self.chance, self.pause_ms)


def _ids_among(details: Mapping[str, str]) -> dict[str, str]:
    """Return the details of an audit entry that are ids."""
    return {name: value for name, value in details.items() if name.endswith("_id")}


class FirstAnswers(Protocol):
    """Reads the answers of idempotency keys."""

    def first_answer(self, person: str, key: str, now: int) -> FirstAnswer | None:
        """Return the answer of a key that is not over (Unix seconds), or None. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The request was committed before: the ids of its first answer."""

    ids: Mapping[str, str]


def once[T](answers: FirstAnswers, operator: Operator, act: Callable[[], T]) -> T | Repeated:
    """Act, or return the ids of the first answer to the same request of the last 24 hours.

    Raises: IdempotencyConflict, TryAgain, and whatever `act` raises.
    """
    repeated = _repeated(answers, operator)
    if repeated is not None:
        return repeated
    try:
        return act()
    except KeyUsed:
        # A concurrent request with this key, or an earlier attempt of this one.
        repeated = _repeated(answers, operator)
        if repeated is None:
            raise TryAgain from None
        return repeated


def _repeated(answers: FirstAnswers, operator: Operator) -> Repeated | None:
    if operator.key is None:
        return None
    answer = answers.first_answer(operator.who, operator.key.key, operator.now())
    if answer is None:
        return None
    if answer.digest != operator.key.digest:
        raise IdempotencyConflict
    return Repeated(answer.ids)


class GuardedCommand[R](ABC):
    """A command that can need a second person, with its valid parameters as fields.

    `carry_out` returns what the command returns at once. Each subclass has a row in
    `proposals.guarded_command`.
    """

    __slots__ = ()
    name: ClassVar[TwoPersonCommand]

    @abstractmethod
    def carry_out(self, ports: CommandPorts, operator: Operator) -> R:
        """Execute the command. Raises: ProposalNeeded, OperatorRefusal, TryAgain."""

    def parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON values."""
        return asdict(self)  # type: ignore[call-overload, no-any-return] # each is a dataclass

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        """Create the command from the parameters that `parameters` returned."""
        return cls(**parameters)
