"""The pages of payers and traders: links, queries, cookies, origins and forms (section 8)."""

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fuzz.budget import aim, fuzzing
from tests.fuzz.pages import FORM, page_cases
from tests.fuzz.requests import Route
from tests.fuzz.signed import any_bodies
from tests.fuzz.target import Target
from tests.fuzz.watch import Seen

PAYERS = ("pay_page", "identity_page")
DESK = ("trader_desk",)
# The statuses of a valid request: the page, a redirect, or a refusal of its order's status.
RIGHT = {200, 303, 409, 422}


def any_route(fuzzed: Target, *functions: str) -> st.SearchStrategy[Route]:
    """Draw a route; each function has the same probability."""
    return st.sampled_from(functions).flatmap(
        lambda function: st.sampled_from(fuzzed.routes_of(function))
    )


def note(route: Route, seen: Seen) -> None:
    """Set hypothesis' targets and count the statuses."""
    event(f"{route.function}: {seen.answer['statusCode']}")
    aim(seen)


@pytest.mark.parametrize("functions", [PAYERS, DESK], ids=["payers", "desk"])
@fuzzing(full=900)
@given(data=st.data())
def test_requests_with_faults(
    fuzzed: Target, functions: tuple[str, ...], data: st.DataObject
) -> None:
    route = data.draw(any_route(fuzzed, *functions))
    note(route, fuzzed.check(data.draw(page_cases(route, fuzzed.stock))))


@fuzzing(full=300)
@given(data=st.data())
def test_any_bodies(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(any_route(fuzzed, *PAYERS, *DESK))
    note(route, fuzzed.check(data.draw(any_bodies(route, FORM))))


@fuzzing(full=60)
@given(data=st.data())
def test_valid_requests_reach_the_end_of_a_handler(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(any_route(fuzzed, *PAYERS, *DESK))
    seen = fuzzed.check(data.draw(page_cases(route, fuzzed.stock, is_right=True)))
    # No dispute has a picture; most orders have no payment code to pay now.
    has_none = any(part in route.path for part in ("/notes/", "/code.png"))
    assert seen.answer["statusCode"] in ({303, 404} if has_none else RIGHT)
