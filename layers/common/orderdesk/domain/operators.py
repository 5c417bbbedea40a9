"""Who calls operators' commands, and their refusals; the operator sees the exception's text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from orderdesk.domain.errors import FieldProblem, Refusal, shortened
from orderdesk.domain.money import format_usdt
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, REMARK_LENGTH_MAX, text_problems


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who calls a command, as AWS identifies them; nothing here is from the request.

    `alone` means that the command came over the path that needs no second person.
    """

    person: str
    arn: str
    source_ip: str
    request_id: str
    alone: bool = False


def is_same_person(one: str, other: str) -> bool:
    """Return whether two names are one person's; case makes no difference."""
    return one.casefold() == other.casefold()


ROOT = "root"
"""The person of an AWS account's root user."""

# IAM's rule for the names of users and sessions.
_PERSON = re.compile(r"[A-Za-z0-9_+=,.@-]{1,64}")
_ARN = re.compile(r"arn:aws[a-z-]*:(?:iam|sts)::[0-9]{12}:(?P<resource>.+)")


def person_of(arn: str, role_patterns: Iterable[str], *, allow_root: bool) -> str | None:
    """Return the person of a caller's ARN; None if the ARN does not identify one.

    This is an IAM user's name, or the session name of an assumed role whose name matches one of the
    patterns (`*` and `?` as in IAM). Root is a person only if `allow_root`.
    """
    matched = _ARN.fullmatch(arn)
    if matched is None:
        return None
    match matched["resource"].split("/"):
        case ["root"] if allow_root:
            return ROOT
        case ["user", *_, name]:
            person = name
        case ["assumed-role", role, session] if any(fnmatchcase(role, p) for p in role_patterns):
            person = session
        case _:
            return None
    return person if _PERSON.fullmatch(person) else None


class OperatorRefusal(Refusal, reason="state_conflict"):
    """The command is not possible in the present state; nothing was changed.

    The exception's text is the answer's `detail`, which clients show and which is not logged.
    """

    def __init__(self, detail: str = "", **data: object) -> None:
        super().__init__(detail, detail=detail, **data)


class UnknownId(OperatorRefusal, reason="not_found"):
    """There is no `kind` with this id, of which a long one is cut."""

    def __init__(self, kind: str, identifier: str) -> None:
        super().__init__(f"no such {kind}: {shortened(identifier)}", kind=kind)


class UnacceptableTerms(OperatorRefusal, reason="invalid_parameter"):
    """Values are invalid; lists every invalid field."""

    def __init__(self, problems: Sequence[FieldProblem], detail: str = "") -> None:
        super().__init__(detail or "; ".join(f"{p.field}: {p.problem}" for p in problems))
        self.problems = tuple(problems)


class TraderDoesNotFit(OperatorRefusal):
    """The trader may not have this sell; lists every broken rule."""

    def __init__(self, trader_id: str, misfits: Sequence[str]) -> None:
        super().__init__(f"trader {trader_id} does not fit this order: {', '.join(misfits)}")
        self.misfits = tuple(misfits)


class TraderCannotCover(OperatorRefusal, reason="insufficient_balance"):
    """A late payment: the order's hold was released, and the trader now has too little USDT."""

    def __init__(self, trader_id: str, amount_usdt: str) -> None:
        super().__init__(
            f"trader {trader_id} has less than the {amount_usdt} USDT available that must be held "
            "again: fund the trader first"
        )


class SumNotCovered(OperatorRefusal):
    """A larger sum arrived than was asked, and the trader has not the USDT that is missing."""

    def __init__(self, trader_id: str, missing_micro: int) -> None:
        missing = format_usdt(missing_micro)
        super().__init__(
            f"trader {trader_id} has less than {missing} USDT available, which this sum needs in "
            "addition: fund the trader first",
            missing_usdt=missing,
        )


class BalanceTooLow(OperatorRefusal, reason="insufficient_balance"):
    """The account's available USDT does not cover the withdrawal."""

    def __init__(self, owner: str, available_usdt: str, amount_usdt: str) -> None:
        super().__init__(
            f"{owner} has {available_usdt} USDT available, less than the {amount_usdt} USDT"
        )


class SecondPersonNeeded(OperatorRefusal, reason="second_person_needed"):
    """Another person, or one with another right, has to decide a proposal."""


class ProposalDecided(OperatorRefusal):
    """The proposal was executed or rejected, or has expired."""

    def __init__(self, proposal_no: str, status: str, by: str) -> None:
        super().__init__(f"{proposal_no} was {status} before" + (f", by {by}" if by else ""))


class BasisChanged(OperatorRefusal):
    """What the proposal rests on has changed since; it stays open, to be rejected."""

    def __init__(self, proposal_no: str, changed: Sequence[str]) -> None:
        super().__init__(
            f"{', '.join(changed)} changed after {proposal_no} was proposed: reject it and propose "
            "it again"
        )


class RequestDecided(OperatorRefusal):
    """The state of a withdrawal or of its request does not allow the command."""


ADDRESS_GONE = "its address is not in the merchant's address book now"


class RequestForged(OperatorRefusal):
    """The withdrawal request is not what the merchant's person asked for, and is not paid."""

    def __init__(self, request_no: str, problem: str) -> None:
        super().__init__(
            f"{request_no} cannot be paid: {problem}. Find out why; reject its proposal, or let "
            "the merchant cancel it"
        )


class NothingToReveal(OperatorRefusal):
    """The proposal has no secret that this person can read now."""


class IdempotencyConflict(OperatorRefusal, reason="idempotency_conflict"):
    """The idempotency key was used with other parameters in the last 24 hours."""

    def __init__(self) -> None:
        super().__init__("the idempotency_key was used with another command or other parameters")


def known[T](found: T | None, kind: str, identifier: str) -> T:
    """Return what an id names. Raises: UnknownId if that is None."""
    if found is None:
        raise UnknownId(kind, identifier)
    return found


def refuse_unfit(problems: Sequence[FieldProblem]) -> None:
    """Raise UnacceptableTerms if there are problems."""
    if problems:
        raise UnacceptableTerms(problems)


def require_reason(reason: str) -> None:
    """Raise UnacceptableTerms for a blank reason."""
    if not reason.strip():
        raise UnacceptableTerms([FieldProblem("reason", "missing")], "a reason is required")


def name_problems(field: str, text: str) -> list[FieldProblem]:
    """List what is wrong with a name: 1 to 64 characters of visible text."""
    return required_text_problems(field, text, NAME_LENGTH_MAX)


def required_text_problems(
    field: str, text: str, length_max: int = REMARK_LENGTH_MAX
) -> list[FieldProblem]:
    """List what is wrong with a required text; lengths are in characters."""
    if not text.strip():
        return [FieldProblem(field, "must not be empty")]
    return text_problems(field, text, length_max)


def transfer_problems(amount_micro: int, memo: str) -> list[FieldProblem]:
    """List what is wrong with the amount and memo of a deposit or withdrawal."""
    problems = required_text_problems("memo", memo)
    if amount_micro <= 0:
        problems.append(FieldProblem("amount", "must be greater than 0"))
    return problems
