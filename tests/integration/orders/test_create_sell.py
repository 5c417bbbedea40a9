"""createOrder, sells: the answer, the stored items and the holds (contract sections 4 to 6)."""

import pytest

from orderdesk.domain.modes import Mode
from tests.support.merchant_client import BANK, WALLET, sell
from tests.support.world import World

WORKED_MICRO = 140_424_345


def test_a_sell_answers_the_contracts_worked_example(world: World) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 200_000_000)
    reply = client.create(sell(merchant_order_no="S-1"))
    assert reply.code == 1
    data = reply.data
    assert isinstance(data["order_id"], int)
    assert 0 < data["order_id"] < 2**53
    assert data["order_no"].startswith("S")
    assert data["merchant_order_no"] == "S-1"
    assert (data["status"], data["order_type"]) == ("matching", 2)
    assert (data["cny_amount"], data["rate"]) == ("1000.00", "7.1640")
    assert data["usdt_amount"] == "139.586824"
    assert data["merchant_amount"] == "140.424345"
    assert data["merchant_actual_amount"] == "140.424345"
    method = data["customer_payment_method"]
    assert method == {**BANK, "account": "", "qr_code": "", "full_info": "测试银行 测试甲 ****0017"}


@pytest.mark.parametrize("mode", list(Mode))
def test_live_and_test_money_never_meet(world: World, mode: Mode) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, WORKED_MICRO, mode)
    other = 1 - mode.is_test
    assert client.create(sell(is_test=other)).code == 2102
    assert client.create(sell(is_test=mode.is_test)).code == 1


def test_a_wallet_is_kept_with_its_own_fields_only(world: World) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, WORKED_MICRO)
    sent = {**WALLET, "bank": "not a wallet's field"}
    method = client.create(sell(payment_method=sent)).data["customer_payment_method"]
    assert method["bank"] == ""
    assert method["account"] == WALLET["account"]
    assert method["full_info"] == "alipay 测试乙 payee@example.com"


def test_a_warm_sell_makes_one_request(world: World) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10 * WORKED_MICRO)
    client.create(sell())
    with world.requests("create_order") as requests:
        client.create(sell(merchant_order_no="S-2"))
    assert requests == ["TransactWriteItems"]
