"""The steps of a delivery: its record after each step, and what to do with the queue's message.

Every step returns the new record. `decide` uses the record only, before and after an attempt. If a
process dies between two steps, the next receiver of the message continues from the record.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from orderdesk.domain.callbacks.delivery import (
    ANSWER_KEPT_BYTES,
    Attempt,
    Carrier,
    Delivery,
    DeliveryState,
    KeptAttempt,
)
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.callbacks.schedule import MS, Below, next_attempt_ms

GONE_STATUS = 410
# A callback may be redelivered many times; only its last attempts are stored. One schedule has ten
# attempts.
ATTEMPTS_KEPT = 30
# SQS hides a message for at most 12 h after it was received; one minute is subtracted for the time
# since then. A message that must wait longer is hidden again.
WAIT_SECONDS_MAX = 43_140


class Then(StrEnum):
    SEND = "send"
    WAIT = "wait"
    DELETE = "delete"
    DEAD_LETTER = "dead_letter"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a message, and how many seconds it waits."""

    then: Then
    seconds: int = 0


def opened(event: CallbackEvent, carrier: Carrier, now_ms: int) -> Delivery:
    """Start the record of an event that has none."""
    return Delivery(event, DeliveryState.PENDING, now_ms, round=carrier.round)


def decide(delivery: Delivery, carrier: Carrier, now_ms: int) -> Decision:
    """Decide what to do with a message.

    A message of an earlier round is deleted, because a redelivery replaced it. A second message
    that the relay sent for the same event is deleted too, because one message carries a delivery
    through its schedule.
    """
    if not delivery.is_carried_by(carrier):
        return Decision(Then.DELETE)
    match delivery.state:
        case DeliveryState.PENDING:
            rest_ms = (delivery.next_ms or 0) - now_ms
            if rest_ms <= 0:
                return Decision(Then.SEND)
            return Decision(Then.WAIT, min(-(-rest_ms // MS), WAIT_SECONDS_MAX))
        case DeliveryState.DEAD:
            return Decision(Then.DEAD_LETTER)
        case (
            DeliveryState.DELIVERED
            | DeliveryState.UNDELIVERABLE
            | DeliveryState.GONE
            | DeliveryState.SKIPPED
        ):
            return Decision(Then.DELETE)


def attempted(
    delivery: Delivery,
    attempt: Attempt,
    url: str,
    *,
    carrier: Carrier,
    at_ms: int,
    now_ms: int,
    below: Below,
    speedup: int = 1,
) -> Delivery:
    """Record an attempt that began at `at_ms` and ended at `now_ms` (Unix ms).

    If the record changed meanwhile (the message came twice, or was redelivered), a failure is
    ignored and a success counts.
    """
    state, tries, next_ms = delivery.state, delivery.tries, delivery.next_ms
    is_its_own = delivery.is_carried_by(carrier)
    if attempt.delivered:
        state, tries, next_ms = DeliveryState.DELIVERED, tries + 1, None
    elif state is DeliveryState.PENDING and is_its_own:
        tries += 1
        asked = attempt.retry_after
        next_ms = next_attempt_ms(tries, now_ms, below, retry_after=asked, speedup=speedup)
        state = DeliveryState.DEAD if next_ms is None else DeliveryState.PENDING
        if attempt.status == GONE_STATUS:
            state, next_ms = DeliveryState.GONE, None
    return replace(
        delivery,
        state=state,
        updated_ms=now_ms,
        version=delivery.version + 1,
        message_id=carrier.message_id if is_its_own else delivery.message_id,
        tries=tries,
        next_ms=next_ms,
        url=url,
        attempts=(*delivery.attempts, _kept(attempt, at_ms))[-ATTEMPTS_KEPT:],
    )


def ended(delivery: Delivery, state: DeliveryState, now_ms: int) -> Delivery:
    """End a delivery without an attempt: it has no URL, or its merchant does not want the event."""
    return _changed(delivery, state, now_ms)


def redelivered(delivery: Delivery, now_ms: int) -> Delivery:
    """Start the whole schedule again, whatever the delivery's state was."""
    begun = _changed(delivery, DeliveryState.PENDING, now_ms)
    return replace(begun, round=delivery.round + 1, message_id="", tries=0)


def _changed(delivery: Delivery, state: DeliveryState, now_ms: int) -> Delivery:
    version = delivery.version + 1
    return replace(delivery, state=state, updated_ms=now_ms, version=version, next_ms=None)


def _kept(attempt: Attempt, at_ms: int) -> KeptAttempt:
    return KeptAttempt(
        at_ms=at_ms,
        status=attempt.status,
        latency_ms=attempt.latency_ms,
        failure=attempt.failure,
        answer=attempt.answer[:ANSWER_KEPT_BYTES].decode("utf-8", "replace"),
    )
