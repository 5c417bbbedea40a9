"""The merchants' routes: signed requests with faults, and any bodies (contract section 1).

Each answer, and each body that is accepted, is as docs/openapi.yaml says.
"""

import json
from dataclasses import replace
from decimal import Decimal
from unicodedata import category

from hypothesis import event, given
from hypothesis import strategies as st

from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tests.fuzz.budget import aim, fuzzing
from tests.fuzz.requests import Case
from tests.fuzz.signed import JSON_TYPE, any_bodies, signed_cases
from tests.fuzz.target import Target
from tests.fuzz.watch import Seen
from tests.support import openapi
from tests.support.merchant_client import Reply

INVALID = 1002

# The document does not express which hosts are public, the decimals of a number, which cursors the
# service created, which parameters go together, and that a test key creates test orders only.
BEYOND_SCHEMA = {
    *("is_test", "callback_url", "return_url", "cny_amount", "payment_method.qr_code", "cursor"),
    *("metadata_key", "metadata_value", "amount"),
}


def unexplained(path: str, body: bytes, reply: Reply) -> set[str]:
    """Return the fields that are refused although the document allows the body."""
    sent = openapi.parsed(body)
    if openapi.request_problems(path, sent):
        return set()
    refused = {each["field"] for each in reply.data["fields"]} - BEYOND_SCHEMA
    # JSON schema accepts 1.0 as an integer, and control characters (contract section 2).
    strange = {
        name
        for name, value in sent.items()
        if isinstance(value, float | Decimal)
        or (isinstance(value, str) and any(category(letter) == "Cc" for letter in value))
    }
    return (refused - strange) & (openapi.own_parameters(path) | COMMON_PARAMETERS)


def checked(fuzzed: Target, case: Case) -> Seen:
    """Run a request; check its answer, set hypothesis' targets and count the codes."""
    seen = fuzzed.check(case)
    headers = {name.lower(): value for name, value in seen.answer["headers"].items()}
    reply = Reply(seen.answer["statusCode"], json.loads(seen.answer["body"]), headers)
    path, body = case.route.path, case.forms()[1]
    assert openapi.call_problems(path, body, reply) == []
    if reply.code == INVALID:
        assert unexplained(path, body, reply) == set()
    event(f"code {reply.code}")
    aim(seen)
    return seen


@fuzzing(full=2_000)
@given(data=st.data())
def test_signed_requests_with_faults(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    checked(fuzzed, data.draw(signed_cases(route, fuzzed.stock)))


@fuzzing(full=1_000)
@given(data=st.data())
def test_a_test_key_reaches_nothing_live(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    stock = replace(fuzzed.stock, merchants=[fuzzed.stock.test_key])
    before = fuzzed.live_items()
    case = data.draw(signed_cases(route, stock, faults_max=data.draw(st.integers(0, 2))))
    seen = checked(fuzzed, case)
    live = {*stock.numbers["order_no"], *stock.numbers["pending_no"]}
    live |= {link.token for link in (*stock.pay_links, *stock.identity_links)}
    sent = "".join(form.decode("utf-8", "replace") for form in case.forms())
    assert not [text for text in live if text in seen.answer["body"] and text not in sent]
    assert fuzzed.live_items() == before


@fuzzing(full=750)
@given(data=st.data())
def test_any_bodies(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    checked(fuzzed, data.draw(any_bodies(route, JSON_TYPE)))


@fuzzing(full=40)
@given(data=st.data())
def test_valid_requests_reach_the_end_of_a_handler(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    seen = checked(fuzzed, data.draw(signed_cases(route, fuzzed.stock, faults_max=0)))
    assert json.loads(seen.answer["body"])["code"] not in {1001, 1101, 1102, 1103, 1104}
