"""Messages of the queue of callbacks: put off, buried, sent anew."""

from typing import TYPE_CHECKING

from orderdesk.adapters.sending import read
from orderdesk.domain.callback_messages import CallbackMessage

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


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
