"""Faults between a function and AWS: kills, conflicts, throttles, lost responses."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import SimpleNamespace
from typing import Any, Protocol

from botocore.exceptions import ReadTimeoutError


class Killed(BaseException):
    """The process ends here: no handler catches this."""


class HasDynamodb(Protocol):
    """A function's module, or a seed."""

    dynamodb: Any


@contextmanager
def registered(client: Any, event: str, handler: Callable[..., Any]) -> Iterator[None]:
    """Call a handler at a botocore event of a client until the block ends."""
    client.meta.events.register(event, handler)
    try:
        yield
    finally:
        client.meta.events.unregister(event, handler)


@contextmanager
def requests_of(client: Any) -> Iterator[list[str]]:
    """Yield the list of a client's DynamoDB operations until the block ends."""
    made: list[str] = []

    def note(model: Any, **_: Any) -> None:
        made.append(model.name)

    with registered(client, "before-call.dynamodb", note):
        yield made


def killed_at(module: HasDynamodb, number: int, when: str) -> AbstractContextManager[None]:
    """Kill the function `before-call` or `after-call` of its DynamoDB request `number`, from 0."""
    return client_killed_at(module.dynamodb, number, when)


def client_killed_at(client: Any, number: int, when: str) -> AbstractContextManager[None]:
    """Kill the process at a client's request `number`, from 0."""
    seen = iter(range(10_000))

    def kill(**_: Any) -> None:
        if next(seen) == number:
            raise Killed

    service = client.meta.service_model.service_id.hyphenize()
    return registered(client, f"{when}.{service}", kill)


@contextmanager
def answered_with(
    module: HasDynamodb, operation: str, error: dict[str, Any], times: int
) -> Iterator[list[str]]:
    """Answer an operation's first `times` calls with an error; yield the list of its calls."""
    calls = list[str]()

    def answer(**_: Any) -> Any:
        calls.append(operation)
        return (SimpleNamespace(status_code=400), error) if len(calls) <= times else None

    with registered(module.dynamodb, f"before-call.dynamodb.{operation}", answer):
        yield calls


@contextmanager
def answer_lost(module: HasDynamodb, operation: str, times: int) -> Iterator[list[str]]:
    """Carry an operation out, but let its first `times` responses time out; yield its calls.

    The list begins with the first call that succeeds: an earlier one may be refused, because two
    numbers drawn in the same second of a stopped clock can be equal.
    """
    calls = list[str]()

    def lose(parsed: Mapping[str, Any], **_: Any) -> None:
        if "Error" in parsed and not calls:
            return
        calls.append(operation)
        if len(calls) <= times:
            raise ReadTimeoutError(endpoint_url="test")

    with registered(module.dynamodb, f"after-call.dynamodb.{operation}", lose):
        yield calls


def cancelled(*codes: str) -> dict[str, Any]:
    """Return the error of a cancelled transaction with these reasons, by position."""
    return {
        "Error": {"Code": "TransactionCanceledException", "Message": "cancelled"},
        "CancellationReasons": [{"Code": code} for code in codes],
    }


def refused_with(code: str, status: int = 400) -> dict[str, Any]:
    """Return the error of a request refused with a code and an HTTP status."""
    metadata = {"HTTPStatusCode": status}
    return {"Error": {"Code": code, "Message": code}, "ResponseMetadata": metadata}
