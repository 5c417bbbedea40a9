"""A different sum arrived, at the desk and on the pay page (contract sections 6 and 8)."""

import pytest

from tests.support.merchant_client import MerchantClient, buy
from tests.support.payer import Payer
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

SUM = f"{ORDER}/sum"
FORM = {"en": "Report this amount", "zh": "上报此金额"}
AGREED = {"en": "over: agreed to the amount that arrived", "zh": "已结束：同意实际到账金额"}
WRONG = ("over: the payee confirmed", "已结束：收款人", "Our support decides", "客服将处理")


@pytest.fixture
def client(world: World, trader: TraderVisit) -> MerchantClient:
    return world.add_merchant(other_sums="agreed:10")[1]


@pytest.fixture
def payer(world: World, client: MerchantClient) -> Payer:
    return Payer.of_link(world, client.create(buy()).data["pay_url"])


def report(trader: TraderVisit, payer: Payer, amount: str) -> int:
    answer = trader.post(SUM, payer.order_no, form={"amount": amount}, lang="en")
    return int(answer["statusCode"])


@pytest.mark.parametrize("language", FORM)
def test_the_payer_agrees(
    trader: TraderVisit, client: MerchantClient, payer: Payer, language: str
) -> None:
    assert FORM[language] in trader.get(ORDER, payer.order_no, lang=language)["body"]
    assert report(trader, payer, " ¥1,050.00 ") == 303
    for page in (payer.get(lang=language), trader.get(ORDER, payer.order_no, lang=language)):
        assert "¥1,050.00" in page["body"]
    asked = payer.get(lang=language)["body"]
    assert 'action="' in asked
    assert "/agree" in asked
    assert "/object" in asked
    assert client.query(order_no=payer.order_no).data["reported_cny_amount"] == "1050.00"
    for _ in range(2):
        assert payer.post("/agree")["statusCode"] == 303
    data = client.query(order_no=payer.order_no).data
    found = (data["status"], data["cny_amount"], data["requested_cny_amount"])
    assert found == ("completed", "1050.00", "1000.00")
    done = payer.get(lang=language)["body"]
    assert "/agree" not in done
    assert "1,050" in done
    for page in (done, trader.get(ORDER, payer.order_no, lang=language)["body"]):
        assert AGREED[language] in page
        assert not [words for words in WRONG if words in page]
    assert payer.post("/object")["statusCode"] == 409


def test_an_agreement_that_the_traders_usdt_does_not_cover_is_stored(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, available_micro=141_000_000)
    client = world.add_merchant(other_sums="agreed:10")[1]
    payer = Payer.of_link(world, client.create(buy()).data["pay_url"])
    assert report(trader, payer, "1050.00") == 303
    assert payer.post("/agree")["statusCode"] == 303
    order = payer.order()
    assert (order["status"], order["sum_answer"]) == ("disputed", "agreed")


def test_an_objection_and_silence(trader: TraderVisit, payer: Payer) -> None:
    assert report(trader, payer, "950") == 303
    assert "has not answered" in trader.get(ORDER, payer.order_no, lang="en")["body"]
    assert payer.post("/object", lang="en")["statusCode"] == 303
    page = payer.get(lang="en")["body"]
    assert "You objected" in page
    assert "/object" not in page
    assert "/agree" in page
    assert "The customer objected" in trader.get(ORDER, payer.order_no, lang="en")["body"]
    assert payer.order()["status"] == "disputed"


@pytest.mark.parametrize("amount", ["", "x", "0", "1000.00", "2000.01", "1.001"])
def test_a_sum_that_is_none_is_shown_at_its_field(
    trader: TraderVisit, payer: Payer, amount: str
) -> None:
    answer = trader.post(SUM, payer.order_no, form={"amount": amount}, lang="en")
    assert answer["statusCode"] == 422
    assert 'aria-invalid="true"' in answer["body"]
    assert payer.order()["status"] == "pending"


def test_a_merchant_that_accepts_no_other_sum(world: World, trader: TraderVisit) -> None:
    _, client = world.add_merchant()
    payer = Payer.of_link(world, client.create(buy()).data["pay_url"])
    assert FORM["en"] not in trader.get(ORDER, payer.order_no, lang="en")["body"]
    assert report(trader, payer, "900") == 409
    assert payer.order()["status"] == "pending"
