"""The steps of a delivery: its record after each step, and what to do with the queue's message.

Every step returns the new record. A message only names a delivery; `decide` uses the record. If a
process dies between two steps, the next receiver of the message, or the sweep, continues from the
record.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from orderdesk.domain.callbacks.delivery import (
    ANSWER_KEPT_BYTES,
    Attempt,
    Delivery,
    DeliveryState,
    KeptAttempt,
    Waits,
)
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference, CallbackType
from orderdesk.domain.callbacks.schedule import MS, Below, asked_ms, next_attempt_ms

GONE_STATUS = 410
# A callback may be redelivered many times; only its last attempts are stored. One schedule has ten
# attempts.
ATTEMPTS_KEPT = 30
# SQS delays a message for at most 15 minutes. A delayed message is not in flight, a hidden one is.
# A delivery that waits longer has no message until the sweep sends one.
DELAY_SECONDS_MAX = 900
# The sweep runs once a minute, so it sends the delayed message of a long wait a minute before.
SWEEP_MS = 60 * MS
# When the sweep sends another message, in case the first one was lost with its process.
SPARE_MS = 120 * MS


class Then(StrEnum):
    SEND = "send"
    WAIT = "wait"
    DELETE = "delete"
    DEAD_LETTER = "dead_letter"


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do with a message, and by how many seconds the next one is delayed."""

    then: Then
    seconds: int = 0


def opened(event: CallbackEvent) -> Delivery:
    """Return an event's first record, which is the same whenever the relay writes it."""
    return Delivery(event, DeliveryState.PENDING, event.timestamp * MS, version=1)


def decide(delivery: Delivery, reference: CallbackReference, now_ms: int) -> NextStep:
    """Decide what to do with a message.

    A message of an earlier round or attempt is deleted, because another one followed it. If the
    process of the last attempt died before it sent the dead letter, its message still does.
    """
    match delivery.state:
        case DeliveryState.PENDING:
            is_next = delivery.is_carried_by(reference)
            return waiting(delivery, now_ms) if is_next else NextStep(Then.DELETE)
        case DeliveryState.DEAD:
            was_last = reference.round == delivery.round and reference.turn == delivery.turn - 1
            return NextStep(Then.DEAD_LETTER if was_last else Then.DELETE)
        case (
            DeliveryState.DELIVERED
            | DeliveryState.UNDELIVERABLE
            | DeliveryState.GONE
            | DeliveryState.SKIPPED
            | DeliveryState.FAILED
        ):
            return NextStep(Then.DELETE)


