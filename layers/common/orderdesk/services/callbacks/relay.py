"""The outbox: changes of orders and drafts become messages for the merchants.

Who else does the same: another relay with other orders, or the same batch once more. What if the
process dies: the batch comes again, and whatever was sent already is sent again with the same
webhook_id; receivers know it by that.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Protocol

from orderdesk.domain.callbacks.events import CallbackEvent, Subject, callback_event
from orderdesk.domain.errors import TryAgain

BATCH_MOST = 10


@dataclass(frozen=True, slots=True)
class Change:
    """An order or draft before and after a write; before is None where it is new."""

    before: Subject | None
    after: Subject


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One record of the stream: its sequence number there, whose it is, and what reads it.

    `read` gives None for what is neither order nor draft; it raises whatever reading raises.
    """

    position: str
    number: str
    read: Callable[[], Change | None]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that gives no event however often it is tried: where it is, and the error's type."""

    position: str
    number: str
    error: str


class CallbackQueue(Protocol):
    """Where the events go."""

    def send(self, events: Sequence[CallbackEvent]) -> Collection[str]:
        """Send at most ten; give the webhook_ids of those that were not taken.

        Raises: TryAgain where that is not known.
        """

    def set_aside(self, record: Unreadable) -> None:
        """Keep where a record is for an operator. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class RelayPorts:
    """What the relay works with; `data_of` tells an order or draft as the merchant sees it."""

    queue: CallbackQueue
    data_of: Callable[[Subject], Mapping[str, object]]
    report: Callable[[Exception], None]


@dataclass(frozen=True, slots=True)
class Relayed:
    """What was sent, how many records were set aside, and the first that has to come again.

    `stopped_at` is its position, None where all is done. Everything before it is done.
    """

    webhook_ids: Sequence[str]
    set_aside: int
    stopped_at: str | None

    @property
    def got_nowhere(self) -> bool:
        """Tell whether not even the first could be sent."""
        return self.stopped_at is not None and not self.webhook_ids and not self.set_aside


type _Outgoing = tuple[str, CallbackEvent | Unreadable]


def relay(records: Sequence[StreamRecord], ports: RelayPorts) -> Relayed:
    """Send the events of a batch in the order of the stream, up to the first that is not taken.

    A record that cannot be read would never be: it is set aside and reported, so that it holds up
    nobody's callbacks.
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
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it stays wrong
        ports.report(error)
        return Unreadable(record.position, record.number, type(error).__qualname__)


def _send(batch: Sequence[_Outgoing], ports: RelayPorts) -> int:
    """Send a batch; tell how many at its beginning are done."""
    events = [content for _, content in batch if isinstance(content, CallbackEvent)]
    try:
        unsent = ports.queue.send(events) if events else ()
        for done, (_, content) in enumerate(batch):
            if isinstance(content, Unreadable):
                ports.queue.set_aside(content)
            elif content.webhook_id in unsent:
                return done
    except TryAgain:
        return 0
    except Exception as error:  # noqa: BLE001 - refused for another reason: tried again, and told
        ports.report(error)
        return 0
    return len(batch)
