"""`make logs`: a line for each record, an error with its traceback, each once."""

import json
import time
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from local.log_lines import entries_of
from local.logs import Follower, functions_of

FUNCTIONS = {"create_order": "orderdesk-create-order", "pay_page": "orderdesk-pay-page"}
DONE = {
    "level": "INFO",
    "location": "_run:71",
    "message": "done",
    "timestamp": "2026-01-01 00:00:00,000+0000",
    "service": "create-order",
    "request_id": "r-1",
    "route": "POST /merchant/createOrder",
    "code": 1,
    "order_no": "B1",
}
UNEXPECTED = {
    **DONE,
    "level": "ERROR",
    "message": "unexpected",
    "code": 5000,
    "error": "ValueError",
    "where": ["/opt/a.py:1 first", "/opt/b.py:2 last"],
}


def shown(*messages: str | dict[str, Any]) -> list[tuple[str, bool]]:
    lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    return [(e.text, e.is_error) for e in entries_of("create_order", 0, lines)]


def test_a_record_is_one_line_with_the_request_id() -> None:
    [(text, is_error)] = shown(
        "START RequestId: 1", DONE, "END RequestId: 1", "REPORT RequestId: 1"
    )
    assert not is_error
    assert text.partition(" ")[2] == (
        "create_order INFO  done POST /merchant/createOrder code=1 order_no=B1 x-request-id=r-1"
    )


def test_an_error_has_its_traceback_below() -> None:
    traceback = "Traceback (most recent call last):\n  File …\nValueError: the text\n"
    [(text, is_error)] = shown({**UNEXPECTED, "traceback": traceback})
    assert is_error
    head, *below = text.splitlines()
    assert "ERROR unexpected ValueError POST /merchant/createOrder" in head
    assert "x-request-id=r-1" in head
    assert below[0].strip() == "Traceback (most recent call last):"
    assert below[-1] == "    ValueError: the text"


def test_an_error_without_one_has_the_places_below() -> None:
    [(text, _)] = shown(UNEXPECTED)
    assert text.splitlines()[1:] == ["    /opt/a.py:1 first", "    /opt/b.py:2 last"]


def test_what_the_runtime_writes_of_a_broken_module_is_an_error() -> None:
    [(text, is_error)] = shown("Traceback (most recent call last):", "SyntaxError: invalid syntax")
    assert is_error
    assert text.endswith("    SyntaxError: invalid syntax")


def test_metrics_are_left_out_and_what_is_printed_is_shown() -> None:
    [(text, is_error)] = shown({"_aws": {}, "orders_expired": 1}, "printed", "")
    assert not is_error
    assert text.endswith("create_order plain\n    printed")


def test_functions_go_by_the_names_of_their_folders() -> None:
    outputs = {"CreateOrderFunctionName": "orderdesk-create-order", "RestApiId": "x"}
    assert functions_of(outputs) == {"create_order": "orderdesk-create-order"}


@pytest.fixture
def logs() -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("logs", region_name="us-east-1")
        client.create_log_group(logGroupName="/aws/lambda/orderdesk-create-order")
        client.create_log_group(logGroupName="/aws/lambda/of-somebody-else")
        yield client


def log(client: Any, stream: str, *messages: str, at_ms: int, group: str = "") -> None:
    name = f"/aws/lambda/{group or 'orderdesk-create-order'}"
    client.create_log_stream(logGroupName=name, logStreamName=stream)
    events = [{"timestamp": at_ms, "message": message} for message in messages]
    client.put_log_events(logGroupName=name, logStreamName=stream, logEvents=events)


def test_each_record_is_shown_once(logs: Any) -> None:
    now_ms = int(time.time() * 1000)
    follower = Follower(logs, FUNCTIONS, now_ms - 60_000)
    assert follower.new() == []
    log(logs, "first", "one", at_ms=now_ms)
    log(logs, "theirs", "not ours", at_ms=now_ms, group="of-somebody-else")
    assert [entry.text.split()[-1] for entry in follower.new()] == ["one"]
    assert follower.new() == []
    log(logs, "second", "two", at_ms=now_ms - 100)  # ended earlier, was written later
    log(logs, "third", "one", at_ms=now_ms)
    assert sorted(entry.text.split()[-1] for entry in follower.new()) == ["one", "two"]
    assert follower.new() == []


def test_what_is_older_than_asked_is_not_shown(logs: Any) -> None:
    now_ms = int(time.time() * 1000)
    log(logs, "old", "long ago", at_ms=now_ms - 60_000)
    assert Follower(logs, FUNCTIONS, now_ms - 30_000).new() == []
