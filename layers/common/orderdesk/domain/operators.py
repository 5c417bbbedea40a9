"""What an operator is refused, as exceptions; their text is the message the operator reads.

OrderdeskError
    OperatorRefusal
        UnknownId                   no such merchant, trader or order
        WrongMode                   live money on a test account, or the other way round
        NewerRate                   a rate set later is already there
        UnacceptableTerms           a value that breaks a rule; lists all of them at once
        ReasonMissing               a move that the trail must give a reason for
        TraderDoesNotFit            a sell assigned to a trader who may not have it
        TraderCannotCover           a late payment that the trader's USDT does not cover
"""

import unicodedata
from collections.abc import Sequence

from orderdesk.domain.errors import FieldProblem, OrderdeskError


class OperatorRefusal(OrderdeskError):
    """What the operator asked for cannot be done as things are; nothing was changed."""


class UnknownId(OperatorRefusal):
    """No `kind` has this id."""

    def __init__(self, kind: str, identifier: str) -> None:
        super().__init__(f"no such {kind}: {identifier}")


class WrongMode(OperatorRefusal):
    """The account belongs to the other mode: live and test money never meet."""


class NewerRate(OperatorRefusal):
    """A rate set later than this one is already there."""


class UnacceptableTerms(OperatorRefusal):
    """Values that break a rule; lists every bad field at once."""

    def __init__(self, problems: Sequence[FieldProblem]) -> None:
        super().__init__("; ".join(f"{p.field}: {p.problem}" for p in problems))
        self.problems = tuple(problems)


class ReasonMissing(OperatorRefusal):
    """A move that takes something from somebody, without the reason that the trail must tell."""

    def __init__(self) -> None:
        super().__init__("a reason is needed")


class TraderDoesNotFit(OperatorRefusal):
    """A sell assigned to a trader who may not have it; names every rule that is in the way."""

    def __init__(self, trader_id: str, misfits: Sequence[str]) -> None:
        super().__init__(f"trader {trader_id} does not fit this order: {', '.join(misfits)}")
        self.misfits = tuple(misfits)


class TraderCannotCover(OperatorRefusal):
    """A late payment: what the order held was given back, and the trader has too little now."""

    def __init__(self, trader_id: str, amount_usdt: str) -> None:
        super().__init__(
            f"trader {trader_id} has less than the {amount_usdt} USDT available that must be held "
            "again: fund the trader first"
        )


NAME_LENGTH_MAX = 64
REMARK_LENGTH_MAX = 255


def name_problems(field: str, text: str) -> list[FieldProblem]:
    """List what is wrong with a name: 1 to 64 characters of visible text."""
    return required_text_problems(field, text, NAME_LENGTH_MAX)


def required_text_problems(
    field: str, text: str, length_max: int = REMARK_LENGTH_MAX
) -> list[FieldProblem]:
    """List what is wrong with a text that must be there; lengths count characters."""
    if not text.strip():
        return [FieldProblem(field, "must not be empty")]
    return text_problems(field, text, length_max)


def text_problems(field: str, text: str, length_max: int = REMARK_LENGTH_MAX) -> list[FieldProblem]:
    """List what is wrong with a text that may be empty; lengths count characters."""
    problems = []
    if len(text) > length_max:
        problems.append(FieldProblem(field, f"at most {length_max} characters"))
    # Unicode's classes C: control, format, surrogate (bytes that were no UTF-8), unassigned.
    if any(unicodedata.category(character)[0] == "C" for character in text):
        problems.append(FieldProblem(field, "must not hold control characters"))
    return problems
