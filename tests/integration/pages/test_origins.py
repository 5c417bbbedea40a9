"""No form of the pay page or the desk may be sent from another site.

The rule itself is tested with every combination of headers in identity/test_posts.py.
"""

import pytest

from tests.support.payer import PAGE, Payer
from tests.support.template import template
from tests.support.trader import TraderVisit
from tests.support.visitors import Answer
from tests.support.world import World, desk_routes

FOREIGN: list[dict[str, str]] = [
    {},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
]


def posts(function: str) -> list[str]:
    """Return the paths of a function's POST routes."""
    events = template()["Resources"][function]["Properties"]["Events"].values()
    routes = [(event["Properties"]["Method"], event["Properties"]["Path"]) for event in events]
    if function == "TraderDeskFunction":
        routes = desk_routes()
    return [path for method, path in routes if method == "POST"]


@pytest.mark.parametrize("route", posts("PayPageFunction"))
def test_no_other_site_sends_a_payers_form(world: World, route: str) -> None:
    payer = Payer.of_new_order(world)
    key = payer.upload_fields()["key"]
    before = payer.order()
    for headers in FOREIGN:
        answer = payer.post(route.removeprefix(PAGE), headers, {"key": key, "text": "x"})
        assert answer["statusCode"] == 403
        assert "This did not come from our page" in answer["body"]
        assert f'href="../{payer.token}' in answer["body"]
    assert payer.order() == before
    assert world.renderings == []


@pytest.mark.parametrize("route", posts("TraderDeskFunction"))
def test_no_other_site_sends_a_traders_form(world: World, route: str) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    before = world.trader(trader.trader.trader_id)
    for headers in FOREIGN:
        answer: Answer = trader.post(route, order.order_no, headers, {"access_code": trader.code})
        assert answer["statusCode"] == 403
        assert "Set-Cookie" not in answer["headers"]
    assert trader.order(order.order_no) == order
    assert world.trader(trader.trader.trader_id) == before
    assert trader.is_in()
