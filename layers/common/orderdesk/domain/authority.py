"""What an operator's write can do, and which of it needs a second person (contract section 11).

A rule belongs to a power, never to a command: who reaches a power on another path finds the
same rule there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from orderdesk.domain.audit import Spending
from orderdesk.domain.pricing import Mode

HANDS_SECONDS = 7 * 24 * 3600
"""How long a person's hands are on what the person opened, or helped to admit or to change."""
CHANGE_PERCENT_MAX = 5
_WHOLE_PERCENT = 100


class Power(StrEnum):
    """What a write can do."""

    MONEY = "money"
    """USDT comes in from outside or leaves."""
    DESTINATION = "destination"
    """Where payers pay to, and who can log in as a trader."""
    SECRET = "secret"  # noqa: S105 a power
    """A secret that signs for a merchant."""
    ADMISSION = "admission"
    """A merchant, a trader or a merchant's member begins to take part."""
    PRICE = "price"
    """Rates, fees, spreads, limits and caps."""
    ORDER = "order"
    """The way of an order, and so of its money."""
    ENDPOINT = "endpoint"
    """Where a merchant's callbacks go, who may call, and what payers read of the merchant."""
    STOP = "stop"
    """Something takes part no longer, or again on the same terms."""
    BOOKS = "books"
    """A difference in the books is accepted."""
    CONTACT = "contact"
    """A question, a delivery or a note: no money moves."""


_LEAVE_HANDS = frozenset({Power.DESTINATION, Power.SECRET, Power.ADMISSION})


@dataclass(frozen=True, slots=True)
class Effect:
    """One power that a write uses, and the mode that it reaches.

    `is_grave` says whether a price or an order needs a second person in this case. `clear_of` are
    the ids on which the person's hands must not be, and `spends` counts for the person; both are
    checked when the write is made by one person. `opens` is an order whose dispute it opens.
    """

    power: Power
    mode: Mode = Mode.LIVE
    is_grave: bool = False
    clear_of: tuple[str, ...] = ()
    spends: Spending | None = None
    opens: str = ""

    @property
    def needs_two(self) -> bool:
        """Whether two people are needed; never for test money."""
        if self.mode.is_test:
            return False
        match self.power:
            case Power.MONEY | Power.DESTINATION | Power.SECRET | Power.ADMISSION | Power.BOOKS:
                return True
            case Power.PRICE | Power.ORDER:
                return self.is_grave
            case Power.ENDPOINT | Power.STOP | Power.CONTACT:
                return False
            case _:
                assert_never(self.power)

    @property
    def leaves_hands(self) -> bool:
        """Whether the hands of those who decided it are on its target afterwards."""
        return self.power in _LEAVE_HANDS and not self.mode.is_test


def is_far_from(value: int, base: int) -> bool:
    """Return whether a value differs by more than 5 % from its base; any value does from 0."""
    return abs(value - base) * _WHOLE_PERCENT > abs(base) * CHANGE_PERCENT_MAX


def changed_numbers(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers that differ, as they are afterwards; one that is missing was 0.

    Of a change that two people approved, these are the numbers that both of them have seen.
    """
    return {name: value for name, value in after.items() if value != before.get(name, 0)}
