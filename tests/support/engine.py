"""The emulator's DynamoDB in this process, which answers the tests' clients without HTTP.

The calls end at botocore's event `before-call`: a fault that a test injects there or at
`after-call` comes first, and the adapters' retries see it. What follows `before-call` is left out:
signature, connection and retries of botocore, which the adapters do not use.
"""

import copy
import json
import pickle
import re
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from botocore.handlers import BUILTIN_HANDLERS, REGISTER_LAST
from ministack.core.responses import request_scope  # type: ignore[import-untyped]
from ministack.services import dynamodb, dynamodb_streams  # type: ignore[import-untyped]

from orderdesk.adapters.dynamodb.client import _Parsers
from tests.support.expressions import problem_of

ACCOUNT, REGION = "123456789012", "us-east-1"
PAGE_BYTES = "ministack.services.dynamodb._DDB_PAGE_SIZE_BYTES"  # where its size of a page is

type _Answer = tuple[int, dict[str, str], bytes]
type Perform = Callable[[], Any]
type Watch = Callable[[str, Mapping[str, Any], Perform], Any]
"""Performs a request; called with its operation and its parameters."""
type _Fits = Callable[..., bool]
type _Service = Callable[..., Coroutine[Any, Any, _Answer]]

# Operations whose answers are on the wire as the adapters read them: items are left unparsed.
_UNPARSED = frozenset(
    {
        *("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan"),
        *("BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"),
    }
)
# A span of a sort key; the engine parses the condition again for each item of a partition.
_SPAN = re.compile(r"(\w+) = (:\w+) AND (\w+) (?:BETWEEN (:\w+) AND (:\w+)|(<=?) (:\w+))")
_parser = _Parsers().create_parser("json")
_one_at_a_time = threading.RLock()
_is_running = False
_watch: Watch | None = None


@dataclass(frozen=True)
class Call:
    """A call of a function's handler, and what a watcher has seen in it."""

    function: str = ""
    seen: dict[str, Any] = field(default_factory=dict)


current: ContextVar[Call] = ContextVar("current")


@cache
def share() -> None:
    """Make every client that is created from now on able to call the engine."""
    for name, service in (("dynamodb", dynamodb), ("dynamodb-streams", dynamodb_streams)):
        handler = _answering(service.handle_request)
        BUILTIN_HANDLERS.append((f"before-call.{name}", handler, REGISTER_LAST))
    quicken()


@cache
def quicken() -> None:
    """Parse each expression once, and copy items quickly; the second call does nothing."""
    tokens = lru_cache(2000)(dynamodb._tokenize)
    dynamodb._tokenize = lambda expression: [*tokens(expression)]
    for pure in ("_condition_syntax_error", "_number_size_bytes"):
        setattr(dynamodb, pure, lru_cache(5000)(getattr(dynamodb, pure)))
    dynamodb.copy = SimpleNamespace(deepcopy=_copied)
    dynamodb._evaluate_condition = _quick(dynamodb._evaluate_condition)


@contextmanager
def running() -> Iterator[None]:
    """Answer DynamoDB's calls from an engine without tables until the block ends."""
    global _is_running  # noqa: PLW0603 - the engine's tables are of the process too
    before, state = _is_running, snapshot()
    dynamodb.reset()
    _is_running = True
    try:
        yield
    finally:
        _is_running = before
        restore(state)


def is_running() -> bool:
    """Return whether the engine answers."""
    return _is_running


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Pass each request to a watcher until the block ends."""
    global _watch  # noqa: PLW0603 - the engine is of the process
    before, _watch = _watch, watch
    try:
        yield
    finally:
        _watch = before


def acting(function: str, handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function's handler, whose requests are those of a `Call`."""

    def handle(event: Any, context: Any) -> Any:
        token = current.set(Call(function))
        try:
            return handler(event, context)
        finally:
            current.reset(token)

    return handle


