"""The same requests over HTTP, which the gateway decodes first.

CPU time is not measured here. The tables are not restored, so limits of attempts are reached.
"""

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.fuzz.budget import fuzzing
from tests.fuzz.over_http import is_sendable, sent
from tests.fuzz.pages import page_cases
from tests.fuzz.requests import Case, every_route
from tests.fuzz.rules import UNAVAILABLE, broken_rules, logged
from tests.fuzz.signed import signed_cases
from tests.fuzz.target import Stock, stocked
from tests.fuzz.watch import Seen
from tests.support.stack_seed import StackSeed

# DynamoDB may be busy here, unlike moto (contract section 3).
BUSY = UNAVAILABLE | {"try_again"}


@pytest.fixture(scope="module")
def stock(stack_seed: StackSeed) -> Stock:
    """Return orders, drafts and a session on the deployed stack."""
    return stocked(stack_seed)


@st.composite
def any_cases(draw: st.DrawFn, stock: Stock) -> Case:
    """Draw a request of any route; each function has the same probability."""
    routes = every_route()
    function = draw(st.sampled_from(sorted({route.function for route in routes})))
    route = draw(st.sampled_from([each for each in routes if each.function == function]))
    return draw(signed_cases(route, stock) if route.is_signed else page_cases(route, stock))


@pytest.mark.deep
def test_every_route_over_http(stack_seed: StackSeed, stock: Stock) -> None:
    private: set[str] = set(stock.secrets)

    @fuzzing(budget=40, full=200)
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        case = data.draw(any_cases(stock))
        assume(is_sendable(case))
        private.update(case.private)
        answer = sent(stack_seed.http, case)
        event(f"{case.route.function}: {answer['statusCode']}")
        broken = list(broken_rules(case, Seen(answer, 0, ""), BUSY))
        assert not broken, "\n".join([*broken, repr(case)])

    run()
    for name in {route.function for route in every_route()}:
        assert [*logged(frozenset(private), logs_of(stack_seed, name))] == []


def logs_of(seed: StackSeed, folder: str) -> str:
    """Return a function's log."""
    output = "".join(part.capitalize() for part in folder.split("_")) + "FunctionName"
    return "\n".join(seed.stack.function_logs(seed.stack.outputs[output]))
