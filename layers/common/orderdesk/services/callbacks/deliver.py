"""Deliver a callback: one message of the queue, at most one attempt (contract section 7).

The message is a reference to the delivery's record, so nobody can put an event on the queue that
the relay did not record. A delivery waits for its next attempt outside the queue, or as a delayed
message. Only a delivery that is being sent counts as in flight.

SQS delivers at least once, so a copy of the message may run at the same time. Both may send, with
the same webhook-id. One writes first; the other then adds its attempt to the new record.

| the process dies | what continues |
|---|---|
| before the attempt | SQS delivers the message again: the attempt is made then |
| after sending, before writing | the same: a second POST with the same webhook-id |
| after writing `delivered` | SQS delivers the message again: by the record, it is deleted |
| after writing a failure, before the next message | the sweep sends one, some minutes late |
| after the next message, before deleting this one | this one is out of date: it is deleted |
| after writing `dead`, before the dead letter | SQS delivers the message again: it is sent now |
| after the dead letter, before deleting | the same: there are two dead letters |
| before writing the endpoint's state | the next attempt writes it; another probe follows |

An endpoint that keeps failing is paused (`domain/callbacks/endpoints.py`). A message for it lets
its delivery wait, unless the next probe may begin: then the delivery is the probe.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

from orderdesk.domain.callbacks import steps
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState
from orderdesk.domain.callbacks.endpoints import (
    Admission,
    Endpoint,
    admitted,
    endpoint_id,
    next_version,
    probing,
)
from orderdesk.domain.callbacks.events import CallbackReference, UnreadableMessage, UnrecordedEvent
from orderdesk.domain.callbacks.schedule import MS, crowded_seconds
from orderdesk.domain.callbacks.signing import sign
from orderdesk.domain.callbacks.steps import NextStep, Then, opened, watched
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.services.callbacks.endpoints import DeliveryPorts, Target, learn, release

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
    PAUSED = "paused"
    GONE = "gone"
    DEAD = "dead"
    UNREADABLE = "unreadable"
    UNRECORDED = "unrecorded"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a message; `age_seconds` is the event's age when it was delivered."""

    outcome: Outcome
    keeps_message: bool = False
    attempted: bool = False
    age_seconds: int | None = None


def deliver(text: str, ports: DeliveryPorts) -> Done:
    """Deliver a message if it is due; otherwise delay it, or let it be deleted.

    It raises nothing, so that one message's failure does not repeat its batch. A message that is
    unreadable, or whose delivery has no record, is reported and sent to the dead-letter queue,
    which has an alarm. After any other failure SQS delivers the message again when its visibility
    timeout is over.
    """
    try:
        return _parse_and_deliver(text, ports)
    except TryAgain:
        return Done(Outcome.LEFT, keeps_message=True)
    except Exception as error:  # noqa: BLE001 - any failure: SQS delivers the message again
        ports.report(error)
        return Done(Outcome.LEFT, keeps_message=True)


def _parse_and_deliver(text: str, ports: DeliveryPorts) -> Done:
    try:
        reference = CallbackReference.from_json(text)
    except UnreadableMessage as error:
        return _refused(text, error, Outcome.UNREADABLE, ports)
    delivery = ports.deliveries.delivery(reference.webhook_id)
    if delivery is None:
        return _refused(text, UnrecordedEvent(), Outcome.UNRECORDED, ports)
    return _deliver(delivery, reference, ports)


def _refused(text: str, error: Exception, outcome: Outcome, ports: DeliveryPorts) -> Done:
    ports.report(error)
    ports.messages.dead_letter(text)
    return Done(outcome)


