"""The queue of callbacks on the deployed stack."""

from collections.abc import Iterator
from contextlib import contextmanager

from local.stack import Stack


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
