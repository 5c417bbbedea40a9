"""relay-events and send-callback in this process, with their handlers; the network is faked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Self

import boto3

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.deliveries import EVENT, URL, Post
from tests.support.faults import client_killed_at, registered
from tests.support.merchant_receiver import add_callback_merchant
from tests.support.money_world import MoneyWorld, Step
from tests.support.template import template
from tests.support.world import ENVIRONMENT, TimeLeft, World

QUEUE = ENVIRONMENT["CALLBACKS_QUEUE_URL"]
DEAD_LETTERS = ENVIRONMENT["CALLBACKS_DEAD_LETTER_QUEUE_URL"]
RELAY: dict[str, Any] = template()["Resources"]["RelayEventsFunction"]["Properties"]
SOURCE: dict[str, Any] = RELAY["Events"]["OrdersStream"]["Properties"]
PATTERNS = [json.loads(each["Pattern"]) for each in SOURCE["FilterCriteria"]["Filters"]]

_POSITIONS = count(1)


@dataclass
class CallbackWorld:
    """A world, a merchant that receives callbacks, and send-callback."""

    world: World
    merchant: Merchant
    secret: str = field(repr=False)
    post: Post = field(default_factory=Post)

    @classmethod
    def on(cls, world: World) -> Self:
        merchant, _, secret = add_callback_merchant(world, URL)
        made = cls(world, merchant, secret)
        made.start_cold()
        return made

    def start_cold(self) -> None:
        """Load the function again; run its pool in this thread, in the order of the records."""
        module: Any = self.world.cold_start("send_callback")
        module.pool = self
        module.ports = replace(module.ports, sender=self.post)

    @staticmethod
    def map(function: Any, records: Any) -> Any:
        return map(function, records)

    def event(self, number: str = "B1", **changes: Any) -> CallbackEvent:
        merchant_id = self.merchant.merchant_id
        named = {"merchant_id": merchant_id, "number": number, "webhook_id": f"msg_{number}_2"}
        return replace(EVENT, **{**named, **changes})

    def put(self, *events: CallbackEvent) -> None:
        """Record events and send their references to the queue, as the relay does."""
        for event in events:
            self.store.record(event)
            self.put_again(event)

    @property
    def store(self) -> CallbackStore:
        return CallbackStore(self.world.client, "Callbacks", 90)

    def put_again(self, event: CallbackEvent) -> None:
        """Send the present reference of an event, as if SQS had waited for its delay."""
        body = self.delivery(event.webhook_id).reference.to_json()
        self.world.sqs.send_message(QueueUrl=QUEUE, MessageBody=body)

    def pass_time(self, *, seconds: int) -> None:
        """Advance the function's clock."""
        module: Any = self.world.modules["send_callback"]
        before = module.now_ms
        module.now_ms = lambda: before() + 1000 * seconds
        module.ports = replace(module.ports, now_ms=module.now_ms)

    def delayed(self) -> int:
        """Count the queue's delayed messages."""
        return self._count("Delayed")

    def sweep(self) -> None:
        """Run the function as its schedule does."""
        self.world.modules["send_callback"].handler({}, TimeLeft())

    def deliver(self) -> Sequence[str]:
        """Run the function once on a batch; return the bodies of the messages it keeps."""
        messages = self.world.sqs.receive_message(
            QueueUrl=QUEUE,
            MaxNumberOfMessages=10,
            VisibilityTimeout=180,
            AttributeNames=["ApproximateReceiveCount"],
        ).get("Messages", [])
        records = [
            {
                "messageId": message["MessageId"],
                "receiptHandle": message["ReceiptHandle"],
                "body": message["Body"],
                "attributes": message["Attributes"],
            }
            for message in messages
        ]
        answer = self.world.modules["send_callback"].handler({"Records": records}, TimeLeft())
        kept = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for message in messages:
            if message["MessageId"] not in kept:
                handle = message["ReceiptHandle"]
                self.world.sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=handle)
        return [message["Body"] for message in messages if message["MessageId"] in kept]

    def queued(self) -> tuple[int, int]:
        """Count the queue's visible and hidden messages."""
        return self._count(), self._count("NotVisible")

    def _count(self, which: str = "") -> int:
        sqs, name = self.world.sqs, f"ApproximateNumberOfMessages{which}"
        answer: Any = sqs.get_queue_attributes(QueueUrl=QUEUE, AttributeNames=["All"])
        return int(answer["Attributes"][name])

    def delivery(self, webhook_id: str) -> Delivery:
        delivery = self.store.delivery(webhook_id)
        assert delivery is not None
        return delivery

    def put_record(self, delivery: Delivery) -> None:
        """Write a delivery over whatever is stored."""
        self.store.save(replace(delivery, version=1))


