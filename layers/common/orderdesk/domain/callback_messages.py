"""A message of the queue of callbacks: an event, and which round of its delivery it belongs to.

The relay writes the event alone: round 0. A redelivery is the same event in a later round.
"""

import json
from dataclasses import dataclass
from typing import Self

from orderdesk.domain.callback_events import CallbackEvent, UnreadableEvent

_ROUND = "round"


@dataclass(frozen=True, slots=True)
class CallbackMessage:
    """An event to deliver, in a round of its delivery."""

    event: CallbackEvent
    round: int = 0

    def to_json(self) -> str:
        """Write it for the queue."""
        return json.dumps({**json.loads(self.event.to_json()), _ROUND: self.round})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a message of the relay or of a redelivery. Raises: UnreadableEvent."""
        event = CallbackEvent.from_json(text)
        round_ = json.loads(text).get(_ROUND, 0)
        if not isinstance(round_, int) or round_ < 0:
            raise UnreadableEvent
        return cls(event, round_)
