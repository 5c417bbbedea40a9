"""From changes of orders to pushes: one for each device of the traders who are called.

It runs once all callbacks of the batch have been sent. A push is of
use for minutes only. So one that the queue does not take is counted and lost: to wait for it would
delay callbacks. If the process dies, the batch comes again, and a device may be told twice.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Protocol

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.pushes.notices import Notice, Push, latest, notice_of
from orderdesk.services.callbacks.relay import StreamRecord
from orderdesk.services.pushes.devices import DeviceFinder

BATCH_MOST = 10


class PushQueue(Protocol):
    """The queue of pushes."""

    def send(self, pushes: Sequence[Push]) -> Collection[Push]:
        """Send at most ten pushes; give those that were refused. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class PushRelayPorts:
    """The ports of relaying pushes."""

    devices: DeviceFinder
    queue: PushQueue
    report: Callable[[Exception], None]


@dataclass(frozen=True, slots=True)
class RelayedPushes:
    """How many pushes were sent to the queue. If it failed, some were lost."""

    sent: int = 0
    failed: bool = False


def relay_pushes(records: Sequence[StreamRecord], ports: PushRelayPorts) -> RelayedPushes:
    """Send the pushes of a batch. It raises nothing, because no callback may wait for a push."""
    try:
        notices = latest(_notices(records))
        return _relay(notices, ports) if notices else RelayedPushes()
    except TryAgain:  # expected now and then: the metric tells of it
        return RelayedPushes(failed=True)
    except Exception as error:  # noqa: BLE001 - a push is never worth a callback
        ports.report(error)
        return RelayedPushes(failed=True)


def _notices(records: Sequence[StreamRecord]) -> Iterable[Notice]:
    for record in records:
        try:
            change = record.read()
        except Exception:  # noqa: BLE001, S112 - the relay of callbacks reported it
            continue
        if change is not None and (notice := notice_of(change.before, change.after)):
            yield notice


def _relay(notices: Sequence[Notice], ports: PushRelayPorts) -> RelayedPushes:
    devices = ports.devices.devices_of_all([notice.trader_id for notice in notices])
    pushes = [
        Push(notice.trader_id, device.key, notice.until)
        for notice in notices
        for device in devices.get(notice.trader_id, ())
    ]
    refused = sum(
        len(ports.queue.send(batch)) for batch in batched(pushes, BATCH_MOST, strict=False)
    )
    return RelayedPushes(len(pushes) - refused, failed=refused > 0)
