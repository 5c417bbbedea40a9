"""The event that a merchant receives when an order or draft changes (contract section 7).

An event depends on the change only, not on the clock or on randomness. A relay that crashes and
runs again therefore makes the same event, byte for byte.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Self

from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import ByStatus, Order
from orderdesk.domain.pricing import Mode

type Subject = Order | Draft


class CallbackType(StrEnum):
    """The `type` of a callback; those of endpoints and of the account are about no order."""

    ORDER_CREATED = "order.created"
    ORDER_PAID = "order.paid"
    ORDER_ASSIGNED = "order.assigned"
    ORDER_COMPLETED = "order.completed"
    ORDER_CANCELLED = "order.cancelled"
    ORDER_EXPIRED = "order.expired"
    ORDER_DISPUTED = "order.disputed"
    ORDER_REVERSED = "order.reversed"
    DRAFT_LOCKED = "draft.locked"
    DRAFT_EXPIRED = "draft.expired"
    ENDPOINT_TEST = "endpoint.test"
    ENDPOINT_DISABLED = "endpoint.disabled"
    ACCOUNT_NOTICE = "account.notice"

    @property
    def is_of_account(self) -> bool:
        """Whether it is about the account or an endpoint; a merchant does not choose such types."""
        return self in {
            CallbackType.ENDPOINT_TEST,
            CallbackType.ENDPOINT_DISABLED,
            CallbackType.ACCOUNT_NOTICE,
        }


# The other two have no event: no order returns to `pending`, and the contract has no event for a
# sell that returns to `matching`.
_ORDER_TYPES: ByStatus[CallbackType | None] = ByStatus(
    pending=None,
    paid=CallbackType.ORDER_PAID,
    matching=None,
    assigned=CallbackType.ORDER_ASSIGNED,
    completed=CallbackType.ORDER_COMPLETED,
    cancelled=CallbackType.ORDER_CANCELLED,
    expired=CallbackType.ORDER_EXPIRED,
    disputed=CallbackType.ORDER_DISPUTED,
)


WEBHOOK_PREFIX = "msg_"
ENDPOINT_SIGN = "~"
"""What separates a webhook-id and an endpoint_id in the key of a delivery."""
PLACE = re.compile(
    rf"[0-9]{{10}}#{WEBHOOK_PREFIX}[A-Za-z0-9]{{1,64}}(_[0-9]{{1,9}})?"
    rf"({ENDPOINT_SIGN}ep_[a-z0-9]{{12}})?"
)
"""The form of a delivery's place."""


class UnreadableMessage(OrderdeskError):
    """The text is no message of a queue. The error does not quote it."""


class UnrecordedEvent(OrderdeskError):
    """A message names a delivery that has no record, so the relay did not send the message."""


@dataclass(frozen=True, slots=True)
class CallbackEvent:
    """One event for a merchant, as it is recorded before its reference is on the queue.

    `webhook_id` is the same for every attempt and redelivery. `number` is the order_no or
    pending_no, "" for an event of an endpoint or the account. `sequence` is the number of the
    move. `timestamp` is the time of the move in Unix seconds. `callback_url` is the order's own,
    or None. `body` is the exact text to sign and post.
    """

    webhook_id: str
    type: CallbackType
    merchant_id: str
    number: str
    sequence: int
    timestamp: int
    callback_url: str | None = field(repr=False)
    body: str = field(repr=False)

    @property
    def mode(self) -> Mode:
        """The mode of the event's order or draft, which is in every body (contract section 7)."""
        return Mode.of(json.loads(self.body)["data"].get("is_test", 0))


def callback_type(before: Subject | None, after: Subject) -> CallbackType | None:
    """Return the type of callback that a change causes, or None.

    Only a move, a reversal or a claim that the merchant pays, which increases `sequence`, causes a
    callback. A new order causes one only if it was created from a draft; otherwise createOrder
    already informed the merchant.
    """
    if before is not None and after.sequence <= before.sequence:
        return None
    if isinstance(after, Draft):
        return _draft_type(after.status)
    if before is None:
        return None if after.pending_no is None else CallbackType.ORDER_CREATED
    is_corrected = isinstance(before, Order) and (
        after.undone.reversals != before.undone.reversals or after.late.claims != before.late.claims
    )
    if is_corrected:
        return CallbackType.ORDER_REVERSED
    return _ORDER_TYPES[after.status]


def _draft_type(status: DraftStatus) -> CallbackType | None:
    match status:
        case DraftStatus.LOCKED:
            return CallbackType.DRAFT_LOCKED
        case DraftStatus.EXPIRED:
            return CallbackType.DRAFT_EXPIRED
        case DraftStatus.HELD | DraftStatus.COMPLETED:
            return None  # the order of a completed draft has order.created


def callback_event(
    before: Subject | None, after: Subject, data_of: Callable[[Subject], Mapping[str, object]]
) -> CallbackEvent | None:
    """Create the event of a change, or None. `data_of` returns `data` as the merchant sees it."""
    kind = callback_type(before, after)
    if kind is None:
        return None
    number, timestamp = _number_and_time(after)
    return CallbackEvent(
        webhook_id=f"{WEBHOOK_PREFIX}{number}_{after.sequence}",
        type=kind,
        merchant_id=after.merchant_id,
        number=number,
        sequence=after.sequence,
        timestamp=timestamp,
        callback_url=after.given.callback_url,
        body=_json_of({"type": kind, "timestamp": timestamp, "data": data_of(after)}),
    )


def account_event(
    kind: CallbackType,
    webhook_id: str,
    merchant_id: str,
    mode: Mode,
    now: int,
    *,
    data: Mapping[str, object] | None = None,
    callback_url: str | None = None,
) -> CallbackEvent:
    """Create an event about the account or an endpoint; `now` in Unix seconds.

    Without a `callback_url` it goes to the default address.
    """
    whole = {"is_test": mode.is_test, **(data or {})}
    return CallbackEvent(
        webhook_id=webhook_id,
        type=kind,
        merchant_id=merchant_id,
        number="",
        sequence=0,
        timestamp=now,
        callback_url=callback_url,
        body=_json_of({"type": kind, "timestamp": now, "data": whole}),
    )


def _number_and_time(subject: Subject) -> tuple[str, int]:
    if isinstance(subject, Draft):
        return subject.pending_no, subject.updatetime
    times = [part.time for part in subject.undone.reversals] + [
        each.time for each in subject.late.claims
    ]
    return subject.order_no, max(times, default=subject.since)


def _json_of(value: Mapping[str, object]) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class QueueMessage:
    """Base of the messages of queues: JSON objects of texts and numbers."""

    def to_json(self) -> str:
        """Serialise the message for the queue."""
        return _json_of(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the output of `to_json`; unknown fields are ignored. Raises: UnreadableMessage."""
        try:
            row = json.loads(text)
            values = {each.name: row[each.name] for each in fields(cls)}
        except (ValueError, LookupError, TypeError):
            raise UnreadableMessage from None
        if not all(type(values[each.name]) is each.type for each in fields(cls)):
            raise UnreadableMessage
        return cls(**values)


@dataclass(frozen=True, slots=True)
class CallbackReference(QueueMessage):
    """The queue's message: which recorded delivery is due. It has nothing of the body.

    - `merchant_id` is only the message group.
    - `turn` is the delivery's when the message was sent. A message of another turn is out of date.
    - `visits` counts how often the message was delayed because its merchant had no free lane.
    """

    webhook_id: str
    merchant_id: str
    round: int = 0
    turn: int = 0
    visits: int = 0
