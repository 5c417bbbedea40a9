"""A message of the queue as it comes: read and delivered; whatever is wrong with it stays its own.

What cannot be read never will be: it is reported and buried. Any other failure leaves the message
to come back by itself.
"""

from dataclasses import dataclass, field

from orderdesk.domain.callback_deliveries import Carrier
from orderdesk.domain.callback_events import UnreadableEvent
from orderdesk.domain.callback_messages import CallbackMessage
from orderdesk.domain.errors import TryAgain
from orderdesk.services.callback_ports import DeliveryDesk
from orderdesk.services.deliver_callback import Done, Outcome, Visit, deliver


@dataclass(frozen=True, slots=True)
class Received:
    """A message as SQS gave it, for the `count`th time; `handle` puts it off."""

    message_id: str
    handle: str
    text: str = field(repr=False)
    count: int = 1


def visit(received: Received, desk: DeliveryDesk) -> Done:
    """Deliver a message. Raises nothing."""
    try:
        return _visit(received, desk)
    except TryAgain:
        return Done(Outcome.LEFT, keeps_message=True)
    except Exception as error:  # noqa: BLE001 - one message's failure must not repeat its batch
        desk.report(error)
        return Done(Outcome.LEFT, keeps_message=True)


def _visit(received: Received, desk: DeliveryDesk) -> Done:
    try:
        message = CallbackMessage.from_json(received.text)
    except UnreadableEvent as error:
        desk.report(error)
        desk.messages.bury(received.text)
        return Done(Outcome.UNREADABLE)
    carrier = Carrier(received.message_id, message.round)
    known = Visit(received.handle, received.text, received.count, carrier, message.event)
    return deliver(known, desk)
