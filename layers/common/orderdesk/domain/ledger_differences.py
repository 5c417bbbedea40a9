"""What does not add up in the books."""

from dataclasses import dataclass
from enum import StrEnum


class DifferenceKind(StrEnum):
    """What does not add up."""

    TRANSFER = "transfer"
    BALANCE = "balance"
    HELD = "held"
    NEGATIVE_AVAILABLE = "negative_available"
    NEGATIVE_HELD = "negative_held"
    OPEN_ORDERS = "open_orders"
    UNKNOWN_ACCOUNT = "unknown_account"
    WHOLE_POSTINGS = "whole_postings"
    WHOLE_BALANCES = "whole_balances"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that does not add up, in micro-USDT; OPEN_ORDERS alone counts orders.

    `subject` is an account's key, a transfer's id, or `whole:<mode>`.
    """

    subject: str
    kind: DifferenceKind
    expected: int
    actual: int

    @property
    def delta(self) -> int:
        """How much there is too much, negative for too little."""
        return self.actual - self.expected
