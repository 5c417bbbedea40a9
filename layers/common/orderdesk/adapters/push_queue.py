"""The queue of pushes: a standard queue, fair by trader.

If an answer is lost, the request is sent again, and a push is in the queue twice.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.sending import SENDS, pause, read
from orderdesk.domain.pushes.notices import Push

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


class PushQueue:
    def __init__(self, client: "SQSClient", queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, pushes: Sequence[Push]) -> Collection[Push]:
        waiting = list(pushes)
        for number in range(SENDS):
            refused = self._send_once([_entry(place, push) for place, push in enumerate(waiting)])
            waiting = [push for place, push in enumerate(waiting) if place in refused]
            if not waiting:
                break
            pause(number)
        return waiting

    def _send_once(self, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> set[int]:
        """Send; give the places of the refused entries."""
        answer = read(
            lambda: self._client.send_message_batch(QueueUrl=self._queue_url, Entries=entries)
        )
        return {int(failure["Id"]) for failure in answer.get("Failed", ())}

    def put_off(self, handle: str, seconds: int) -> None:
        """Hide a received message. Raises: TryAgain."""
        read(
            lambda: self._client.change_message_visibility(
                QueueUrl=self._queue_url, ReceiptHandle=handle, VisibilityTimeout=seconds
            )
        )


def _entry(place: int, push: Push) -> "SendMessageBatchRequestEntryTypeDef":
    """The group shares the queue fairly: a device that hangs delays no other trader's."""
    return {"Id": str(place), "MessageBody": push.to_json(), "MessageGroupId": push.trader_id}
