"""The queue of pushes: a standard queue, fair by trader.

If an answer is lost, the request is sent again, and a push is in the queue twice.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.sqs import hide, send_all
from orderdesk.domain.pushes.notices import Push

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


class PushQueue:
    def __init__(self, client: "SQSClient", queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def send(self, pushes: Sequence[Push]) -> Collection[Push]:
        return send_all(self._client, self._queue_url, pushes, _entry)

    def hide(self, handle: str, seconds: int) -> None:
        hide(self._client, self._queue_url, handle, seconds)


def _entry(place: int, push: Push) -> "SendMessageBatchRequestEntryTypeDef":
    """Return a queue entry; its group is the trader, so a slow device delays no other trader."""
    return {"Id": str(place), "MessageBody": push.to_json(), "MessageGroupId": push.trader_id}
