"""A payer's moves on the pay page: report a payment, cancel (contract sections 6 and 8)."""

import re
from dataclasses import replace

import pytest

from tests.support.payer import Payer
from tests.support.world import World


def test_i_have_paid(world: World, payer: Payer) -> None:
    answer = payer.post("/paid")
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, f"../{payer.token}")
    assert payer.order()["status"] == "paid"
    assert "Payment reported" in payer.get()["body"]
    trader = world.trader(payer.order()["trader_id"])
    assert trader.counts.held_micro > 0
    assert trader.counts.open_orders == 1


def test_a_script_gets_the_page_instead_of_a_redirect(payer: Payer) -> None:
    answer = payer.post("/paid", stay="1", lang="zh")
    moved = f'; history.replaceState(null, "", "../{payer.token}?lang=zh")'
    assert (answer["statusCode"], answer["body"].count(moved)) == (200, 1)
    page = payer.get(lang="zh")["body"]

    def without_ids(body: str) -> str:
        return re.sub(r'nonce="[^"]+"|data-now="\d+"|value="[^"]+"', "", body)

    assert without_ids(answer["body"].replace(moved, "")) == without_ids(page)


def test_cancel_gives_the_traders_usdt_back(world: World, payer: Payer) -> None:
    answer = payer.post("/cancel", lang="zh")
    assert answer["headers"]["Location"] == f"../{payer.token}?lang=zh"
    assert payer.order()["status"] == "cancelled"
    assert "订单已取消" in payer.get(lang="zh")["body"]
    trader = world.trader(payer.order()["trader_id"])
    assert (trader.counts.held_micro, trader.counts.open_orders) == (0, 0)


@pytest.mark.parametrize("part", ["/paid", "/cancel"])
def test_a_repeated_move_is_a_success_once_done(payer: Payer, part: str) -> None:
    assert [payer.post(part)["statusCode"] for _ in range(3)] == [303, 303, 303]
    assert payer.order()["sequence"] == 2


@pytest.mark.parametrize(
    ("first", "second", "headline"),
    [("/paid", "/cancel", "Payment reported"), ("/cancel", "/paid", "Order cancelled")],
)
def test_a_move_that_came_too_late_shows_the_order_as_it_is(
    payer: Payer, first: str, second: str, headline: str
) -> None:
    payer.post(first)
    answer = payer.post(second)
    assert answer["statusCode"] == 409
    assert f"<h1>{headline}</h1>" in answer["body"]
    assert "order’s status had already changed" in answer["body"]
    assert payer.order()["sequence"] == 2


def test_cancelling_asks_first_and_only_where_it_is_possible(payer: Payer) -> None:
    asked = payer.get("/cancel", lang="en")
    assert asked["statusCode"] == 200
    assert "Cancel this order?" in asked["body"]
    assert 'action="cancel?lang=en" method="post"' in asked["body"]
    assert payer.order()["status"] == "pending"
    payer.post("/paid")
    answer = payer.get("/cancel")
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, f"../{payer.token}")


def test_logs_name_neither_token_nor_address_nor_card(
    payer: Payer, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for part in ("/cancel", "/receipt", "/status"):
        payer.get(part)
        replace(payer, token="guessed").get(part)
    payer.post("/paid", {})
    payer.post("/paid")
    payer.post("/cancel")
    logged = capsys.readouterr().out
    assert logged.count('"route"') == 8  # not the poll that succeeded
    for secret in (payer.token, "guessed", "198.51.100.7", "6200000000000001234", "交易员"):
        assert secret not in logged
