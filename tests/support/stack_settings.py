"""Settings of the deployed stack that a test changes for a while, and its dead-letter queues."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from local.stack import Stack
from orderdesk.domain.callbacks.events import CallbackReference
from tests.support.stack_seed import StackSeed

ALIAS = "live"


@contextmanager
def changed(stack: Stack, names: Iterable[str], changes: Mapping[str, str]) -> Iterator[None]:
    """Add environment variables to the named functions; restore the old ones when the block ends.

    Functions are invoked by alias, so each gets a version with the change.
    """
    functions = stack.client("lambda")
    names = list(names)
    variables, versions = dict[str, dict[str, str]](), dict[str, str]()
    for name in names:
        configuration = functions.get_function_configuration(FunctionName=name)
        variables[name] = dict(configuration["Environment"]["Variables"])
        versions[name] = functions.get_alias(FunctionName=name, Name=ALIAS)["FunctionVersion"]
    for name in names:
        _set_variables(functions, name, {**variables[name], **changes})
        new = functions.publish_version(FunctionName=name)["Version"]
        functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=new)
    try:
        yield
    finally:
        for name in names:
            _set_variables(functions, name, variables[name])
            functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=versions[name])


def _set_variables(functions: Any, name: str, variables: Mapping[str, str]) -> None:
    functions.update_function_configuration(
        FunctionName=name, Environment={"Variables": dict(variables)}
    )


def sped_up(stack: Stack, times: int) -> AbstractContextManager[None]:
    """Divide the gaps of the callback schedule by `times`."""
    name = stack.outputs["SendCallbackFunctionName"]
    return changed(stack, [name], {"CALLBACK_SPEEDUP": str(times)})


@contextmanager
def hidden_for(stack: Stack, seconds: int) -> Iterator[None]:
    """Shorten the callback queue's visibility timeout, so that a retry comes sooner."""
    sqs, queue = stack.client("sqs"), stack.outputs["CallbacksQueueUrl"]
    name = "VisibilityTimeout"
    before = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=[name])["Attributes"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={name: str(seconds)})
    try:
        yield
    finally:
        sqs.set_queue_attributes(QueueUrl=queue, Attributes=before)


@contextmanager
def no_dead_letters(seed: StackSeed) -> Iterator[None]:
    """Check that no callback of the block's merchants and no stream record becomes a dead letter.

    A callback of an earlier test may: its order expires in the block, and its record is dead.
    """
    stack, lost_before = seed.stack, _lost_changes(seed.stack)
    earlier = {row.get("merchant_id") for row in seed.items(seed.tables.merchants)}
    yield
    dead = {event for event in dead_callbacks(stack) if event.merchant_id not in earlier}
    assert not dead, "a callback became a dead letter"
    assert _lost_changes(stack) == lost_before, "a stream record became a dead letter"


def dead_callbacks(stack: Stack) -> set[CallbackReference]:
    """Return the references on the dead-letter queue; the messages stay hidden for a minute."""
    sqs, found = stack.client("sqs"), set[CallbackReference]()
    while messages := sqs.receive_message(
        QueueUrl=stack.outputs["CallbacksDeadLetterQueueUrl"],
        MaxNumberOfMessages=10,
        VisibilityTimeout=60,
    ).get("Messages"):
        found |= {CallbackReference.from_json(each["Body"]) for each in messages}
    return found


def _lost_changes(stack: Stack) -> int:
    """Count the messages of the relay's dead-letter queue, visible or hidden."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counts = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.outputs["RelayFailuresQueueUrl"], AttributeNames=names
    )
    return sum(map(int, counts["Attributes"].values()))
