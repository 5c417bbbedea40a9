"""A payer disputes a payment that is unconfirmed after half an hour (contract section 6)."""

import pytest

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


def test_a_script_gets_the_page_instead_of_a_redirect(world: World, payer: Payer) -> None:
    world.report_paid(payer.order_no, seconds_ago=HALF_AN_HOUR)
    disputed = payer.post("/dispute", stay="1", lang="en")
    words = {"text": "It left at noon.", "seen": "0"}
    said = payer.post("/say", form=words, stay="1", lang="en")
    for answer in (disputed, said):
        assert answer["statusCode"] == 200
        assert f'history.replaceState(null, "", "../{payer.token}?lang=en")' in answer["body"]
    assert 'data-told="0"' in disputed["body"]
    assert 'data-told="1"' in said["body"]


@pytest.mark.parametrize(
    ("status", "seconds_ago", "headline"),
    [
        ("paid", 0, "Payment reported"),
        ("paid", HALF_AN_HOUR - 60, "Payment reported"),
        ("pending", 2 * HALF_AN_HOUR, "Waiting for your transfer"),
        ("completed", 2 * HALF_AN_HOUR, "Payment complete"),
        ("cancelled", 2 * HALF_AN_HOUR, "Order cancelled"),
        ("expired", 2 * HALF_AN_HOUR, "Time has run out"),
    ],
)
def test_only_what_is_paid_for_so_long_can_be_disputed(
    world: World, payer: Payer, status: str, seconds_ago: int, headline: str
) -> None:
    world.report_paid(payer.order_no, seconds_ago=seconds_ago)
    world.put("Orders", {**payer.order(), "status": status})
    asked = payer.get("/dispute")
    assert (asked["statusCode"], asked["headers"]["Location"]) == (303, f"../{payer.token}")
    answer = payer.post("/dispute")
    assert answer["statusCode"] == 409
    assert f"<h1>{headline}</h1>" in answer["body"]
    assert payer.order()["status"] == status
