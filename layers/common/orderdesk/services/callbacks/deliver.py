"""Deliver a callback: one message of the queue, at most one attempt (contract section 7).

SQS delivers at least once, so a copy of the message may run at the same time. Both may send, with
the same webhook-id. One writes first; the other then adds its attempt to the new record.

| the process dies | when SQS delivers the message again |
|---|---|
| before the attempt | the record is unchanged: the attempt is made now |
| after sending, before writing | the same: a second POST with the same webhook-id |
| after writing `delivered` | by the record, the message is deleted |
| after writing a failure, before hiding | by the record, the message is hidden until it is due |
| after writing `dead`, before the dead-letter queue | by the record, it is sent there now |
| after the dead-letter queue, before deleting | the same: there are two dead letters |
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.callbacks import steps
from orderdesk.domain.callbacks.delivery import Carrier, Delivery, DeliveryState
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackMessage, UnreadableEvent
from orderdesk.domain.callbacks.schedule import MS, crowded_seconds
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.callbacks.steps import Decision, Then
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.services.callbacks.ports import DeliveryPorts

USER_AGENT = "orderdesk-callbacks/1"
# A batch has fewer messages. Even if all were copies of one, each could write its attempt.
WRITES_MAX = 20


class Outcome(StrEnum):
    """The result of a message."""

    DELIVERED = "delivered"
    FAILED = "failed"
    EARLY = "early"
    OVER = "over"
    UNDELIVERABLE = "undeliverable"
    SKIPPED = "skipped"
    CROWDED = "crowded"
    GONE = "gone"
    DEAD = "dead"
    UNREADABLE = "unreadable"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class SqsMessage:
    """A message from SQS, received for the `count`th time; `handle` is its receipt handle."""

    message_id: str
    handle: str
    text: str = field(repr=False)
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Parsed:
    message: SqsMessage
    carrier: Carrier
    event: CallbackEvent = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a message; `age_seconds` is the event's age when it was delivered."""

    outcome: Outcome
    keeps_message: bool = False
    attempted: bool = False
    age_seconds: int | None = None


def deliver(message: SqsMessage, ports: DeliveryPorts) -> Done:
    """Deliver a message if it is due; otherwise hide it, or let it be deleted.

    It raises nothing, so that one message's failure does not repeat its batch. An unreadable
    message stays unreadable: it is reported and sent to the dead-letter queue. After any other
    failure SQS delivers the message again when its visibility timeout is over.
    """
    try:
        return _parse_and_deliver(message, ports)
    except TryAgain:
        return Done(Outcome.LEFT, keeps_message=True)
    except Exception as error:  # noqa: BLE001 - any failure: SQS delivers the message again
        ports.report(error)
        return Done(Outcome.LEFT, keeps_message=True)


def _parse_and_deliver(message: SqsMessage, ports: DeliveryPorts) -> Done:
    try:
        callback = CallbackMessage.from_json(message.text)
    except UnreadableEvent as error:
        ports.report(error)
        ports.messages.dead_letter(message.text)
        return Done(Outcome.UNREADABLE)
    carrier = Carrier(message.message_id, callback.round)
    return _deliver(_Parsed(message, carrier, callback.event), ports)


def _deliver(parsed: _Parsed, ports: DeliveryPorts) -> Done:
    event, now_ms = parsed.event, ports.now_ms()
    found = ports.deliveries.delivery(event.webhook_id)
    delivery = found or steps.opened(event, parsed.carrier, now_ms)
    decision = steps.decide(delivery, parsed.carrier, now_ms)
    if decision.then is not Then.SEND:
        _act(decision, parsed.message, ports)
        is_early = decision.then is Then.WAIT
        return Done(Outcome.EARLY if is_early else Outcome.OVER, keeps_message=is_early)
    merchant = ports.merchants.find(event.merchant_id)
    url = event.callback_url or ("" if merchant is None else merchant.terms.callback_url)
    if merchant is None or not url:
        return _end(delivery, DeliveryState.UNDELIVERABLE, ports)
    if parsed.carrier.round == 0 and not merchant.terms.wants(event.type):
        # A redelivery is sent all the same.
        return _end(delivery, DeliveryState.SKIPPED, ports)
    secrets = ports.merchants.callback_secrets(merchant)
    if not ports.lanes.enter(merchant.merchant_id):
        # Enough containers send to this merchant already; this one stays free for others.
        message = parsed.message
        ports.messages.hide(message.handle, crowded_seconds(message.count, ports.chance.below))
        return Done(Outcome.CROWDED, keeps_message=True)
    return _attempt(delivery, url, secrets, parsed, ports)


