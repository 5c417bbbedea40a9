"""The pages of payers and traders: links, queries, cookies, origins and forms (section 8)."""

import pytest
from hypothesis import event, given, target
from hypothesis import strategies as st

from tests.fuzz.budget import fuzzing
from tests.fuzz.pages import FORM, page_cases
from tests.fuzz.requests import Route
from tests.fuzz.signed import any_bodies
from tests.fuzz.target import Target
from tests.fuzz.watch import Seen

PAYERS = ("pay_page", "identity_page")
DESK = ("trader_desk",)
# What a right request of a page is answered with: the page, a redirect, or what its order says.
RIGHT = {200, 303, 409, 422}


def any_route(fuzzed: Target, *functions: str) -> st.SearchStrategy[Route]:
    """Give a route; each function's turn comes as often, however many routes it has."""
    return st.sampled_from(functions).flatmap(
        lambda function: st.sampled_from(fuzzed.routes_of(function))
    )


def note(route: Route, seen: Seen) -> None:
    """Let hypothesis look for what costs more, and count the statuses that were reached."""
    event(f"{route.function}: {seen.answer['statusCode']}")
    target(seen.cpu_ms, label="ms of CPU")
    target(len(seen.answer["body"]), label="length of the answer")


@pytest.mark.deep
@fuzzing(budget=150, full=1_800)
@given(data=st.data())
def test_payers_pages(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(any_route(fuzzed, *PAYERS))
    note(route, fuzzed.check(data.draw(page_cases(route, fuzzed.stock))))


@pytest.mark.deep
@fuzzing(budget=150, full=1_800)
@given(data=st.data())
def test_the_traders_desk(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(any_route(fuzzed, *DESK))
    note(route, fuzzed.check(data.draw(page_cases(route, fuzzed.stock))))


@pytest.mark.deep
@fuzzing(budget=100, full=600)
@given(data=st.data())
def test_any_bodies(fuzzed: Target, data: st.DataObject) -> None:
    route = data.draw(any_route(fuzzed, *PAYERS, *DESK))
    note(route, fuzzed.check(data.draw(any_bodies(route, FORM))))


@fuzzing(budget=60, full=60)
@given(data=st.data())
def test_without_a_fault_they_get_through(fuzzed: Target, data: st.DataObject) -> None:
    """Show that the faults are put into requests that would reach the end of a handler."""
    route = data.draw(any_route(fuzzed, *PAYERS, *DESK))
    seen = fuzzed.check(data.draw(page_cases(route, fuzzed.stock, is_right=True)))
    # Nobody has sent a picture in a dispute.
    assert seen.answer["statusCode"] in ({404} if "/notes/" in route.path else RIGHT)
