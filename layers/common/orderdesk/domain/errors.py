"""The base classes of all refusals, and the refusals that several subjects share.

OrderdeskError
    Refusal                 an expected answer; `reason` is the slug of contract section 3
        TooManyRequests
        TryAgain
        ...                 `errors.py` of each subject has its own
    CommitLost              a transaction wrote nothing; the use case decides what follows
        ChangedMeanwhile
        Contended
        Throttled
        ...

`web/codes.py` maps each reason to its code, HTTP status and texts.
"""

from dataclasses import dataclass
from typing import ClassVar


class OrderdeskError(Exception):
    """Base of every exception that orderdesk raises on purpose."""


class Refusal(OrderdeskError):
    """An expected refusal: it is answered with its code and logged without a stack trace."""

    reason: ClassVar[str]

    def data(self) -> dict[str, object]:
        """Give what the envelope's `data` holds beside the reason."""
        return {}


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One bad field: its dotted name and what is wrong with it, never its value."""

    field: str
    problem: str


class TooManyRequests(Refusal):
    """More calls or attempts than are allowed; carries the seconds until more may come."""

    reason = "too_many_requests"

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__()
        self.retry_after_seconds = retry_after_seconds


class TryAgain(Refusal):
    """The store stayed contended or throttled; safe to retry with the same merchant_order_no."""

    reason = "try_again"


class CommitLost(OrderdeskError):
    """A conditional transaction did not commit: nothing of it was written."""


class ChangedMeanwhile(CommitLost):
    """The item was changed since it was read. The caller reads it again and decides again."""


class Contended(CommitLost):
    """Another transaction held one of the items (TransactionConflict)."""


class Throttled(CommitLost):
    """The store refused for lack of capacity; the caller backs off."""