def _deliver(delivery: Delivery, reference: CallbackReference, ports: DeliveryPorts) -> Done:
    event = delivery.event
    decision = steps.decide(delivery, reference, ports.now_ms())
    if decision.then is not Then.SEND:
        _act(decision, delivery, ports)
        return Done(Outcome.EARLY if decision.then is Then.WAIT else Outcome.OVER)
    merchant = ports.merchants.find(event.merchant_id)
    address = None if merchant is None else merchant.address(delivery.endpoint_id)
    url = _url_of(delivery, merchant, address)
    if merchant is not None and _is_first_visit(delivery):
        fan_out(delivery, merchant, ports)
    place = endpoint_id(event.merchant_id, event.mode, url)
    if delivery.waits is not None and (place is None or delivery.waits.endpoint != place.text):
        release(delivery.waits.endpoint, ports)
    if merchant is None or not url:
        has_others = merchant is not None and merchant.addresses and not delivery.endpoint_id
        state = DeliveryState.SKIPPED if has_others else DeliveryState.UNDELIVERABLE
        return _end(delivery, state, ports)
    is_wanted = event.type.is_of_account or address or merchant.terms.wants(event.type)
    if delivery.round == 0 and not is_wanted:
        # A redelivery is sent all the same.
        return _end(delivery, DeliveryState.SKIPPED, ports)
    known = None if place is None else ports.endpoints.endpoint(place)
    admission = admitted(known, delivery, ports.now_ms())
    match admission:
        case Admission.GIVE_UP:
            return _give_up(delivery, ports)
        case Admission.WAIT:
            return _wait(delivery, known, ports)
        case Admission.SEND | Admission.PROBE:
            is_probe = admission is Admission.PROBE
            return _enter(
                delivery, Target(merchant, url, place, known, is_probe, address), reference, ports
            )


def _url_of(delivery: Delivery, merchant: Merchant | None, address: CallbackAddress | None) -> str:
    if delivery.endpoint_id:
        return "" if address is None else address.url
    return delivery.event.callback_url or ("" if merchant is None else merchant.terms.callback_url)


def _is_first_visit(delivery: Delivery) -> bool:
    """Return whether other addresses may not have their deliveries of the event yet.

    An order's own address is its only target, and an event of an endpoint has one.
    """
    event = delivery.event
    has_one_target = event.callback_url or event.type.is_of_account or delivery.endpoint_id
    return not has_one_target and delivery.round == 0 and delivery.tries == 0


def fan_out(delivery: Delivery, merchant: Merchant, ports: DeliveryPorts) -> None:
    """Record and queue the event's deliveries to the merchant's further addresses, each once.

    If the process dies in between, the next visit goes on, and the sweep sends what was recorded.
    Raises: TryAgain.
    """
    event = delivery.event
    for address in merchant.addresses:
        if not address.wants(event.type):
            continue
        first = replace(opened(event), endpoint_id=address.endpoint_id)
        other = watched(first, ports.now_ms())
        with suppress(ChangedMeanwhile):
            if ports.deliveries.delivery(other.key) is None:
                ports.deliveries.save(other)
                ports.messages.delay(other.reference, 0)


def _enter(
    delivery: Delivery, target: Target, reference: CallbackReference, ports: DeliveryPorts
) -> Done:
    """Make an attempt in one of the merchant's lanes, if one is free."""
    merchant = target.merchant
    secrets = ports.merchants.callback_secrets(merchant, target.address)
    if not ports.lanes.enter(merchant.merchant_id, merchant.terms.max_callback_rps):
        # Enough containers send to this merchant already; this one stays free for others.
        visits = reference.visits + 1
        wait = crowded_seconds(visits, ports.chance.below)
        ports.messages.delay(replace(delivery.reference, visits=visits), wait)
        return Done(Outcome.CROWDED)
    posted: _Posted | None = None
    try:
        if target.is_probe and target.known is not None:
            began = next_version(probing(target.known, ports.now_ms(), ports.speedup))
            target = replace(target, known=began)
            ports.endpoints.save(began)
        posted = _post(delivery, target.url, secrets, ports)
    except ChangedMeanwhile:
        return _wait(delivery, target.known, ports)  # another delivery probes
    finally:
        counts = posted is not None and not target.is_probe
        ports.lanes.leave(merchant.merchant_id, posted.attempt if posted and counts else None)
    return _record(delivery, target, posted, reference, ports)


