"""Deliveries of callbacks as operators see them."""

from collections.abc import Sequence

from rich.console import RenderableType

from orderdesk.domain.callbacks.delivery import Delivery, KeptAttempt
from orderdesk.domain.callbacks.schedule import MS
from orderdesk_cli.output import Answer, Json, listing, record, stacked, time_text

_ANSWER_SHOWN = 60


def delivery_data(delivery: Delivery) -> dict[str, Json]:
    """Write a delivery for programs; times in Unix seconds."""
    event, next_ms = delivery.event, delivery.next_ms
    return {
        "webhook_id": event.webhook_id,
        "type": event.type.value,
        "merchant_id": event.merchant_id,
        "number": event.number,
        "sequence": event.sequence,
        "state": delivery.state.value,
        "url": delivery.url or None,
        "event_time": event.timestamp,
        "updated_time": delivery.updated_ms // MS,
        "next_time": None if next_ms is None else next_ms // MS,
        "redeliveries": delivery.round,
        "attempts": [_attempt_data(attempt) for attempt in delivery.attempts],
    }


def deliveries_drawn(deliveries: Sequence[Delivery], empty: str) -> RenderableType:
    """Draw deliveries, a row each."""
    rows = [
        [
            delivery.event.webhook_id,
            delivery.event.type.value,
            delivery.event.merchant_id,
            delivery.state.value,
            str(len(delivery.attempts)),
            _outcome(delivery.attempts[-1]) if delivery.attempts else "",
            time_text(delivery.updated_ms // MS),
            "" if delivery.next_ms is None else time_text(delivery.next_ms // MS),
        ]
        for delivery in deliveries
    ]
    columns = ["callback", "type", "merchant", "state", "attempts", "last", "changed", "next"]
    return listing(columns, rows, empty)


def attempts_drawn(deliveries: Sequence[Delivery]) -> RenderableType:
    """Draw all attempts of deliveries, a row each."""
    rows = [
        [
            delivery.event.webhook_id,
            time_text(attempt.at_ms // MS),
            _outcome(attempt),
            str(attempt.latency_ms),
            _one_line(attempt.answer),
        ]
        for delivery in deliveries
        for attempt in delivery.attempts
    ]
    return listing(["callback", "attempt", "outcome", "ms", "answer"], rows, "No attempts.")


def of_order(number: str, deliveries: Sequence[Delivery]) -> Answer:
    """Answer `callback list NO`."""
    drawn = deliveries_drawn(deliveries, f"{number} has no callbacks.")
    shown = stacked(drawn, "", attempts_drawn(deliveries)) if deliveries else drawn
    return Answer([delivery_data(delivery) for delivery in deliveries], shown)


def listed(deliveries: Sequence[Delivery], empty: str) -> Answer:
    """Answer `callback list` and `callback dead`."""
    data: list[Json] = [delivery_data(delivery) for delivery in deliveries]
    return Answer(data, deliveries_drawn(deliveries, empty))


def redelivered(delivery: Delivery) -> Answer:
    """Answer `callback redeliver`."""
    event = delivery.event
    fields = {
        "webhook_id": event.webhook_id,
        "type": event.type.value,
        "number": event.number,
        "merchant_id": event.merchant_id,
    }
    return Answer(delivery_data(delivery), record("On its way again", fields))


def _attempt_data(attempt: KeptAttempt) -> dict[str, Json]:
    return {
        "time": attempt.at_ms // MS,
        "status": attempt.status,
        "latency_ms": attempt.latency_ms,
        "failure": attempt.failure,
        "answer": attempt.answer,
    }


def _outcome(attempt: KeptAttempt) -> str:
    status = "" if attempt.status is None else str(attempt.status)
    return " ".join(part for part in (status, attempt.failure) if part)


def _one_line(answer: str) -> str:
    """Shorten a receiver's answer to one row, without characters that control the terminal."""
    printable = "".join(letter if letter.isprintable() else " " for letter in answer)
    words = " ".join(printable.split())
    return words if len(words) <= _ANSWER_SHOWN else words[: _ANSWER_SHOWN - 1] + "…"
