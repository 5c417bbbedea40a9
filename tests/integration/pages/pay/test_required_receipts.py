"""A merchant that requires receipts: reporting a payment needs one (contract section 6)."""

import pytest

from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.payer import Payer
from tests.support.world import World


@pytest.fixture
def payer(world: World) -> Payer:
    """Return the payer of a merchant that requires receipts."""
    world.add_trader()
    _, client = world.add_merchant(require_receipt=True)
    return Payer.of_link(world, client.create(buy()).data["pay_url"])


def test_the_payment_is_reported_with_a_receipt_only(payer: Payer) -> None:
    page = payer.get()["body"]
    assert f'action="{payer.token}/paid' not in page
    assert 'id="upload"' in page
    answer = payer.post("/paid", lang="en")
    assert answer["statusCode"] == 422
    assert "A receipt is needed" in answer["body"]
    assert payer.order()["status"] == "pending"
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