def answered(operation: str, asked: Mapping[str, Any]) -> Any:
    """Return the engine's answer to a read."""
    target = f"DynamoDB_20120810.{operation}"
    return json.loads(ask(dynamodb.handle_request, target, json.dumps(asked).encode())[2])


def snapshot() -> bytes:
    """Return all tables with their items."""
    with _one_at_a_time:
        return pickle.dumps(dynamodb.get_state())


def restore(state: bytes) -> None:
    """Replace all tables by those of a snapshot; forget streams' records and tokens."""
    with _one_at_a_time:
        dynamodb.reset()
        dynamodb.load_persisted_state(pickle.loads(state))


def _quick(whole: _Fits) -> _Fits:
    """Return the engine's evaluation, with a short way for a span of texts in a partition."""
    span_of = lru_cache(500)(_SPAN.fullmatch)

    def fits(
        condition: str,
        item: Mapping[str, Any],
        values: Mapping[str, Any],
        names: Mapping[str, str],
        slot: str = "ConditionExpression",
    ) -> bool:
        span = span_of(condition) if condition and slot == "KeyConditionExpression" else None
        if span is None:
            return whole(condition, item, values, names, slot)
        key, its_value, sort_key, first, last, sign, bound = span.groups()
        least = {"S": ""} if sign else values[first]
        most = values[bound if sign else last]
        place = item.get(sort_key, {})
        if not least.keys() == most.keys() == place.keys() == {"S"}:
            return whole(condition, item, values, names, slot)
        is_before = place["S"] < most["S"] or (sign != "<" and place == most)
        return bool(item.get(key) == values[its_value] and least["S"] <= place["S"] and is_before)

    return fits


def _copied(value: Any) -> Any:
    """Return a deep copy; it copies each item several times, and `copy` is slow."""
    if type(value) is dict:
        return {name: _copied(each) for name, each in value.items()}
    if type(value) is list:
        return [_copied(each) for each in value]
    return value if isinstance(value, str | bool) else copy.deepcopy(value)


def _answering(service: _Service) -> Callable[..., Any]:
    def answer(model: Any, params: Mapping[str, Any], **_: Any) -> Any:
        if not _is_running or not params["url"].endswith(".amazonaws.com/"):
            return None  # a server of its own, such as DynamoDB Local
        asked = json.loads(params["body"]) if model.name in _UNPARSED else {}
        problem = problem_of(asked)
        if problem is not None:
            return SimpleNamespace(status_code=400), _invalid(problem)

        def perform() -> _Answer:
            return ask(service, params["headers"]["X-Amz-Target"], params["body"])

        watch = _watch if asked else None
        with _one_at_a_time:
            answered = perform() if watch is None else watch(model.name, asked, perform)
        status, headers, body = answered
        if status == 200 and model.name in _UNPARSED:
            parsed = json.loads(body)
            parsed["ResponseMetadata"] = {"HTTPStatusCode": 200, "HTTPHeaders": {}}
        else:
            whole = {"status_code": status, "headers": headers, "body": body}
            parsed = _parser.parse(whole, model.output_shape)
            code = parsed.get("Error", {}).get("Code")
            shape = model.service_model.shape_for_error_code(code) if code else None
            if shape is not None:
                parsed |= _parser.parse(whole, shape)
        return SimpleNamespace(status_code=status), parsed

    return answer


def _invalid(problem: str) -> dict[str, Any]:
    error = {"Code": "ValidationException", "Message": problem}
    return {"Error": error, "ResponseMetadata": {"HTTPStatusCode": 400}}


def ask(service: _Service, target: str, body: bytes) -> _Answer:
    """Return status, headers and body of the engine's answer; it never waits."""
    with _one_at_a_time, request_scope(ACCOUNT, REGION):
        asked = service("POST", "/", {"x-amz-target": target}, body, {})
        try:
            asked.send(None)
        except StopIteration as ended:
            answer: _Answer = ended.value
            return answer
    raise RuntimeError("the engine waits")
