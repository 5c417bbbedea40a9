"""Contract section 1: reading and refusing a body costs in proportion to it, whatever it holds."""

import json
import tracemalloc
from typing import Any

import pytest

from orderdesk.web.errors import FIELD_LENGTH_MAX, FIELDS_MAX, InvalidParameters
from orderdesk.web.http import Request, request_of
from orderdesk.web.merchant.body import MAX_BODY_BYTES, read_body
from orderdesk.web.merchant.create_order import Door, read_order
from orderdesk.web.merchant.parameters import read_common
from tests.support.events import proxy_event

PATH = "/merchant/createOrder"
ANSWER_BYTES_MAX = 64 * 1024
# The parsed body alone takes about 12 times its bytes.
PEAK_PER_BODY_BYTE = 64

HOSTILE = {
    "long path, many leaves": {"a": {"k" * 8_000: [1] * 6_000}},
    "many leaves": {"a": [1] * 30_000},
    "many names": {f"N{i}": 1 for i in range(6_000)},
    "deep paths": {"a": {"b" * 500: {"c" * 500: {"d" * 500: [None] * 12_000}}}},
    "wide objects": {"a": [{"b": 1}] * 7_000},
    "payment method": {"order_type": 2, "payment_method": {"x" * 8_000: [1] * 6_000}},
    "long names": {"é" * 20_000: 1},
}


def request_with(body: dict[str, Any]) -> Request:
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(data) <= MAX_BODY_BYTES
    headers = {"Content-Type": "application/json"}
    return request_of(proxy_event("POST", PATH, body=data, headers=headers))


def refusal_of(request: Request) -> InvalidParameters:
    params = read_body(request)
    parsed = read_order(params, Door.LIVE, allow_loopback=False)
    common = read_common(request, params)
    assert common.call is None
    return InvalidParameters([*common.problems, *parsed.problems])


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_refusal_is_small(body: dict[str, Any]) -> None:
    data = refusal_of(request_with(body)).data()
    fields = data["fields"]
    assert isinstance(fields, list)
    assert 0 < len(fields) <= FIELDS_MAX
    assert all(len(entry["field"]) <= FIELD_LENGTH_MAX for entry in fields)
    assert len(json.dumps(data)) <= ANSWER_BYTES_MAX
    assert data.get("more", False) == (len(fields) == FIELDS_MAX)


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_refusal_costs_memory_in_proportion(body: dict[str, Any]) -> None:
    request = request_with(body)
    refusal_of(request)  # so that what is made once is not counted
    tracemalloc.start()
    refusal_of(request)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= PEAK_PER_BODY_BYTE * len(request.body)


def test_a_name_that_is_cut_says_so() -> None:
    data = refusal_of(request_with({"a": {"k" * 8_000: 1}})).data()
    assert {"field": "a." + "k" * 125 + "…", "problem": "must be a string"} in data["fields"]  # type: ignore[operator]
