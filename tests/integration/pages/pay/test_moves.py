"""The pay page and a payer's moves: report a payment, cancel, dispute (sections 6 and 8)."""

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.pages.values import code_picture
from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.payer import UPLOADS, Payer
from tests.support.seed import WECHAT_METHOD
from tests.support.seen_page import Seen
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


@pytest.mark.parametrize("method", MethodType)
def test_a_created_orders_link_opens_its_page(world: World, method: MethodType) -> None:
    payer = Payer.of_new_order(world, method_type=method.value)
    answer = payer.get()
    assert answer["statusCode"] == 200
    html = answer["body"]
    assert "Waiting for your transfer" in html
    assert '1,000<span class="fen">.37</span>' in html
    assert payer.order_no in html
    receiving = "6200 0000 0000 0001 234" if method is MethodType.BANK else "trader-one"
    assert receiving in html
    assert payer.token not in Seen(html, "").text
    csp = answer["headers"]["Content-Security-Policy"]
    origin = "" if method is MethodType.BANK else "data: "
    assert f"img-src {origin}blob:;" in csp


def test_the_codes_picture_is_a_private_object_while_it_is_to_be_paid(world: World) -> None:
    payer = Payer.of_new_order(world, method_type=MethodType.WECHAT.value)
    for _ in range(2):
        answer = payer.get("/code.png")
        assert answer["statusCode"] == 303
        assert answer["headers"]["Cache-Control"] == "no-store"
        link = urlsplit(answer["headers"]["Location"])
        assert link.path.endswith(f"/codes/{payer.order_no}.png")
        assert parse_qs(link.query)["X-Amz-Expires"] == ["300"]
    stored = world.s3.get_object(Bucket=UPLOADS, Key=f"codes/{payer.order_no}.png")
    assert stored["ContentType"] == "image/png"
    assert stored["Body"].read() == code_picture(WECHAT_METHOD.qr_code)
    world.put("Orders", {**payer.order(), "status": OrderStatus.PAID.value})
    assert payer.get("/code.png")["statusCode"] == 404


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


@pytest.fixture
def strict(world: World) -> Payer:
    """Return the payer of a merchant that requires receipts."""
    world.add_trader()
    _, client = world.add_merchant(require_receipt=True)
    return Payer.of_link(world, client.create(buy()).data["pay_url"])


def test_the_payment_is_reported_with_a_receipt_only(strict: Payer) -> None:
    page = strict.get()["body"]
    assert f'action="{strict.token}/paid' not in page
    assert 'id="upload"' in page
    answer = strict.post("/paid", lang="en")
    assert answer["statusCode"] == 422
    assert "A receipt is needed" in answer["body"]
    assert strict.order()["status"] == "pending"
    assert strict.upload(samples.png())["statusCode"] == 303
    assert strict.order()["status"] == "paid"
    assert strict.post("/paid")["statusCode"] == 303


def test_orders_from_before_the_term_stay_as_they_were(world: World) -> None:
    world.add_trader()
    owner, client = world.add_merchant()
    strict = Payer.of_link(world, client.create(buy()).data["pay_url"])
    world.change_merchant(owner, require_receipt=True)
    assert strict.post("/paid")["statusCode"] == 303
    assert strict.order()["status"] == "paid"
