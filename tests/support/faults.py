"""Faults put between a function and DynamoDB: kills, conflicts, throttles, lost answers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

from botocore.exceptions import ReadTimeoutError


class Killed(BaseException):
    """The process is gone: nothing after this point runs, no handler catches it."""


@contextmanager
def killed_at(module: ModuleType, number: int, when: str) -> Iterator[None]:
    """Kill the function `before-call` or `after-call` of its request `number` (from 0)."""
    events, seen = module.dynamodb.meta.events, iter(range(10_000))

    def kill(**_: Any) -> None:
        if next(seen) == number:
            raise Killed

    events.register(f"{when}.dynamodb", kill)
    try:
        yield
    finally:
        events.unregister(f"{when}.dynamodb", kill)


@contextmanager
def answered_with(
    module: ModuleType, operation: str, error: dict[str, Any], times: int
) -> Iterator[list[str]]:
    """Answer an operation with an error the first `times` times; give the list of its calls."""
    events, calls = module.dynamodb.meta.events, list[str]()

    def answer(**_: Any) -> Any:
        calls.append(operation)
        return (SimpleNamespace(status_code=400), error) if len(calls) <= times else None

    events.register(f"before-call.dynamodb.{operation}", answer)
    try:
        yield calls
    finally:
        events.unregister(f"before-call.dynamodb.{operation}", answer)


@contextmanager
def answer_lost(module: ModuleType, operation: str, times: int) -> Iterator[list[str]]:
    """Carry an operation out, but time out the first `times` times instead of answering.

    Gives the list of its calls, from the first that is carried out. One that is refused before may
    be: two numbers that are drawn in one second of a still clock are equal now and then.
    """
    events, calls = module.dynamodb.meta.events, list[str]()

    def lose(parsed: Mapping[str, Any], **_: Any) -> None:
        if "Error" in parsed and not calls:
            return
        calls.append(operation)
        if len(calls) <= times:
            raise ReadTimeoutError(endpoint_url="test")

    events.register(f"after-call.dynamodb.{operation}", lose)
    try:
        yield calls
    finally:
        events.unregister(f"after-call.dynamodb.{operation}", lose)


def cancelled(*codes: str) -> dict[str, Any]:
    """Give the answer of a cancelled transaction with these reasons, by position."""
    return {
        "Error": {"Code": "TransactionCanceledException", "Message": "cancelled"},
        "CancellationReasons": [{"Code": code} for code in codes],
    }


def refused_with(code: str, status: int = 400) -> dict[str, Any]:
    """Give the answer of a request refused with a code and an HTTP status."""
    metadata = {"HTTPStatusCode": status}
    return {"Error": {"Code": code, "Message": code}, "ResponseMetadata": metadata}
