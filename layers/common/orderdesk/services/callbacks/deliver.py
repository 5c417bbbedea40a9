"""Delivering a callback: one message of the queue, at most one attempt (contract section 7).

SQS delivers at least once, so a copy of the message may run at the same time. Both may send, with
the same webhook-id. One writes first; the other adds its attempt to the record as it is then.

| the process dies | when the message comes back |
|---|---|
| before the attempt | the record is unchanged: the attempt is made now |
| after sending, before writing | the same: a second POST with the same webhook-id |
| after writing `delivered` | the record says so: the message is deleted |
| after writing a failure, before putting off | it is not due yet: it waits for the rest |
| after writing `dead`, before burying | the record says so: it is buried now |
| after burying, before deleting | the same: there are two dead letters |
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.callbacks import steps
from orderdesk.domain.callbacks.delivery import Carrier, Delivery, DeliveryState
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.callbacks.schedule import MS, crowded_seconds
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.callbacks.steps import Decision, Then
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.services.callbacks.ports import DeliveryPorts

USER_AGENT = "orderdesk-callbacks/1"
# A batch has fewer messages than this. Even if all were copies of one, each could write its
# attempt.
WRITES_MAX = 20


class Outcome(StrEnum):
    """The result of a message's visit."""

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
class Visit:
    """A message of the queue, received for the `count`th time; `handle` is used to put it off."""

    handle: str
    text: str = field(repr=False)
    count: int
    carrier: Carrier
    event: CallbackEvent = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a visit; `age_seconds` is the event's age when it was delivered."""

    outcome: Outcome
    keeps_message: bool = False
    attempted: bool = False
    age_seconds: int | None = None


def deliver(visit: Visit, ports: DeliveryPorts) -> Done:
    """Deliver a message if it is due; else put it off, bury it or leave it to be deleted.

    After an exception the message comes back when the queue's visibility timeout is over.
    Raises: TryAgain.
    """
    event, now_ms = visit.event, ports.now_ms()
    found = ports.deliveries.delivery(event.webhook_id)
    delivery = found or steps.opened(event, visit.carrier, now_ms)
    decision = steps.decide(delivery, visit.carrier, now_ms)
    if decision.then is not Then.SEND:
        _act(decision, visit, ports)
        is_early = decision.then is Then.WAIT
        return Done(Outcome.EARLY if is_early else Outcome.OVER, keeps_message=is_early)
    merchant = ports.merchants.find(event.merchant_id)
    url = event.callback_url or ("" if merchant is None else merchant.callback_url)
    if merchant is None or not url:
        return _end(delivery, DeliveryState.UNDELIVERABLE, ports)
    if visit.carrier.round == 0 and not merchant.wants(event.type):
        # A redelivery by an operator is sent even so.
        return _end(delivery, DeliveryState.SKIPPED, ports)
    secrets = ports.merchants.callback_secrets(merchant)
    if not ports.lanes.enter(merchant.merchant_id):
        # Enough containers already send to this merchant; the others stay free for other merchants.
        ports.messages.put_off(visit.handle, crowded_seconds(visit.count, ports.chance.below))
        return Done(Outcome.CROWDED, keeps_message=True)
    return _attempt(delivery, url, secrets, visit, ports)


def _attempt(
    delivery: Delivery, url: str, secrets: tuple[str, ...], visit: Visit, ports: DeliveryPorts
) -> Done:
    event = visit.event
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
            carrier=visit.carrier,
            at_ms=began_ms,
            now_ms=over_ms,
            below=ports.chance.below,
            speedup=ports.speedup,
        )

    written = _write(delivery, after, ports)
    decision = steps.decide(written, visit.carrier, over_ms)
    _act(decision, visit, ports)
    keeps = decision.then in {Then.WAIT, Then.SEND}
    if attempt.delivered:
        age = over_ms // MS - event.timestamp
        return Done(Outcome.DELIVERED, keeps, attempted=True, age_seconds=age)
    outcome = Outcome.FAILED if keeps else _failed(written.state)
    return Done(outcome, keeps, attempted=True)


def _failed(state: DeliveryState) -> Outcome:
    """Give the outcome of a visit whose attempt failed, from the state of the record after it."""
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
        # A copy of the message wrote first. The message comes back and follows the new record.
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


def _act(decision: Decision, visit: Visit, ports: DeliveryPorts) -> None:
    match decision.then:
        case Then.WAIT | Then.SEND:
            ports.messages.put_off(visit.handle, decision.seconds)
        case Then.BURY:
            ports.messages.bury(visit.text)
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
