"""The operators' commands with any parameters: each is answered in the envelope, never by 5000."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from orderdesk.web.codes import CODES, SUCCESS
from orderdesk.web.operator.endpoint import COMMANDS
from orderdesk.web.operator.refusals import OPERATOR_CODES
from tests.fuzz.budget import fuzzing
from tests.fuzz.hostile import TRICKY
from tests.support.operator_api import OperatorApi, arn_of_user
from tests.support.world import open_world

KNOWN = {each.code for each in (SUCCESS, *CODES.values(), *OPERATOR_CODES.values())} - {5000}
NUMBERS = ("0", "-1", "1", "5.00", "7.2360", "999999999999999999", "1e9", "0.0000001")
IDS = ("B202511210009876543210123", "D202511210009876543210123", "P202511210009876543210123", "m1")
SCALARS = st.one_of(
    st.sampled_from((*TRICKY, *NUMBERS, *IDS, "buy", "live", "completed", "2026-01-31")),
    st.integers(),
    st.booleans(),
    st.none(),
    st.text(max_size=40),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=4)


@pytest.fixture(scope="module")
def api() -> Iterator[OperatorApi]:
    with open_world() as world:
        yield OperatorApi(world)


@pytest.mark.deep
@fuzzing(full=1_500)
@given(data=st.data())
def test_any_parameters(api: OperatorApi, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(COMMANDS)))
    names = st.sampled_from([*COMMANDS[name].parameters.model_fields, "x"])
    parameters = data.draw(st.dictionaries(names, VALUES, max_size=8))
    path = data.draw(st.sampled_from((f"/{name}", f"/solo/{name}")))
    status, _, envelope = api.send(arn_of_user("finance-1"), path, json.dumps(parameters).encode())
    event(f"{name} code {envelope['code']}")
    assert envelope["code"] in KNOWN
    assert status < 500 or envelope["code"] == 5001