def _attempt(
    delivery: Delivery, url: str, secrets: tuple[str, ...], parsed: _Parsed, ports: DeliveryPorts
) -> Done:
    event = parsed.event
    try:
        began_ms = ports.now_ms()
        headers = _headers(event.webhook_id, began_ms // MS, event.body, secrets)
        attempt = ports.sender.send(url, headers, event.body)
        over_ms = ports.now_ms()
    finally:
        ports.lanes.leave(event.merchant_id)

    def after(current: Delivery) -> Delivery:
        return steps.attempted(
            current,
            attempt,
            url,
            carrier=parsed.carrier,
            at_ms=began_ms,
            now_ms=over_ms,
            below=ports.chance.below,
            speedup=ports.speedup,
        )

    written = _write(delivery, after, ports)
    decision = steps.decide(written, parsed.carrier, over_ms)
    _act(decision, parsed.message, ports)
    keeps = decision.then in {Then.WAIT, Then.SEND}
    if attempt.delivered:
        age = over_ms // MS - event.timestamp
        return Done(Outcome.DELIVERED, keeps, attempted=True, age_seconds=age)
    outcome = Outcome.FAILED if keeps else _failed(written.state)
    return Done(outcome, keeps, attempted=True)


def _failed(state: DeliveryState) -> Outcome:
    """Return the outcome of a message without a success, by the new state of the record."""
    match state:
        case DeliveryState.PENDING | DeliveryState.DELIVERED:
            return Outcome.FAILED  # a copy of the message continues or has delivered
        case DeliveryState.DEAD:
            return Outcome.DEAD
        case DeliveryState.GONE:
            return Outcome.GONE
        case DeliveryState.UNDELIVERABLE:
            return Outcome.UNDELIVERABLE
        case DeliveryState.SKIPPED:
            return Outcome.SKIPPED


def _end(delivery: Delivery, state: DeliveryState, ports: DeliveryPorts) -> Done:
    def after(current: Delivery) -> Delivery:
        return steps.ended(current, state, ports.now_ms())

    try:
        ports.deliveries.save(after(delivery))
    except ChangedMeanwhile:
        # A copy of the message wrote first. SQS delivers this one again, with the new record.
        raise TryAgain from None
    return Done(_failed(state))


def _write(
    delivery: Delivery, after: Callable[[Delivery], Delivery], ports: DeliveryPorts
) -> Delivery:
    """Write the record after an attempt, on its present version. Raises: TryAgain."""
    for _ in range(WRITES_MAX):
        written = after(delivery)
        try:
            ports.deliveries.save(written)
        except ChangedMeanwhile:
            delivery = ports.deliveries.delivery(delivery.event.webhook_id) or delivery
        else:
            return written
    raise TryAgain


def _act(decision: Decision, message: SqsMessage, ports: DeliveryPorts) -> None:
    match decision.then:
        case Then.WAIT | Then.SEND:
            ports.messages.hide(message.handle, decision.seconds)
        case Then.DEAD_LETTER:
            ports.messages.dead_letter(message.text)
        case Then.DELETE:
            pass


def _headers(
    webhook_id: str, timestamp: int, body: str, secrets: tuple[str, ...]
) -> dict[str, str]:
    return {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(webhook_id, timestamp, body, secrets),
    }
