"""The outbox: changes of orders and drafts become recorded deliveries and their messages.

Another relay may run at the same time with other orders, or with the same batch again. If the
process dies, the batch is delivered again, and its events are sent again with the same webhook_id,
by which receivers recognise duplicates.

Pushes are sent after all callbacks of the batch: one for each device of the traders concerned. A
push is useful for minutes only, so one that SQS refuses is counted and dropped; waiting for it
would delay callbacks. If the process dies, a device may receive a push twice.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Protocol

from orderdesk.domain.callbacks.events import (
    CallbackEvent,
    CallbackReference,
    Subject,
    callback_event,
)
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.pushes.devices import Devices
from orderdesk.domain.pushes.notices import Push, PushNotice, latest, notice_of

BATCH_MOST = 10


@dataclass(frozen=True, slots=True)
class Change:
    """An order or draft before and after a write; `before` is None if it is new."""

    before: Subject | None
    after: Subject


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One record of the stream: its sequence number, its order_no or pending_no, and its reader.

    `read` returns None if the item is neither an order nor a draft. It raises if the record is
    unreadable.
    """

    position: str
    number: str
    read: Callable[[], Change | None]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A permanently unreadable record: its position and the error's type."""

    position: str
    number: str
    error: str


class CallbackQueue(Protocol):
    """The queue of callbacks."""

    def send(self, references: Sequence[CallbackReference]) -> Collection[str]:
        """Send at most ten messages; return the webhook_ids of those that SQS refused.

        Raises: TryAgain if the result is unknown.
        """

    def set_aside(self, record: Unreadable) -> None:
        """Store the position of a record for an operator. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class RelayPorts:
    """The ports of the relay; `data_of` returns an order's or draft's data for the merchant.

    `record` writes the first record of each event of a batch that has none. Raises: TryAgain.
    """

    record: Callable[[Sequence[CallbackEvent]], object]
    queue: CallbackQueue
    data_of: Callable[[Subject], Mapping[str, object]]
    report: Callable[[Exception], None]


@dataclass(frozen=True, slots=True)
class Relayed:
    """The webhook_ids sent, how many records were set aside, and where the relay stopped.

    `stopped_at` is the position of the first record that is not done; None if all are done.
    """

    webhook_ids: Sequence[str]
    set_aside: int
    stopped_at: str | None


type _Outgoing = tuple[str, CallbackEvent | Unreadable]


def relay(records: Sequence[StreamRecord], ports: RelayPorts) -> Relayed:
    """Send the events of a batch in the order of the stream, up to the first refused one.

    A record that is unreadable now stays unreadable. It is set aside and reported, so that it does
    not block other callbacks.
    """
    outgoing = [
        (record.position, content)
        for record in records
        if (content := _content(record, ports)) is not None
    ]
    done = 0
    for batch in batched(outgoing, BATCH_MOST, strict=False):
        taken = _send(batch, ports)
        done += taken
        if taken < len(batch):
            break
    contents = [content for _, content in outgoing[:done]]
    return Relayed(
        webhook_ids=[event.webhook_id for event in contents if isinstance(event, CallbackEvent)],
        set_aside=sum(isinstance(content, Unreadable) for content in contents),
        stopped_at=outgoing[done][0] if done < len(outgoing) else None,
    )


def _content(record: StreamRecord, ports: RelayPorts) -> CallbackEvent | Unreadable | None:
    try:
        change = record.read()
        if change is None:
            return None
        return callback_event(change.before, change.after, ports.data_of)
    except Exception as error:  # noqa: BLE001 - unreadable for any reason, and permanently
        ports.report(error)
        return Unreadable(record.position, record.number, type(error).__qualname__)


def _send(batch: Sequence[_Outgoing], ports: RelayPorts) -> int:
    """Record a batch's events, then send their references; return how many records are done.

    They are done in sequence from the batch's beginning. If the process dies in between, the batch
    runs again; an event that has a record keeps it.
    """
    events = [content for _, content in batch if isinstance(content, CallbackEvent)]
    try:
        ports.record(events)
        references = [CallbackReference(event.webhook_id, event.merchant_id) for event in events]
        unsent = ports.queue.send(references) if references else ()
        for done, (_, content) in enumerate(batch):
            if isinstance(content, Unreadable):
                ports.queue.set_aside(content)
            elif content.webhook_id in unsent:
                return done
    except TryAgain:
        return 0
    except Exception as error:  # noqa: BLE001 - any other failure: reported and retried
        ports.report(error)
        return 0
    return len(batch)


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
        return _relay_notices(notices, ports) if notices else RelayedPushes()
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


def _relay_notices(notices: Sequence[PushNotice], ports: PushRelayPorts) -> RelayedPushes:
    devices = ports.devices([notice.trader_id for notice in notices])
    pushes = [
        Push(notice.trader_id, device.key, notice.until)
        for notice in notices
        for device in devices.get(notice.trader_id, ())
    ]
    refused = sum(len(ports.send(batch)) for batch in batched(pushes, BATCH_MOST, strict=False))
    return RelayedPushes(len(pushes) - refused, failed=refused > 0)
