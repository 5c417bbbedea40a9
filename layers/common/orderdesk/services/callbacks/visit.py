"""A message of the queue as it comes: read and delivered; whatever is wrong with it stays its own.

What cannot be read never will be: it is reported and buried. Any other failure leaves the message
to come back by itself.
"""

from dataclasses import dataclass, field

from orderdesk.domain.callbacks.delivery import Carrier
from orderdesk.domain.callbacks.events import CallbackMessage, UnreadableEvent
from orderdesk.domain.errors import TryAgain
from orderdesk.services.callbacks.deliver import Done, Outcome, Visit, deliver
from orderdesk.services.callbacks.ports import DeliveryPorts


@dataclass(frozen=True, slots=True)
class Received:
    """A message as SQS gave it, for the `count`th time; `handle` puts it off."""

    message_id: str
    handle: str
    text: str = field(repr=False)
    count: int = 1


def visit(received: Received, ports: DeliveryPorts) -> Done:
    """Deliver a message. Raises nothing."""
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
