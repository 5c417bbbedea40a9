"""The base classes of all refusals, and the refusals that several subjects share.

A refusal's `reason` is the slug of contract section 3. `web/codes.py` maps each reason to its code,
HTTP status and texts.
"""

from dataclasses import dataclass
from typing import ClassVar

# Contract section 1: the size of a refusal does not depend on the request.
SHOWN_LENGTH_MAX = 128


def shortened(text: str) -> str:
    """Cut a text of a request to 128 characters, so that a refusal can name it."""
    return text if len(text) <= SHOWN_LENGTH_MAX else f"{text[: SHOWN_LENGTH_MAX - 1]}…"


class OrderdeskError(Exception):
    """Base of every exception that orderdesk raises on purpose."""


class Refusal(OrderdeskError):
    """An expected refusal. It is returned with its code and logged without a stack trace."""

    reason: ClassVar[str]

    def __init_subclass__(cls, *, reason: str | None = None) -> None:
        """Set the reason; None is that of the base class."""
        super().__init_subclass__()
        if reason is not None:
            cls.reason = reason

    def __init__(self, *args: object, **data: object) -> None:
        """Keep the fields of the envelope's `data` apart from the reason; None is left out.

        They can have a merchant's parameters, so they are not part of the exception's text.
        """
        super().__init__(*args)
        self.data = {name: value for name, value in data.items() if value is not None}


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """An invalid field: its dotted name and what is wrong with it, never its value."""

    field: str
    problem: str


class Unfit[P](OrderdeskError, ValueError):
    """Something is not accepted; carries what is wrong with it."""

    def __init__(self, problem: P) -> None:
        super().__init__(problem)
        self.problem = problem


class NameTaken(Unfit[FieldProblem]):
    """Another merchant is shown by this name; nothing was changed."""


class NotLoggedIn(Refusal, reason="not_logged_in"):
    """There is no session, or it has ended."""


class TooManyRequests(Refusal, reason="too_many_requests"):
    """More calls or attempts than are allowed; retry after `retry_after_seconds`."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__()
        self.retry_after_seconds = retry_after_seconds


class TryAgain(Refusal, reason="try_again"):
    """The store stayed contended or throttled. Retrying with the same merchant_order_no is safe."""


class CommitLost(OrderdeskError):
    """A conditional transaction failed and wrote nothing; the use case decides what to do."""


class ChangedMeanwhile(CommitLost):
    """The item has changed since it was read. The caller reads it again and decides again."""


class Contended(CommitLost):
    """Another transaction was writing one of the items (TransactionConflict)."""


class Throttled(CommitLost):
    """DynamoDB throttled the request; the caller backs off."""
