"""The queue of callbacks on the deployed stack, and the dead-letter queues."""

from collections.abc import Iterator
from contextlib import contextmanager

from local.stack import Stack

DEAD_LETTER_QUEUES = ("CallbacksDeadLetterQueueUrl", "RelayFailuresQueueUrl")


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
    """Check that no callback is given up meanwhile, and no change is left without its event."""
    before = _dead_letters(stack)
    yield
    assert _dead_letters(stack) == before


def _dead_letters(stack: Stack) -> dict[str, int]:
    """Count the messages of each dead-letter queue, visible or not; others may have left some."""
    sqs = stack.client("sqs")
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counted = {}
    for output in DEAD_LETTER_QUEUES:
        url = stack.outputs[output]
        counts = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        counted[output] = sum(int(count) for count in counts.values())
    return counted
