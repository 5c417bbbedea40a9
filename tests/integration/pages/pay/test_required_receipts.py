"""A merchant that requires receipts: reporting a payment needs one (contract section 6)."""

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.money_world import MoneyWorld, Step
from tests.support.payer import Payer
from tests.support.world import World


@pytest.fixture
def payer(world: World) -> Payer:
    """Return the payer of a merchant that requires receipts."""
    world.add_trader()
    _, client = world.add_merchant(require_receipt=True)
    return Payer.of_link(world, client.create(buy()).data["pay_url"])


@pytest.mark.parametrize(("lang", "told"), [("en", "A receipt is needed"), ("zh", "需要转账凭证")])
def test_paid_without_a_receipt_is_refused_in_words(payer: Payer, lang: str, told: str) -> None:
    answer = payer.post("/paid", lang=lang)
    assert answer["statusCode"] == 422
    assert told in answer["body"]
    assert payer.order()["status"] == "pending"


@pytest.mark.parametrize(("lang", "button"), [("en", "I have paid"), ("zh", "我已付款")])
def test_the_button_is_not_offered_but_the_upload_is(payer: Payer, lang: str, button: str) -> None:
    page = payer.get(lang=lang)["body"]
    assert button not in page
    assert f'action="{payer.token}/paid' not in page
    assert 'id="upload"' in page


def test_the_receipt_reports_the_payment(payer: Payer) -> None:
    assert payer.upload(samples.png())["statusCode"] == 303
    assert payer.order()["status"] == "paid"
    assert payer.post("/paid")["statusCode"] == 303


def test_orders_from_before_the_term_stay_as_they_were(world: World) -> None:
    world.add_trader()
    owner, client = world.add_merchant()
    payer = Payer.of_link(world, client.create(buy()).data["pay_url"])
    world.change_merchant(owner, require_receipt=True)
    assert payer.post("/paid")["statusCode"] == 303
    assert payer.order()["status"] == "paid"


def test_a_trader_may_confirm_what_it_received_without_one(world: World) -> None:
    money = MoneyWorld(world)
    money.merchants[0] = world.change_merchant(money.merchants[0], require_receipt=True)
    number = money.create(OrderType.BUY, 1000_00)
    trader_id = money.order(number).trader_id
    done = money.do(Step(number, Actor.TRADER, Move.CONFIRM, trader_id))
    assert done.status is OrderStatus.COMPLETED
