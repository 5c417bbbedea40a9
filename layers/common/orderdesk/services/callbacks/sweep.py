"""The sweep of callbacks: send the messages of deliveries that waited outside the queue.

It also sends a message again that was lost with its process. Two sweeps may run at the same time:
the record's version lets one of them send. If a process dies after the write, the next sweep sends
the message when the record is due again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Protocol

from orderdesk.domain.callbacks.schedule import MS
from orderdesk.domain.callbacks.steps import queued
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.services.callbacks.ports import Deliveries, Messages

PAGE = 100


class Swept(StrEnum):
    """The result for a due delivery; LEFT: another process has it, FAILED: it stays due."""

    QUEUED = "queued"
    LEFT = "left"
    FAILED = "failed"


class DueDeliveries(Deliveries, Protocol):
    """Reads and writes the records of deliveries, and finds those that are due."""

    @property
    def shards(self) -> int:
        """The number of the index's shards."""

    def due(self, shard: int, until_ms: int, limit: int) -> Sequence[str]:
        """Return webhook_ids of due deliveries, the longest due first. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class CallbackSweepPorts:
    """The ports of the sweep; `run_all` maps over a page, concurrently or not."""

    deliveries: DueDeliveries
    messages: Messages
    run_all: Callable[[Callable[[str], Swept], Sequence[str]], Iterable[Swept]]
    report: Callable[[Exception], None]


def sweep_callbacks(
    ports: CallbackSweepPorts, now_ms: int, has_time: Callable[[], bool]
) -> Counter[Swept]:
    """Queue what is due at a time (Unix ms), page by page, while there is time left.

    One delivery's failure stops no other; it stays due. A page without progress ends its shard for
    this run: each delivery failed, or the index lags.
    """
    tally: Counter[Swept] = Counter()
    shards = list(range(ports.deliveries.shards))
    while shards and has_time():
        shard = shards.pop(0)
        try:
            page = ports.deliveries.due(shard, now_ms, PAGE)
        except TryAgain:
            tally[Swept.FAILED] += 1
            continue
        results = Counter(ports.run_all(partial(_sweep_one, ports, now_ms), page))
        tally += results
        if results[Swept.QUEUED]:
            shards.append(shard)
    return tally


def _sweep_one(ports: CallbackSweepPorts, now_ms: int, webhook_id: str) -> Swept:
    try:
        delivery = ports.deliveries.delivery(webhook_id)
        if delivery is None or delivery.due_ms is None or delivery.due_ms > now_ms:
            return Swept.LEFT  # the index lags
        after = queued(delivery, now_ms)
        ports.deliveries.save(after)
        wait_ms = max((after.next_ms or 0) - now_ms, 0)
        ports.messages.delay(after.reference, -(-wait_ms // MS))
    except ChangedMeanwhile:
        return Swept.LEFT
    except TryAgain:
        return Swept.FAILED
    except Exception as error:  # noqa: BLE001 - one broken record must not stop the sweep
        ports.report(error)
        return Swept.FAILED
    return Swept.QUEUED
