"""send-callback on moto: its own handler and wiring, only the network is a script."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.domain.callbacks.delivery import Delivery
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackMessage
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.callback_merchants import add_callback_merchant
from tests.support.deliveries import EVENT, URL, Post
from tests.support.world import ENVIRONMENT, World

QUEUE = ENVIRONMENT["CALLBACKS_QUEUE_URL"]
CALLBACKS = ENVIRONMENT["CALLBACKS_QUEUE_URL"]
DEAD_LETTERS = ENVIRONMENT["CALLBACKS_DEAD_LETTER_QUEUE_URL"]


@dataclass
class CallbackWorld:
    """A world, a merchant that takes callbacks, and the function that sends them."""

    world: World
    merchant: Merchant
    secret: str = field(repr=False)
    post: Post = field(default_factory=Post)

    @classmethod
    def on(cls, world: World) -> Self:
        """Put a merchant into a world and start the function cold."""
        merchant, _, secret = add_callback_merchant(world, URL)
        made = cls(world, merchant, secret)
        made.start_cold()
        return made

    def start_cold(self) -> None:
        """Forget what a warm container keeps."""
        module: Any = self.world.cold_start("send_callback")
        # On one thread: moto's tables are not for several.
        module.pool = self
        module.ports = replace(module.ports, sender=self.post)

    @staticmethod
    def map(function: Any, records: Any) -> Any:
        """Do what a pool of one thread does."""
        return map(function, records)

    def event(self, number: str = "B1", **changes: Any) -> CallbackEvent:
        """Give an event of the merchant."""
        merchant_id = self.merchant.merchant_id
        named = {"merchant_id": merchant_id, "number": number, "webhook_id": f"msg_{number}_2"}
        return replace(EVENT, **{**named, **changes})

    def put(self, *events: CallbackEvent) -> None:
        """Put events on the queue, as the relay does."""
        for event in events:
            self.world.sqs.send_message(QueueUrl=QUEUE, MessageBody=event.to_json())

    def deliver(self) -> Sequence[str]:
        """Do what Lambda does with a queue, once; give the texts of what stays there."""
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
        answer = self.world.modules["send_callback"].handler({"Records": records}, None)
        kept = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for message in messages:
            if message["MessageId"] not in kept:
                handle = message["ReceiptHandle"]
                self.world.sqs.delete_message(QueueUrl=QUEUE, ReceiptHandle=handle)
        return [message["Body"] for message in messages if message["MessageId"] in kept]

    def queued(self) -> tuple[int, int]:
        """Tell how many messages are visible, and how many hidden."""
        there = self.world.sqs.get_queue_attributes(QueueUrl=QUEUE, AttributeNames=["All"])
        counts = there["Attributes"]
        hidden = counts["ApproximateNumberOfMessagesNotVisible"]
        return int(counts["ApproximateNumberOfMessages"]), int(hidden)

    def dead_letters(self) -> list[CallbackMessage]:
        """Take what is on the dead-letter queue."""
        messages = self.world.sqs.receive_message(QueueUrl=DEAD_LETTERS, MaxNumberOfMessages=10)
        return [CallbackMessage.from_json(each["Body"]) for each in messages.get("Messages", [])]

    def delivery(self, webhook_id: str) -> Delivery:
        """Read a delivery."""
        delivery = CallbackStore(self.world.client, "Callbacks", 90).delivery(webhook_id)
        assert delivery is not None
        return delivery

    def put_record(self, delivery: Delivery) -> None:
        """Write a delivery as it is to be found, whatever was there."""
        CallbackStore(self.world.client, "Callbacks", 90).save(replace(delivery, version=1))


def logged(output: str) -> list[dict[str, Any]]:
    """Read the lines of a function's log."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]
