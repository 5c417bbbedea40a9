"""The limits that a trader chose itself. The stricter of these and the operator's applies.

Both are stored separately, so neither overwrites the other: a limit that the operator lowers
applies immediately, and the trader's choice applies again once the operator raises its limit.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from orderdesk.domain.money import format_cny


class LimitField(StrEnum):
    """The limits, by their names in forms and in the audit trail."""

    MIN_CNY = "min_cny"
    MAX_CNY = "max_cny"
    MAX_OPEN = "max_open"
    DAILY_CNY = "daily_cny"


class ByLimit[T]:
    """One value for each limit; a missing one is a type error."""

    def __init__(self, *, min_cny: T, max_cny: T, max_open: T, daily_cny: T) -> None:
        self._values = {
            LimitField.MIN_CNY: min_cny,
            LimitField.MAX_CNY: max_cny,
            LimitField.MAX_OPEN: max_open,
            LimitField.DAILY_CNY: daily_cny,
        }

    def __getitem__(self, name: LimitField) -> T:
        return self._values[name]


@dataclass(frozen=True, slots=True)
class OwnLimits:
    """A trader's choice, in fen; `max_open` counts orders.

    None: only the operator's limit applies.
    """

    min_cny_fen: int | None = None
    max_cny_fen: int | None = None
    max_open: int | None = None
    daily_cap_fen: int | None = None

    def chosen(self) -> dict[str, int]:
        """Return the chosen limits by attribute."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_CHOICE = OwnLimits()


def narrower(cap: int | None, own: int | None) -> int | None:
    """Return the lower of two caps; None is no cap."""
    if cap is None or own is None:
        return own if cap is None else cap
    return min(cap, own)


def describe_own_limits(own: OwnLimits) -> Mapping[str, str]:
    """Describe a choice for people and for the audit trail; an empty text means no choice."""
    fen: dict[LimitField, int | None] = {
        LimitField.MIN_CNY: own.min_cny_fen,
        LimitField.MAX_CNY: own.max_cny_fen,
        LimitField.DAILY_CNY: own.daily_cap_fen,
    }
    described = {
        name.value: "" if value is None else format_cny(value) for name, value in fen.items()
    }
    most = "" if own.max_open is None else str(own.max_open)
    return described | {LimitField.MAX_OPEN.value: most}
