"""Why a trader could not be taken for an order."""

from typing import TYPE_CHECKING

from orderdesk.domain.errors import CommitLost

if TYPE_CHECKING:
    from orderdesk.domain.traders.trader import Trader


class ClaimLost(CommitLost):
    """The trader changed since it was read; `trader` is its present state where known."""

    def __init__(self, trader: "Trader | None") -> None:
        super().__init__()
        self.trader = trader


class CoverLost(CommitLost):
    """The trader's available USDT does not cover a late payment."""
