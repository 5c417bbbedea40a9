"""What every queue of SQS needs: the client, a batch that is sent until it is taken, and hiding."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, SENDS, call, pause

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef


def sqs_client(session: Session) -> "SQSClient":
    """Make the client; region, credentials and endpoint come from the environment."""
    return cast("SQSClient", session.create_client("sqs", config=CLIENT_CONFIG))


def send_all[T](
    client: "SQSClient",
    queue_url: str,
    messages: Sequence[T],
    entry: Callable[[int, T], "SendMessageBatchRequestEntryTypeDef"],
) -> Sequence[T]:
    """Send at most ten messages; give those that SQS refused each time.

    `entry` makes the entry of a message; its Id is the place that is the first argument.
    Raises: TryAgain if the result is unknown.
    """
    waiting = dict(enumerate(messages))
    for number in range(SENDS):
        entries = [entry(place, message) for place, message in waiting.items()]
        refused = _send_once(client, queue_url, entries)
        waiting = {place: message for place, message in waiting.items() if place in refused}
        if not waiting:
            break
        pause(number)
    return list(waiting.values())


def _send_once(
    client: "SQSClient", queue_url: str, entries: "list[SendMessageBatchRequestEntryTypeDef]"
) -> set[int]:
    """Send; give the places of the refused entries. Each may have its own reason."""
    answer = call(lambda: client.send_message_batch(QueueUrl=queue_url, Entries=entries))
    return {int(failure["Id"]) for failure in answer.get("Failed", ())}


def hide(client: "SQSClient", queue_url: str, handle: str, seconds: int) -> None:
    """Hide a received message, at most 43 200 s (12 h). Raises: TryAgain."""
    call(
        lambda: client.change_message_visibility(
            QueueUrl=queue_url, ReceiptHandle=handle, VisibilityTimeout=seconds
        )
    )
