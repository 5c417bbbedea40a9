"""The sequence of waiting sells: merchants take turns, and so do live and test."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# Just below full minutes, so that a run that begins a little early finds the sell.
PAUSES_SECONDS = (55, 115, 235, 295)
DECLINED_SECONDS = (55, 115, 235, 475, 955, 1795)


@dataclass(frozen=True, slots=True)
class WaitingSell:
    """A sell that waits for a trader."""

    order_no: str
    merchant_id: str


def in_turns[T](queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield one item of each queue in turn, until all are empty; each queue keeps its order."""
    waiting = deque(iter(queue) for queue in queues)
    while waiting:
        queue = waiting.popleft()
        for first in queue:
            yield first
            waiting.append(queue)
            break


def merchants_in_turns(sells: Iterable[WaitingSell]) -> Iterator[WaitingSell]:
    """Yield sells in turns of merchants; the first sells are of different merchants.

    A merchant's own sells keep their order. Merchants take turns in the order of their first sell.
    """
    of_merchant: dict[str, list[WaitingSell]] = {}
    for sell in sells:
        of_merchant.setdefault(sell.merchant_id, []).append(sell)
    return in_turns(of_merchant.values())


def pause_seconds(failed_offers: int) -> int:
    """Return the pause after so many offers that no trader fitted; at most 5 minutes."""
    return _nth(PAUSES_SECONDS, failed_offers)


def declined_seconds(declines: int) -> int:
    """Return the pause after a sell was declined so many times; at most 30 minutes."""
    return _nth(DECLINED_SECONDS, declines)


def _nth(pauses: Sequence[int], number: int) -> int:
    return pauses[min(number, len(pauses)) - 1]
