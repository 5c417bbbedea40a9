"""Settings of the deployed stack that a test changes for a while, and its dead-letter queues."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from local.stack import Stack
from orderdesk.domain.callbacks.events import CallbackReference

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
        set_to = {"Variables": {**variables[name], **changes}}
        functions.update_function_configuration(FunctionName=name, Environment=set_to)
        new = functions.publish_version(FunctionName=name)["Version"]
        functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=new)
    try:
        yield
    finally:
        for name in names:
            set_to = {"Variables": variables[name]}
            functions.update_function_configuration(FunctionName=name, Environment=set_to)
            functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=versions[name])


def sped_up(stack: Stack, times: int) -> AbstractContextManager[None]:
    """Divide the gaps of the callback schedule by `times`, and the waits of a pause."""
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
