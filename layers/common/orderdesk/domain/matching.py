"""Which trader is tried next: exact rotation when alone, spread out when others compete."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orderdesk.domain.traders import Demand, Trader, fits

MAX_WIDTH = 64
CONFLICT_MEMORY_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """From how many of the rotation's first eligible traders the next one is drawn.

    Width 1 is the exact rotation. Taking always the head collapses under load: everybody claims
    the same trader. So the width doubles with each conflict, decays by an eighth with each
    success, and is forgotten a second after the last conflict (`conflict_us`, Unix us): a process
    that met others once must not bend the rotation when it is alone again.
    """

    width: int = 1
    conflict_us: int = 0

    def at(self, now_us: int) -> "Window":
        """Give the window as of a time."""
        return self if now_us - self.conflict_us <= CONFLICT_MEMORY_US else Window()

    def conflicted(self, now_us: int) -> "Window":
        """Widen after a lost claim or a transaction conflict."""
        return Window(min(self.at(now_us).width * 2, MAX_WIDTH), now_us)

    def succeeded(self) -> "Window":
        """Narrow after a commit, down to the exact rotation."""
        return Window(max(1, self.width - max(1, self.width // 8)), self.conflict_us)


def rotation(traders: Sequence[Trader], demand: Demand) -> list[Trader]:
    """Give the traders that fit, the one who accepted longest ago first."""
    eligible = (trader for trader in traders if fits(trader, demand))
    return sorted(eligible, key=lambda trader: (trader.last_accepted_us, trader.trader_id))


def choose(eligible: Sequence[Trader], window: Window, below: Callable[[int], int]) -> Trader:
    """Draw one of the first eligible traders; `below(n)` gives a random int in [0, n).

    `eligible` must not be empty and must be in rotation order.
    """
    reach = min(window.width, len(eligible))
    return eligible[0 if reach == 1 else below(reach)]
