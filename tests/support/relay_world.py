"""The relay's handler on moto, fed with what a world's Orders table lives through."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.faults import Killed
from tests.support.money_world import MoneyWorld, Step
from tests.support.order_stream import OrderStream, passes
from tests.support.world import ENVIRONMENT, World

SEND = "SendMessageBatch"


class RelayWorld:
    """What was written since the last look goes through the event source to the handler."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.module = world.cold_start("relay_events")
        self.stream = OrderStream(world.client, world.tables.orders)

    def restart(self) -> None:
        """Go on in a new process."""
        self.module = self.world.cold_start("relay_events")

    def records(self) -> list[dict[str, Any]]:
        """Give what the event source would hand over."""
        return [record for record in self.stream.records() if passes(record)]

    def handle(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Run the handler. Raises what it raises."""
        self.module.handler({"Records": records}, None)

    def relay(self) -> list[str]:
        """Relay what was written since the last look; give the types of what was sent."""
        self.handle(self.records())
        return [event.type.value for event in self.sent()]

    def sent(self) -> list[CallbackEvent]:
        """Take everything out of the queue."""
        return [CallbackEvent.from_json(message["Body"]) for message in self.messages()]

    def messages(self, queue: str = "CALLBACKS_QUEUE_URL") -> list[dict[str, Any]]:
        """Take everything out of a queue, as it was received."""
        sqs, url = self.world.sqs, ENVIRONMENT[queue]
        found: list[Any] = []
        while page := sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        ).get("Messages"):
            found += page
            for message in page:
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return found

    def aside(self) -> list[dict[str, Any]]:
        """Take everything out of the queue of failures."""
        messages = self.messages("RELAY_FAILURES_QUEUE_URL")
        return [json.loads(message["Body"]) for message in messages]

    @contextmanager
    def killed_at(self, number: int, when: str) -> Iterator[None]:
        """Kill the relay `before-call` or `after-call` of its request `number` (from 0)."""
        seen = iter(range(10_000))

        def kill(**_: Any) -> None:
            if next(seen) == number:
                raise Killed

        with self._registered(f"{when}.sqs", kill):
            yield

    @contextmanager
    def answering(self, *answers: Any) -> Iterator[list[Any]]:
        """Answer each batch in turn as given, None as it is; give the entries that were sent."""
        given, seen = iter(answers), list[Any]()

        def answer(params: Mapping[str, Any], **_: Any) -> Any:
            seen.append(json.loads(params["body"])["Entries"])
            return next(given, None)

        with self._registered(f"before-call.sqs.{SEND}", answer):
            yield seen

    @contextmanager
    def _registered(self, name: str, handler: Any) -> Iterator[None]:
        events = self.module.sqs.meta.events
        events.register(name, handler)
        try:
            yield
        finally:
            events.unregister(name, handler)


def paid_buys(money: MoneyWorld, count: int) -> list[str]:
    """Create and pay orders; give their webhook_ids."""
    numbers = [money.create(OrderType.BUY, 100_00) for _ in range(count)]
    for number in numbers:
        money.do(Step(number, Actor.PAYER, Move.PAY))
    return [f"msg_{number}_2" for number in numbers]
