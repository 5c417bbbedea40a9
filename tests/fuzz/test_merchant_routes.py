"""The merchants' routes: signed requests with faults, and any bodies (contract section 1)."""

import json
from dataclasses import replace

from hypothesis import event, given, target
from hypothesis import strategies as st

from tests.fuzz.budget import fuzzing
from tests.fuzz.signed import JSON_TYPE, any_bodies, signed_cases
from tests.fuzz.target import Target
from tests.fuzz.watch import Seen


def note(seen: Seen) -> None:
    """Set hypothesis' targets (CPU time, length) and count the codes."""
    event(f"code {json.loads(seen.answer['body'])['code']}")
    target(seen.cpu_ms, label="ms of CPU")
    target(len(seen.answer["body"]), label="length of the answer")


@fuzzing(full=2_000)
@given(data=st.data())
def test_signed_requests_with_faults(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    note(fuzzed.check(data.draw(signed_cases(route, fuzzed.stock))))


@fuzzing(full=1_000)
@given(data=st.data())
def test_a_test_key_reaches_nothing_live(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    stock = replace(fuzzed.stock, merchants=[fuzzed.stock.test_key])
    before = fuzzed.live_items()
    case = data.draw(signed_cases(route, stock, faults_max=data.draw(st.integers(0, 2))))
    seen = fuzzed.check(case)
    note(seen)
    live = {*stock.numbers["order_no"], *stock.numbers["pending_no"]}
    live |= {link.token for link in (*stock.pay_links, *stock.identity_links)}
    sent = "".join(form.decode("utf-8", "replace") for form in case.forms())
    assert not [text for text in live if text in seen.answer["body"] and text not in sent]
    assert fuzzed.live_items() == before


@fuzzing(full=750)
@given(data=st.data())
def test_any_bodies(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    note(fuzzed.check(data.draw(any_bodies(route, JSON_TYPE))))


@fuzzing(full=40)
@given(data=st.data())
def test_valid_requests_reach_the_end_of_a_handler(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    seen = fuzzed.check(data.draw(signed_cases(route, fuzzed.stock, faults_max=0)))
    assert json.loads(seen.answer["body"])["code"] not in {1001, 1101, 1102, 1103, 1104}
