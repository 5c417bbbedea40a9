"""Send pushes for changes of orders: one for each device of the traders concerned.

It runs after all callbacks of the batch were sent. A push is useful for minutes only, so one that
SQS refuses is counted and dropped; waiting for it would delay callbacks. If the process dies, the
batch is delivered again, and a device may receive a push twice.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import batched

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.pushes.devices import Devices
from orderdesk.domain.pushes.notices import Push, PushNotice, latest, notice_of
from orderdesk.services.callbacks.relay import StreamRecord

BATCH_MOST = 10


@dataclass(frozen=True, slots=True)
class PushRelayPorts:
    """`devices` returns those of each trader that has any. `send` sends at most ten pushes.

    `send` returns those that SQS refused. Both raise TryAgain.
    """

    devices: Callable[[Sequence[str]], dict[str, Devices]]
    send: Callable[[Sequence[Push]], Collection[Push]]
    report: Callable[[Exception], None]


@dataclass(frozen=True, slots=True)
class RelayedPushes:
    """How many pushes were sent to the queue. If `failed`, some were lost."""

    sent: int = 0
    failed: bool = False


def relay_pushes(records: Sequence[StreamRecord], ports: PushRelayPorts) -> RelayedPushes:
    """Send the pushes of a batch. It raises nothing, because callbacks must not wait for pushes."""
    try:
        notices = latest(_notices(records))
        return _relay(notices, ports) if notices else RelayedPushes()
    except TryAgain:  # expected occasionally, and visible in the metric
        return RelayedPushes(failed=True)
    except Exception as error:  # noqa: BLE001 - a push must not delay callbacks
        ports.report(error)
        return RelayedPushes(failed=True)


def _notices(records: Sequence[StreamRecord]) -> Iterable[PushNotice]:
    for record in records:
        try:
            change = record.read()
        except Exception:  # noqa: BLE001, S112 - the relay of callbacks reported it
            continue
        if change is not None and (notice := notice_of(change.before, change.after)):
            yield notice


def _relay(notices: Sequence[PushNotice], ports: PushRelayPorts) -> RelayedPushes:
    devices = ports.devices([notice.trader_id for notice in notices])
    pushes = [
        Push(notice.trader_id, device.key, notice.until)
        for notice in notices
        for device in devices.get(notice.trader_id, ())
    ]
    refused = sum(len(ports.send(batch)) for batch in batched(pushes, BATCH_MOST, strict=False))
    return RelayedPushes(len(pushes) - refused, failed=refused > 0)
