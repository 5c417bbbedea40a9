"""Send a push: at most one attempt for each receipt of a message.

The message names a device, and the device is read again. So a trader that logged out, was suspended
or got a new access code meanwhile receives no push.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.events import UnreadableMessage
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.pushes.devices import Device, push_origin
from orderdesk.domain.pushes.notices import Push, PushResult, push_result, retry_seconds
from orderdesk.services.ports import FindsTraders, Sender
from orderdesk.services.pushes.devices import DevicePorts, switch_off

_TOPIC = "orders"  # a push service keeps only the latest push of a topic (RFC 8030, 5.4)


class PushOutcome(StrEnum):
    """The result of a message."""

    SENT = "sent"
    FAILED = "failed"
    RETRIED = "retried"
    GONE = "gone"
    LATE = "late"
    OFF = "off"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class PushDone:
    """The outcome of a message, and whether the message stays on the queue."""

    outcome: PushOutcome
    keeps_message: bool = False


@dataclass(frozen=True, slots=True)
class PushMessage:
    """A message from SQS, received for the `count`th time; `handle` is its receipt handle."""

    handle: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class SendPorts:
    """The ports of sending.

    `hide` hides the message of a handle for so many seconds; then SQS delivers it again.
    `authorization` returns the header for a push service's origin at a time (Unix seconds). Both
    raise TryAgain. `report` receives unexpected exceptions.
    """

    devices: DevicePorts
    traders: FindsTraders
    sender: Sender
    hide: Callable[[str, int], None]
    authorization: Callable[[str, int], str]
    now: Callable[[], int]
    report: Callable[[Exception], None]
    allow_loopback: bool


def send_push(message: PushMessage, ports: SendPorts) -> PushDone:
    """Send a push.

    It raises nothing: after an unexpected failure SQS delivers the message again.
    """
    try:
        return _send(Push.from_json(message.text), message, ports)
    except TryAgain:
        return PushDone(PushOutcome.LEFT, keeps_message=True)
    except UnreadableMessage as error:
        ports.report(error)
        return PushDone(PushOutcome.FAILED)
    except Exception as error:  # noqa: BLE001 - one message's failure must not repeat its batch
        ports.report(error)
        return PushDone(PushOutcome.LEFT, keeps_message=True)


def _send(push: Push, message: PushMessage, ports: SendPorts) -> PushDone:
    now = ports.now()
    if now >= push.until:
        return PushDone(PushOutcome.LATE)
    device = _device(push, ports, now)
    if device is None:
        return PushDone(PushOutcome.OFF)
    attempt = _attempt(device, push.until - now, ports, now)
    match push_result(attempt):
        case PushResult.TAKEN:
            return PushDone(PushOutcome.SENT)
        case PushResult.GONE:
            switch_off(push.device, push.trader_id, ports.devices)
            return PushDone(PushOutcome.GONE)
        case PushResult.REFUSED:
            return PushDone(PushOutcome.FAILED)
        case PushResult.LATER:
            return _retry(push, message, attempt.retry_after, ports)


def _attempt(device: Device, ttl_seconds: int, ports: SendPorts, now: int) -> Attempt:
    """Post once, if the address of the device's push service is allowed."""
    origin = push_origin(device.endpoint, allow_loopback=ports.allow_loopback)
    if origin is None:
        return Attempt(None, 0, failure=Failure.REFUSED_TARGET)
    headers = {
        "TTL": str(ttl_seconds),
        "Urgency": "high",
        "Topic": _TOPIC,
        "Authorization": ports.authorization(origin, now),
    }
    return ports.sender.send(device.endpoint, headers, "")


def _device(push: Push, ports: SendPorts, now: int) -> Device | None:
    """Find the device if it still receives pushes; otherwise remove it."""
    kept = ports.devices.store.devices_of(push.trader_id).devices
    device = next((device for device in kept if device.key == push.device), None)
    if device is None:
        return None
    trader = ports.traders.trader(push.trader_id)
    if trader and not trader.suspended and device.is_active(trader.access.access_code_hash, now):
        return device
    switch_off(push.device, push.trader_id, ports.devices)
    return None


def _retry(push: Push, message: PushMessage, retry_after: str | None, ports: SendPorts) -> PushDone:
    wait = retry_seconds(message.count, push.until, ports.now(), retry_after)
    if wait is None:
        return PushDone(PushOutcome.FAILED)
    ports.hide(message.handle, wait)
    return PushDone(PushOutcome.RETRIED, keeps_message=True)