def waiting(delivery: Delivery, now_ms: int) -> NextStep:
    """Decide what to do with the message of a pending delivery, by the time left."""
    seconds = -(-max((delivery.next_ms or 0) - now_ms, 0) // MS)
    if seconds == 0:
        return NextStep(Then.SEND)
    if seconds > DELAY_SECONDS_MAX:
        return NextStep(Then.DELETE)  # the sweep puts it on the queue
    return NextStep(Then.WAIT, seconds)


def after_attempt(before: Delivery, after: Delivery, reference: CallbackReference) -> NextStep:
    """Decide how a delivery continues after an attempt, by its record before and after it.

    If the message no longer carried the delivery, a copy of the message continues it.
    """
    if before.state is not DeliveryState.PENDING or not before.is_carried_by(reference):
        return NextStep(Then.DELETE)
    if after.state is DeliveryState.DEAD:
        return NextStep(Then.DEAD_LETTER)
    if after.state is not DeliveryState.PENDING or after.waits is not None:
        return NextStep(Then.DELETE)
    decision = waiting(after, after.updated_ms)
    return NextStep(Then.WAIT) if decision.then is Then.SEND else decision


def attempted(
    delivery: Delivery,
    attempt: Attempt,
    url: str,
    *,
    reference: CallbackReference,
    at_ms: int,
    now_ms: int,
    below: Below,
    speedup: int = 1,
    probed: str | None = None,
) -> Delivery:
    """Record an attempt that began at `at_ms` and ended at `now_ms` (Unix ms).

    `probed` is the paused endpoint that the attempt probed. If the probe failed, it is on record
    but uses up nothing of the schedule, and the delivery waits for the endpoint.

    If the record changed meanwhile (the message came twice, or was redelivered), a failure is
    ignored and a success counts.
    """
    state, tries, turn = delivery.state, delivery.tries, delivery.turn
    next_ms, due_ms, waits = delivery.next_ms, delivery.due_ms, delivery.waits
    is_its_own = delivery.is_carried_by(reference)
    if attempt.delivered:
        state, tries, next_ms, due_ms, waits = DeliveryState.DELIVERED, tries + 1, None, None, None
    elif not is_its_own or state is not DeliveryState.PENDING:
        pass
    elif probed is not None and attempt.status != GONE_STATUS:
        turn, due_ms = turn + 1, now_ms + asked_ms(attempt.retry_after, now_ms)
        waits = _waits(delivery, probed, now_ms)
    else:
        waits = None
        tries, turn = tries + 1, turn + 1
        asked = attempt.retry_after
        next_ms = next_attempt_ms(tries, now_ms, below, retry_after=asked, speedup=speedup)
        state = DeliveryState.DEAD if next_ms is None else DeliveryState.PENDING
        if delivery.event.type is CallbackType.ENDPOINT_TEST:
            state, next_ms = DeliveryState.FAILED, None  # it is attempted once
        elif attempt.status == GONE_STATUS:
            state, next_ms = DeliveryState.GONE, None
        due_ms = _due_ms(next_ms, now_ms)
    return replace(
        delivery,
        state=state,
        updated_ms=now_ms,
        version=delivery.version + 1,
        tries=tries,
        next_ms=next_ms,
        due_ms=due_ms,
        turn=turn,
        waits=waits,
        url=url,
        attempts=(*delivery.attempts, _kept(attempt, at_ms))[-ATTEMPTS_KEPT:],
    )


def ended(delivery: Delivery, state: DeliveryState, now_ms: int) -> Delivery:
    """End a delivery without an attempt: it has no URL, or its merchant does not want the event."""
    return _stepped(delivery, state=state, updated_ms=now_ms, next_ms=None, due_ms=None, waits=None)


def redelivered(delivery: Delivery, now_ms: int) -> Delivery:
    """Start the whole schedule again, whatever the delivery's state was."""
    begun, due_ms = ended(delivery, DeliveryState.PENDING, now_ms), now_ms + SPARE_MS
    return replace(begun, round=delivery.round + 1, tries=0, due_ms=due_ms)


def watched(delivery: Delivery, now_ms: int) -> Delivery:
    """Return a first record whose message the sweep sends if its process dies before it does."""
    return replace(delivery, due_ms=now_ms + SPARE_MS)


def waiting_for(delivery: Delivery, endpoint: str, now_ms: int) -> Delivery:
    """Record that a delivery waits for a paused endpoint, without a message; its schedule stays."""
    return _stepped(delivery, due_ms=now_ms, waits=_waits(delivery, endpoint, now_ms))


def _waits(delivery: Delivery, endpoint: str, now_ms: int) -> Waits:
    return Waits(endpoint, now_ms if delivery.waits is None else delivery.waits.since_ms)


def queued(delivery: Delivery, now_ms: int, delay_seconds: int = 0) -> Delivery:
    """Record that the sweep sends the delivery's message; it sends another one later."""
    due_ms = max(delivery.next_ms or 0, now_ms + delay_seconds * MS) + SPARE_MS
    return _stepped(delivery, due_ms=due_ms)


def _due_ms(next_ms: int | None, now_ms: int) -> int | None:
    """Return when the sweep sends a message; a delayed message was sent for a shorter wait."""
    if next_ms is None:
        return None
    is_long = next_ms - now_ms > DELAY_SECONDS_MAX * MS
    return next_ms - SWEEP_MS if is_long else next_ms + SPARE_MS


def _stepped(delivery: Delivery, **changes: Any) -> Delivery:
    return replace(delivery, version=delivery.version + 1, turn=delivery.turn + 1, **changes)


def _kept(attempt: Attempt, at_ms: int) -> KeptAttempt:
    return KeptAttempt(
        at_ms=at_ms,
        status=attempt.status,
        latency_ms=attempt.latency_ms,
        failure=attempt.failure,
        answer=attempt.answer[:ANSWER_KEPT_BYTES].decode("utf-8", "replace"),
    )
