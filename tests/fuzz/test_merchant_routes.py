"""The merchants' routes: signed requests with faults, and any bodies (contract section 1)."""

import json

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


@fuzzing(budget=120, full=4_000)
@given(data=st.data())
def test_signed_requests_with_faults(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    note(fuzzed.check(data.draw(signed_cases(route, fuzzed.stock))))


@fuzzing(budget=80, full=1_500)
@given(data=st.data())
def test_any_bodies(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    note(fuzzed.check(data.draw(any_bodies(route, JSON_TYPE))))


@fuzzing(budget=25, full=40)
@given(data=st.data())
def test_valid_requests_reach_the_end_of_a_handler(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(fuzzed.signed_routes()))
    seen = fuzzed.check(data.draw(signed_cases(route, fuzzed.stock, faults_max=0)))
    assert json.loads(seen.answer["body"])["code"] not in {1001, 1101, 1102, 1103, 1104}
