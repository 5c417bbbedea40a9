"""schemathesis sends allowed and forbidden requests of docs/openapi.yaml to the deployed stack.

Every case is signed, unless its common parameters are invalid. The slow tier sends more than 1,000
cases, `make fuzz` more than 2,000.
"""

import json
from typing import Any
from unicodedata import category

import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.generation.case import Case
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from local.stack import Stack
from orderdesk.domain.modes import Mode
from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tests.support import openapi
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import ALL_METHODS
from tests.support.stack_seed import StackSeed

PLENTY_MICRO = 10**15
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(openapi.document())
# The document does not express which hosts are public, the decimals of a number, which cursors the
# service created, and which parameters go together.
BEYOND_SCHEMA = {
    *("callback_url", "return_url", "cny_amount", "payment_method.qr_code", "cursor"),
    *("metadata_key", "metadata_value", "amount"),
}
# The codes of a valid body, which depend on stored data.
STRANGER = {1002, 1101}
BUSINESS = {1, 1002, 1003, 2001, 2002, 2003, 2101, 2102, 2104, 2105}


@pytest.fixture(scope="module")
def client(stack_seed: StackSeed) -> MerchantClient:
    for mode in Mode:
        stack_seed.add_trader(methods=ALL_METHODS, mode=mode)
    merchant, client = stack_seed.add_merchant()
    for mode in Mode:
        stack_seed.fund(merchant, PLENTY_MICRO, mode)
    return client


@pytest.fixture(scope="module")
def numbers(client: MerchantClient) -> list[str]:
    """Return the numbers of stored orders."""
    return [client.create(params).data["order_no"] for params in (buy(), buy(), sell())]


@pytest.mark.deep
@pytest.mark.parametrize("path", openapi.document()["paths"])
def test_a_route_answers_as_documented(
    stack: Stack, client: MerchantClient, numbers: list[str], path: str
) -> None:
    operation = SCHEMA[path]["POST"]
    right, wrong = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @settings(max_examples=examples(budget=12, full=115, search=230))
    @given(case=st.one_of(right, wrong), signed=st.integers(0, 9), choice=st.integers(0, 5))
    def check(case: Case[Any], signed: int, choice: int) -> None:
        if isinstance(case.body, dict) and signed:
            case.body = signed_if_possible(client, path, nearer(case.body, choice, numbers))
        response = case.call(base_url=stack.base_url)
        case.validate_response(response, checks=CHECKS)
        reply = Reply(response.status_code, response.json(), lowered(response))
        refused = {1201} if path == "/merchant/testCallback" else set()  # ten a minute
        judge(path, case.body, reply, expected=(BUSINESS if signed else STRANGER) | refused)

    check()


def nearer(body: dict[str, Any], choice: int, numbers: list[str]) -> dict[str, Any]:
    """Replace values by stored ones: every second case names a stored order."""
    if choice < len(numbers) and "order_no" in body:
        return {**body, "order_no": numbers[choice]}
    if choice < len(numbers) and "cny_amount" in body:
        return {**body, "cny_amount": f"{choice}00.01"}
    return body


def signed_if_possible(client: MerchantClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in body.items() if name not in COMMON_PARAMETERS}
    try:
        return client.signed(path, own)
    except (TypeError, ValueError):  # values that JSON or UTF-8 cannot encode get a wrong signature
        return {**own, **client.common(), "signature": "0" * 64}


def lowered(response: Any) -> dict[str, str]:
    return {name.lower(): values[0] for name, values in response.headers.items()}


def judge(path: str, body: object, reply: Reply, *, expected: set[int]) -> None:
    """Check an answer against the document: its schema, and its code for this request."""
    assert openapi.answer_problems(path, reply) == []
    if not isinstance(body, dict):
        assert reply.code == 1001
        return
    problems = openapi.request_problems(path, json.loads(json.dumps(body)))
    if problems:
        assert reply.code != 1, problems
        return
    assert reply.code in expected, reply
    if reply.code == 1002:
        declared = openapi.own_parameters(path) | COMMON_PARAMETERS
        complaints = {entry["field"] for entry in reply.data["fields"]}
        # JSON schema accepts 1.0 as an integer; the service does not.
        floats = {name for name, value in body.items() if isinstance(value, float)}
        # The document does not forbid control characters (contract section 2).
        controls = {
            name
            for name, value in body.items()
            if isinstance(value, str) and any(category(letter) == "Cc" for letter in value)
        }
        excused = BEYOND_SCHEMA | floats | controls
        assert (complaints - excused) & declared == set(), (reply, body)
