"""A message of the queue: read and delivered, without any effect on the other messages.

A message that cannot be read now cannot be read later either: it is reported and buried. After any
other failure the queue brings the message back.
"""

from dataclasses import dataclass, field

from orderdesk.domain.callbacks.delivery import Carrier
from orderdesk.domain.callbacks.events import CallbackMessage, UnreadableEvent
from orderdesk.domain.errors import TryAgain
from orderdesk.services.callbacks.deliver import Done, Outcome, Visit, deliver
from orderdesk.services.callbacks.ports import DeliveryPorts


@dataclass(frozen=True, slots=True)
class Received:
    """A message from SQS, received for the `count`th time; `handle` is used to put it off."""

    message_id: str
    handle: str
    text: str = field(repr=False)
    count: int = 1


def visit(received: Received, ports: DeliveryPorts) -> Done:
    """Deliver a message. It raises nothing: failures are reported, and the message is kept."""
    try:
        return _visit(received, ports)
    except TryAgain:
        return Done(Outcome.LEFT, keeps_message=True)
    except Exception as error:  # noqa: BLE001 - one message's failure must not repeat its batch
        ports.report(error)
        return Done(Outcome.LEFT, keeps_message=True)


def _visit(received: Received, ports: DeliveryPorts) -> Done:
    try:
        message = CallbackMessage.from_json(received.text)
    except UnreadableEvent as error:
        ports.report(error)
        ports.messages.bury(received.text)
        return Done(Outcome.UNREADABLE)
    carrier = Carrier(received.message_id, message.round)
    known = Visit(received.handle, received.text, received.count, carrier, message.event)
    return deliver(known, ports)
