"""A payer disputes a payment that is unconfirmed after half an hour (contract section 6)."""

from tests.support.payer import Payer
from tests.support.world import World

HALF_AN_HOUR = 1800


def test_what_stays_unconfirmed_for_half_an_hour_is_disputed(world: World, payer: Payer) -> None:
    world.report_paid(payer.order_no, seconds_ago=HALF_AN_HOUR)
    trader = world.trader(payer.order()["trader_id"])
    asked = payer.get("/dispute", lang="en")
    assert asked["statusCode"] == 200
    assert 'action="dispute?lang=en" method="post"' in asked["body"]
    assert payer.order()["status"] == "paid"
    for _ in range(2):
        answer = payer.post("/dispute", lang="en")
        assert answer["statusCode"] == 303
        assert answer["headers"]["Location"] == f"../{payer.token}?lang=en"
    order = payer.order()
    assert (order["status"], order["sequence"]) == ("disputed", 2)
    assert order["timeline"][-1]["by"] == "payer"
    assert "Payment disputed" in payer.get()["body"]
    assert world.trader(trader.trader_id) == trader