@dataclass(frozen=True, slots=True)
class _Posted:
    """An attempt, and when it began and ended (Unix ms)."""

    attempt: Attempt
    began_ms: int
    over_ms: int


def _post(delivery: Delivery, url: str, secrets: tuple[str, ...], ports: DeliveryPorts) -> _Posted:
    event, began_ms = delivery.event, ports.now_ms()
    headers = _headers(event.webhook_id, began_ms // MS, event.body, secrets)
    attempt = ports.sender.send(url, headers, event.body)
    return _Posted(attempt, began_ms, ports.now_ms())


def _record(
    delivery: Delivery,
    target: Target,
    posted: _Posted,
    reference: CallbackReference,
    ports: DeliveryPorts,
) -> Done:
    """Write the delivery's record, then send its next message, then the endpoint's state."""

    def after(current: Delivery) -> Delivery:
        return steps.attempted(
            current,
            posted.attempt,
            target.url,
            reference=reference,
            at_ms=posted.began_ms,
            now_ms=posted.over_ms,
            below=ports.chance.below,
            speedup=ports.speedup,
            probed=target.probed,
        )

    before, written = _write(delivery, after, ports)
    _act(steps.after_attempt(before, written, reference), written, ports)
    learn(target, delivery, posted.attempt, ports)
    if posted.attempt.delivered:
        age = posted.over_ms // MS - delivery.event.timestamp
        return Done(Outcome.DELIVERED, attempted=True, age_seconds=age)
    return Done(_failed(written.state), attempted=True)


def _wait(delivery: Delivery, endpoint: Endpoint | None, ports: DeliveryPorts) -> Done:
    """Record that a delivery waits for its paused endpoint, without a message."""
    assert endpoint is not None
    _save(steps.waiting_for(delivery, endpoint.id.text, ports.now_ms()), ports)
    return Done(Outcome.PAUSED)


def _failed(state: DeliveryState) -> Outcome:
    """Return the outcome of a message without a success, by the new state of the record."""
    match state:
        case DeliveryState.PENDING | DeliveryState.DELIVERED | DeliveryState.FAILED:
            return Outcome.FAILED  # also if a copy of the message continues or has delivered
        case (
            DeliveryState.DEAD
            | DeliveryState.GONE
            | DeliveryState.UNDELIVERABLE
            | DeliveryState.SKIPPED
        ):
            return Outcome(state.value)


def _end(delivery: Delivery, state: DeliveryState, ports: DeliveryPorts) -> Done:
    _save(steps.ended(delivery, state, ports.now_ms()), ports)
    return Done(_failed(state))


def _save(after: Delivery, ports: DeliveryPorts) -> None:
    try:
        ports.deliveries.save(after)
    except ChangedMeanwhile:
        # A copy of the message wrote first. SQS delivers this one again, with the new record.
        raise TryAgain from None


def _give_up(delivery: Delivery, ports: DeliveryPorts) -> Done:
    """End a delivery whose endpoint was paused for too long; its dead letter follows the record."""
    done = _end(delivery, DeliveryState.DEAD, ports)
    ports.messages.dead_letter(delivery.reference.to_json())
    return done


def _write(
    delivery: Delivery, after: Callable[[Delivery], Delivery], ports: DeliveryPorts
) -> tuple[Delivery, Delivery]:
    """Write the record after an attempt; return it as it was before and after. Raises: TryAgain."""
    for _ in range(WRITES_MAX):
        written = after(delivery)
        try:
            ports.deliveries.save(written)
        except ChangedMeanwhile:
            delivery = ports.deliveries.delivery(delivery.key) or delivery
        else:
            return delivery, written
    raise TryAgain


def _act(decision: NextStep, delivery: Delivery, ports: DeliveryPorts) -> None:
    match decision.then:
        case Then.WAIT | Then.SEND:
            ports.messages.delay(delivery.reference, decision.seconds)
        case Then.DEAD_LETTER:
            ports.messages.dead_letter(delivery.reference.to_json())
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
