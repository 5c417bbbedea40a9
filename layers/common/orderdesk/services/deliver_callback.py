"""Delivering a callback: one message of the queue, one attempt at most (contract section 7).

Who else may do the same: a copy of the message, as SQS delivers at least once. Both may send, with
the same webhook-id; one writes first, the other puts its attempt on the record it finds then.

| the process dies | what the message finds when it comes back |
|---|---|
| before the attempt | the record as it was: the attempt is made now |
| after sending, before writing | the same: a second POST with the same webhook-id |
| after writing `delivered` | the record says so: the message is deleted |
| after writing a failure, before putting off | not due yet: it waits for the rest |
| after writing `dead`, before burying | the record says so: it is buried now |
| after burying, before deleting | the same: there are two dead letters |
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain import delivery_steps as steps
from orderdesk.domain.callback_deliveries import Carrier, Delivery, DeliveryState
from orderdesk.domain.callback_events import CallbackEvent
from orderdesk.domain.callback_schedule import MS, crowded_seconds
from orderdesk.domain.delivery_steps import Decision, Then
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.webhook_signing import sign
from orderdesk.services.callback_ports import DeliveryDesk

USER_AGENT = "orderdesk-callbacks/1"
# More than a batch has messages, were they all copies of one: each puts its attempt on the record.
WRITES_MAX = 20


class Outcome(StrEnum):
    """What became of a message's visit."""

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
    """A message of the queue as it was received, for the `count`th time; `handle` puts it off."""

    handle: str
    text: str = field(repr=False)
    count: int
    carrier: Carrier
    event: CallbackEvent = field(repr=False)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a visit; `age_seconds` is that of the event when it was delivered."""

    outcome: Outcome
    keeps_message: bool = False
    attempted: bool = False
    age_seconds: int | None = None


def deliver(visit: Visit, desk: DeliveryDesk) -> Done:
    """Deliver a message where it is due, and put it off or bury it. Raises: TryAgain.

    What raises leaves the message to come back after the queue's visibility timeout.
    """
    event, now_ms = visit.event, desk.now_ms()
    found = desk.deliveries.delivery(event.webhook_id)
    delivery = found or steps.opened(event, visit.carrier, now_ms)
    decision = steps.decide(delivery, visit.carrier, now_ms)
    if decision.then is not Then.SEND:
        _act(decision, visit, desk)
        is_early = decision.then is Then.WAIT
        return Done(Outcome.EARLY if is_early else Outcome.OVER, keeps_message=is_early)
    merchant = desk.merchants.find(event.merchant_id)
    url = event.callback_url or ("" if merchant is None else merchant.callback_url)
    if merchant is None or not url:
        return _end(delivery, DeliveryState.UNDELIVERABLE, desk)
    if visit.carrier.round == 0 and not merchant.wants(event.type):
        # What an operator redelivers is sent all the same.
        return _end(delivery, DeliveryState.SKIPPED, desk)
    secrets = desk.merchants.callback_secrets(merchant)
    if not desk.lanes.enter(merchant.merchant_id):
        # Enough containers wait for this merchant already; the others are there for the others.
        desk.messages.put_off(visit.handle, crowded_seconds(visit.count, desk.chance.below))
        return Done(Outcome.CROWDED, keeps_message=True)
    return _attempt(delivery, url, secrets, visit, desk)


def _attempt(
    delivery: Delivery, url: str, secrets: tuple[str, ...], visit: Visit, desk: DeliveryDesk
) -> Done:
    event = visit.event
    try:
        began_ms = desk.now_ms()
        headers = _headers(event.webhook_id, began_ms // MS, event.body, secrets)
        attempt = desk.sender.send(url, headers, event.body)
        over_ms = desk.now_ms()
    finally:
        desk.lanes.leave(event.merchant_id)

    def after(current: Delivery) -> Delivery:
        return steps.attempted(
            current,
            attempt,
            url,
            carrier=visit.carrier,
            at_ms=began_ms,
            now_ms=over_ms,
            below=desk.chance.below,
            speedup=desk.speedup,
        )

    written = _write(delivery, after, desk)
    decision = steps.decide(written, visit.carrier, over_ms)
    _act(decision, visit, desk)
    keeps = decision.then in {Then.WAIT, Then.SEND}
    if attempt.delivered:
        age = over_ms // MS - event.timestamp
        return Done(Outcome.DELIVERED, keeps, attempted=True, age_seconds=age)
    outcome = Outcome.FAILED if keeps else _ENDINGS.get(written.state, Outcome.FAILED)
    return Done(outcome, keeps, attempted=True)


_ENDINGS = {
    DeliveryState.DEAD: Outcome.DEAD,
    DeliveryState.GONE: Outcome.GONE,
    DeliveryState.UNDELIVERABLE: Outcome.UNDELIVERABLE,
    DeliveryState.SKIPPED: Outcome.SKIPPED,
}


def _end(delivery: Delivery, state: DeliveryState, desk: DeliveryDesk) -> Done:
    def after(current: Delivery) -> Delivery:
        return steps.ended(current, state, desk.now_ms())

    try:
        desk.deliveries.save(after(delivery))
    except ChangedMeanwhile:
        # A copy of the message was first, with the same or with an attempt: it settles the rest.
        raise TryAgain from None
    return Done(_ENDINGS[state])


def _write(
    delivery: Delivery, after: Callable[[Delivery], Delivery], desk: DeliveryDesk
) -> Delivery:
    """Write what follows from an attempt, on the record as it is by then. Raises: TryAgain."""
    for _ in range(WRITES_MAX):
        written = after(delivery)
        try:
            desk.deliveries.save(written)
        except ChangedMeanwhile:
            delivery = desk.deliveries.delivery(delivery.event.webhook_id) or delivery
        else:
            return written
    raise TryAgain


def _act(decision: Decision, visit: Visit, desk: DeliveryDesk) -> None:
    match decision.then:
        case Then.WAIT | Then.SEND:
            desk.messages.put_off(visit.handle, decision.seconds)
        case Then.BURY:
            desk.messages.bury(visit.text)
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
