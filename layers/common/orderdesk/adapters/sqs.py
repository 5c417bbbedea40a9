"""The queue of callbacks: a standard queue, fair by merchant.

Another relay may send at the same time, or the same batch may be sent again. A message may be in
the queue twice, with the same webhook_id. If an answer is lost, the request is sent again.
"""

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, SENDS, pause, read
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackMessage
from orderdesk.services.callbacks.relay import Unreadable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


def sqs_client(session: Session) -> "SQSClient":
    """Make the client; region, credentials and endpoint come from the environment."""
    return cast("SQSClient", session.create_client("sqs", config=CLIENT_CONFIG))


class CallbackQueues:
    def __init__(self, client: "SQSClient", callbacks_url: str, failures_url: str) -> None:
        self._client = client
        self._callbacks_url = callbacks_url
        self._failures_url = failures_url

    def send(self, events: Sequence[CallbackEvent]) -> Collection[str]:
        waiting = dict(enumerate(events))
        for number in range(SENDS):
            refused = self._send_once([_entry(place, event) for place, event in waiting.items()])
            waiting = {place: event for place, event in waiting.items() if place in refused}
            if not waiting:
                break
            pause(number)
        return {event.webhook_id for event in waiting.values()}

    def _send_once(self, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> set[int]:
        """Send; give the places of the refused entries. Each may have its own reason."""
        answer = read(
            lambda: self._client.send_message_batch(QueueUrl=self._callbacks_url, Entries=entries)
        )
        return {int(failure["Id"]) for failure in answer.get("Failed", ())}

    def set_aside(self, record: Unreadable) -> None:
        """Send the record's position, never its content. Raises: TryAgain."""
        where = {"sequence_number": record.position, "number": record.number, "error": record.error}
        read(
            lambda: self._client.send_message(
                QueueUrl=self._failures_url, MessageBody=json.dumps(where)
            )
        )


def _entry(place: int, event: CallbackEvent) -> "SendMessageBatchRequestEntryTypeDef":
    """On a standard queue the group does not order messages: it shares the queue fairly."""
    return {
        "Id": str(place),
        "MessageBody": event.to_json(),
        "MessageGroupId": event.merchant_id,
    }


class RedeliveryQueue:
    """If an answer is lost, the request is sent again, and the message is there twice."""

    def __init__(self, client: "SQSClient", queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, message: CallbackMessage) -> None:
        """Send a message; its group is its merchant, as in the relay. Raises: TryAgain."""
        read(
            lambda: self._client.send_message(
                QueueUrl=self._queue_url,
                MessageBody=message.to_json(),
                MessageGroupId=message.event.merchant_id,
            )
        )


class CallbackMessages:
    """If an answer is lost, the request is sent again.

    A message that was put off twice waits from the second time on. A message that was buried twice
    is there twice.
    """

    def __init__(self, client: "SQSClient", queue_url: str, dead_letters_url: str) -> None:
        self._client = client
        self._queue_url = queue_url
        self._dead_letters_url = dead_letters_url

    def put_off(self, handle: str, seconds: int) -> None:
        """Hide a received message, at most 43 200 s (12 h). Raises: TryAgain."""
        read(
            lambda: self._client.change_message_visibility(
                QueueUrl=self._queue_url, ReceiptHandle=handle, VisibilityTimeout=seconds
            )
        )

    def bury(self, text: str) -> None:
        read(lambda: self._client.send_message(QueueUrl=self._dead_letters_url, MessageBody=text))