def logged(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


class RelayWorld:
    """relay-events, invoked with the records of a world's Orders table that pass the filter."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.restart()
        streamed = world.client.update_table(
            TableName=world.tables.orders,
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )
        self._arn = streamed["TableDescription"]["LatestStreamArn"]
        self._streams = boto3.client("dynamodbstreams")
        self._seen = 0

    def restart(self) -> None:
        """Start a new process."""
        module: Any = self.world.cold_start("relay_events")
        module.pool = CallbackWorld
        self.module = module

    def records(self) -> list[dict[str, Any]]:
        """Return the records written since the last call that pass the event source's filter."""
        return [record for record in self.written() if passes(record)]

    def written(self) -> list[dict[str, Any]]:
        """Return the records of what was written since the last call.

        Each call reads from the beginning, and leaves out what an earlier one has returned.
        """
        streams, arn = self._streams, self._arn
        (shard,) = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
        begin = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )
        answer = streams.get_records(ShardIterator=begin["ShardIterator"])
        seen, self._seen = self._seen, len(answer["Records"])
        return [dict(record) for record in answer["Records"][seen:]]

    def handle(self, records: Sequence[Mapping[str, Any]]) -> None:
        self.module.handler({"Records": records}, None)

    def relay(self) -> list[str]:
        """Relay what was written since the last call; return the types of the events sent."""
        self.handle(self.records())
        return [event.type.value for event in self.sent()]

    def sent(self) -> list[CallbackEvent]:
        """Receive and delete every message on the queue; return the recorded events."""
        store = CallbackStore(self.world.client, "Callbacks", 90)
        references = [CallbackReference.from_json(each["Body"]) for each in self.messages()]
        found = [store.delivery(reference.webhook_id) for reference in references]
        return [delivery.event for delivery in found if delivery is not None]

    def messages(self, queue: str = "CALLBACKS_QUEUE_URL") -> list[dict[str, Any]]:
        """Receive and delete every message of a queue."""
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
        """Receive and delete every message of the relay's dead-letter queue."""
        messages = self.messages("RELAY_FAILURES_QUEUE_URL")
        return [json.loads(message["Body"]) for message in messages]

    def killed_at(self, number: int, when: str) -> AbstractContextManager[None]:
        """Kill the relay `before-call` or `after-call` of its SQS request `number`, from 0."""
        return client_killed_at(self.module.sqs, number, when)

    @contextmanager
    def answering(self, *answers: Any) -> Iterator[list[Any]]:
        """Answer each batch in turn, None with the queue's answer; yield each batch's entries."""
        left, seen = iter(answers), list[Any]()

        def answer(params: Mapping[str, Any], **_: Any) -> Any:
            seen.append(json.loads(params["body"])["Entries"])
            return next(left, None)

        with registered(self.module.sqs, "before-call.sqs.SendMessageBatch", answer):
            yield seen


def paid_buys(money: MoneyWorld, count: int) -> list[str]:
    """Create and pay orders; return their webhook_ids."""
    numbers = [money.create(OrderType.BUY, 100_00) for _ in range(count)]
    for number in numbers:
        money.do(Step(number, Actor.PAYER, Move.PAY))
    return [f"msg_{number}_2" for number in numbers]


def stream_record(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> dict[str, Any]:
    """Build the stream record of a write in the form that Lambda receives."""
    images = {"NewImage": to_item(after)}
    if before is not None:
        images["OldImage"] = to_item(before)
    position = next(_POSITIONS)
    return {
        "eventID": f"{position:032x}",
        "eventName": "INSERT" if before is None else "MODIFY",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1,
            "Keys": to_item({"pk": after["pk"]}),
            **images,
            "SequenceNumber": f"{position:030d}",
            "SizeBytes": 1,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/s",
    }


def passes(record: Mapping[str, Any]) -> bool:
    """Return whether one of the event source's patterns matches a record."""
    return any(_matches(pattern, record) for pattern in PATTERNS)


def _matches(pattern: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    return all(
        _matches(wanted, record.get(name) or {})
        if isinstance(wanted, dict)
        else any(_allows(one, record.get(name)) for one in wanted)
        for name, wanted in pattern.items()
    )


def _allows(wanted: object, value: object) -> bool:
    return (value is not None) is wanted["exists"] if isinstance(wanted, dict) else value == wanted
