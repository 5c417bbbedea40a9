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
