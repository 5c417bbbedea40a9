"""The SQS queues of callbacks and pushes: standard queues, fair by merchant or trader.

A request is sent again if its response is lost, and two relays may send the same batch, so a queue
may hold two copies of a message; copies of a callback have the same webhook_id.
"""

import json
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, SENDS, call, pause

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

    from orderdesk.domain.callbacks.events import CallbackReference
    from orderdesk.domain.pushes.notices import Push
    from orderdesk.services.callbacks.relay import Unreadable


def sqs_client(session: Session) -> "SQSClient":
    """Create the client; region, credentials and endpoint come from the environment."""
    return cast("SQSClient", session.create_client("sqs", config=CLIENT_CONFIG))


class _Queue:
    """Base of the classes below."""

    def __init__(self, client: "SQSClient", queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def hide(self, handle: str, seconds: int) -> None:
        """Hide a received message for at most 43,200 s (12 h). Raises: TryAgain."""
        call(
            lambda: self._client.change_message_visibility(
                QueueUrl=self._queue_url, ReceiptHandle=handle, VisibilityTimeout=seconds
            )
        )

    def _send(self, body: str, queue_url: str = "", **more: Any) -> None:
        """Send one message, by default to the own queue. Raises: TryAgain."""
        url = queue_url or self._queue_url
        call(lambda: self._client.send_message(QueueUrl=url, MessageBody=body, **more))

    def _send_all[T](
        self, messages: Sequence[T], entry: Callable[[T], tuple[str, str]]
    ) -> Sequence[T]:
        """Send at most ten messages; return those that SQS refused in every attempt.

        `entry` returns a message's body and group. On a standard queue the group means fairness,
        not order. Raises: TryAgain if the result is unknown.
        """
        waiting = dict(enumerate(messages))
        for attempt in range(SENDS):
            parts = [(number, *entry(message)) for number, message in waiting.items()]
            refused = self._send_once(
                [
                    {"Id": str(n), "MessageBody": body, "MessageGroupId": group}
                    for n, body, group in parts
                ]
            )
            waiting = {number: waiting[number] for number in waiting if number in refused}
            if not waiting:
                break
            pause(attempt)
        return list(waiting.values())

    def _send_once(self, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> set[int]:
        """Send a batch; return the Ids of the refused entries."""
        answer = call(
            lambda: self._client.send_message_batch(QueueUrl=self._queue_url, Entries=entries)
        )
        return {int(failure["Id"]) for failure in answer.get("Failed", ())}


class CallbackQueues(_Queue):
    def __init__(self, client: "SQSClient", callbacks_url: str, failures_url: str) -> None:
        super().__init__(client, callbacks_url)
        self._failures_url = failures_url

    def send(self, references: "Sequence[CallbackReference]") -> Collection[str]:
        refused = self._send_all(references, lambda each: (each.to_json(), each.merchant_id))
        return {reference.webhook_id for reference in refused}

    def set_aside(self, record: "Unreadable") -> None:
        """Send the record's position to the queue of failures, never its content.

        Raises: TryAgain.
        """
        where = {"sequence_number": record.position, "number": record.number, "error": record.error}
        self._send(json.dumps(where), self._failures_url)


class RedeliveryQueue(_Queue):
    def send(self, message: "CallbackReference") -> None:
        """Send a message in its merchant's group, as the relay does. Raises: TryAgain."""
        self.delay(message, 0)

    def delay(self, message: "CallbackReference", seconds: int) -> None:
        group = message.merchant_id
        self._send(message.to_json(), MessageGroupId=group, DelaySeconds=seconds)


class CallbackMessages(RedeliveryQueue):
    """Send a delivery's next message, or its dead letter.

    A retry after a lost response sends a second copy.
    """

    def __init__(self, client: "SQSClient", queue_url: str, dead_letters_url: str) -> None:
        super().__init__(client, queue_url)
        self._dead_letters_url = dead_letters_url

    def dead_letter(self, text: str) -> None:
        self._send(text, self._dead_letters_url)


class PushQueue(_Queue):
    def send(self, pushes: "Sequence[Push]") -> "Collection[Push]":
        """Send each push in its trader's group, so a slow device delays no other trader."""
        return self._send_all(pushes, lambda push: (push.to_json(), push.trader_id))
