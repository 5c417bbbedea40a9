"""Contract section 1: reading and refusing a body takes time in proportion to its size."""

import json
import tracemalloc
from typing import Any

import pytest

from orderdesk.domain.errors import SHOWN_LENGTH_MAX
from orderdesk.web.codes import FIELDS_MAX
from tests.unit.refusal_cost import HOSTILE, refusal_of, request_with

ANSWER_BYTES_MAX = 64 * 1024
# The parsed body alone takes about 12 times its bytes.
PEAK_PER_BODY_BYTE = 64


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_refusal_is_small_and_costs_memory_in_proportion(body: dict[str, Any]) -> None:
    request = request_with(body)
    data = refusal_of(request).data
    fields = data["fields"]
    assert isinstance(fields, list)
    assert 0 < len(fields) <= FIELDS_MAX
    assert all(len(entry["field"]) <= SHOWN_LENGTH_MAX for entry in fields)
    assert len(json.dumps(data)) <= ANSWER_BYTES_MAX
    assert data.get("more", False) == (len(fields) == FIELDS_MAX)
    tracemalloc.start()
    refusal_of(request)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= PEAK_PER_BODY_BYTE * len(request.body)


def test_a_name_that_is_cut_says_so() -> None:
    data = refusal_of(request_with({"a": {"k" * 8_000: 1}})).data
    assert {"field": "a." + "k" * 125 + "…", "problem": "must be a string"} in data["fields"]  # type: ignore[operator]
