"""The queue of callbacks: a standard queue, fair by merchant.

Another relay may send at the same time, or the same batch may be sent again. A message may be in
the queue twice, with the same webhook_id. If an answer is lost, the request is sent again.
"""

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.sending import call
from orderdesk.adapters.sqs import hide, send_all
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackMessage
from orderdesk.services.callbacks.relay import Unreadable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


class CallbackQueues:
    def __init__(self, client: "SQSClient", callbacks_url: str, failures_url: str) -> None:
        self._client = client
        self._callbacks_url = callbacks_url
        self._failures_url = failures_url

    def send(self, events: Sequence[CallbackEvent]) -> Collection[str]:
        refused = send_all(self._client, self._callbacks_url, events, _entry)
        return {event.webhook_id for event in refused}

    def set_aside(self, record: Unreadable) -> None:
        """Send the record's position, never its content. Raises: TryAgain."""
        where = {"sequence_number": record.position, "number": record.number, "error": record.error}
        call(
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
        call(
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

    def hide(self, handle: str, seconds: int) -> None:
        hide(self._client, self._queue_url, handle, seconds)

    def dead_letter(self, text: str) -> None:
        call(lambda: self._client.send_message(QueueUrl=self._dead_letters_url, MessageBody=text))
