"""The queue of callbacks: a standard queue, fair by merchant.

Who else sends: another relay, or the same batch once more; a message may be there twice, with the
same webhook_id. What if the answer is lost: it is sent again.
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
    """Fills the port `CallbackQueue`."""

    def __init__(self, client: "SQSClient", callbacks_url: str, failures_url: str) -> None:
        self._client = client
        self._callbacks_url = callbacks_url
        self._failures_url = failures_url

    def send(self, events: Sequence[CallbackEvent]) -> Collection[str]:
        """Send at most ten; give the webhook_ids of those that were not taken. Raises: TryAgain."""
        waiting = dict(enumerate(events))
        for number in range(SENDS):
            refused = self._send_once([_entry(place, event) for place, event in waiting.items()])
            waiting = {place: event for place, event in waiting.items() if place in refused}
            if not waiting:
                break
            pause(number)
        return {event.webhook_id for event in waiting.values()}

    def _send_once(self, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> set[int]:
        """Send; give the places of those that were not taken, each for a reason of its own."""
        answer = read(
            lambda: self._client.send_message_batch(QueueUrl=self._callbacks_url, Entries=entries)
        )
        return {int(failure["Id"]) for failure in answer.get("Failed", ())}

    def set_aside(self, record: Unreadable) -> None:
        """Tell where a record is, not what is in it. Raises: TryAgain."""
        where = {"sequence_number": record.position, "number": record.number, "error": record.error}
        read(
            lambda: self._client.send_message(
                QueueUrl=self._failures_url, MessageBody=json.dumps(where)
            )
        )


def _entry(place: int, event: CallbackEvent) -> "SendMessageBatchRequestEntryTypeDef":
    """On a standard queue the group orders nothing: it is whose turn it is (fair queues)."""
    return {
        "Id": str(place),
        "MessageBody": event.to_json(),
        "MessageGroupId": event.merchant_id,
    }


class CallbackMessages:
    """Fills the ports `Messages` and `Redeliveries`.

    What if an answer is lost: the request is sent again. A message put off twice waits from the
    second time on, one buried or sent twice is there twice.
    """

    def __init__(self, client: "SQSClient", queue_url: str, dead_letters_url: str) -> None:
        self._client = client
        self._queue_url = queue_url
        self._dead_letters_url = dead_letters_url

    def put_off(self, handle: str, seconds: int) -> None:
        """Hide a message that was received, 43 200 s (12 h) at most. Raises: TryAgain."""
        read(
            lambda: self._client.change_message_visibility(
                QueueUrl=self._queue_url, ReceiptHandle=handle, VisibilityTimeout=seconds
            )
        )

    def bury(self, text: str) -> None:
        """Put a message's text on the dead-letter queue. Raises: TryAgain."""
        read(lambda: self._client.send_message(QueueUrl=self._dead_letters_url, MessageBody=text))

    def send(self, message: CallbackMessage) -> None:
        """Send a message; its group is its merchant, as the relay's. Raises: TryAgain."""
        read(
            lambda: self._client.send_message(
                QueueUrl=self._queue_url,
                MessageBody=message.to_json(),
                MessageGroupId=message.event.merchant_id,
            )
        )
