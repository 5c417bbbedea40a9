"""The queue of callbacks on the deployed stack, and the dead-letter queues."""

from collections.abc import Iterator
from contextlib import contextmanager

from local.stack import Stack
from orderdesk.domain.callbacks.events import CallbackMessage


@contextmanager
def hidden_for(stack: Stack, seconds: int) -> Iterator[None]:
    """Let messages of a sender that failed or died come back sooner than in production."""
    sqs, queue = stack.client("sqs"), stack.outputs["CallbacksQueueUrl"]
    name = "VisibilityTimeout"
    before = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=[name])["Attributes"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={name: str(seconds)})
    try:
        yield
    finally:
        sqs.set_queue_attributes(QueueUrl=queue, Attributes=before)


@contextmanager
def no_dead_letters(stack: Stack) -> Iterator[None]:
    """Check that no callback is given up meanwhile, and no change is left without its event.

    A copy of an earlier test's dead callback may be buried meanwhile: it has the same webhook_id.
    """
    before, lost_before = dead_callbacks(stack), _lost_changes(stack)
    yield
    assert dead_callbacks(stack) <= before, "a callback was given up"
    assert _lost_changes(stack) == lost_before, "a change was left without its event"


def dead_callbacks(stack: Stack) -> set[str]:
    """Give the webhook_ids on the dead-letter queue, which stay hidden for a minute."""
    sqs, found = stack.client("sqs"), set[str]()
    while messages := sqs.receive_message(
        QueueUrl=stack.outputs["CallbacksDeadLetterQueueUrl"],
        MaxNumberOfMessages=10,
        VisibilityTimeout=60,
    ).get("Messages"):
        found |= {CallbackMessage.from_json(each["Body"]).event.webhook_id for each in messages}
    return found


def _lost_changes(stack: Stack) -> int:
    """Count the messages of the relay's dead-letter queue, visible or not."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counts = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.outputs["RelayFailuresQueueUrl"], AttributeNames=names
    )
    return sum(map(int, counts["Attributes"].values()))
