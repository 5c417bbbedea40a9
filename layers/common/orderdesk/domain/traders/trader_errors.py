"""Why an order could not be assigned to a trader, or moved by one."""

from typing import TYPE_CHECKING

from orderdesk.domain.errors import CommitLost, Refusal
from orderdesk.domain.traders.own_limits import LimitField

if TYPE_CHECKING:
    from orderdesk.domain.traders.trader import Trader


class ClaimLost(CommitLost):
    """The trader changed since it was read; `trader` is its present state, or None if unknown."""

    def __init__(self, trader: "Trader | None") -> None:
        super().__init__()
        self.trader = trader


class AmountTaken(CommitLost):
    """A trader with unique amounts has the buy's amount open or reserved."""


class CoverLost(CommitLost):
    """The trader's available USDT does not cover a late payment."""


class TraderSuspended(Refusal, reason="trader_suspended"):
    """A suspended trader cannot make a move (contract section 6)."""


class SettingsChanged(Refusal, reason="settings_changed"):
    """The settings differ from those that the page showed. Nothing was changed."""


class UnfitLimits(Refusal, reason="unfit_limits"):
    """Limits that exceed the operator's, or that no order can satisfy."""

    def __init__(self, fields: frozenset[LimitField]) -> None:
        super().__init__()
        self.fields = fields
