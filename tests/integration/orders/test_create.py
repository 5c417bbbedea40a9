"""createOrder: the answer, the stored items and the holds (contract sections 4 to 6)."""

import time

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import BANK, WALLET, buy, sell
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD
from tests.support.world import World


def test_a_buy_answers_the_contracts_worked_example(world: World) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    before = int(time.time())
    reply = client.create(buy(merchant_order_no="A-1"))
    assert (reply.status, reply.code) == (200, 1)
    data = reply.data
    assert data["result_status"] == "success"
    assert data["order_no"].startswith("B" + time.strftime("%Y%m%d", time.gmtime()))
    assert data["merchant_order_no"] == "A-1"
    assert (data["status"], data["order_type"]) == ("pending", 1)
    assert data["cny_amount"] == "1000.00"
    assert data["rate"] == "7.2360"
    assert data["service_amount"] == "0.829188"
    assert data["merchant_amount"] == "137.368711"
    assert data["deposit_amount"] == "1.373688"
    assert data["merchant_actual_amount"] == "135.995023"
    assert before <= data["createtime"] <= time.time()
    assert data["pay_url"].startswith(f"https://pay.example.com/pay/{data['order_no']}/")
    assert data["payment_method"] == {**BANK_METHOD.fields(), "card_number": "***************1234"}


def test_numbers_are_unique_within_one_merchant_over_live_and_test(world: World) -> None:
    _, one = world.add_merchant()
    _, other = world.add_merchant()
    world.add_trader()
    world.add_trader(mode=Mode.TEST)
    assert one.create(buy(merchant_order_no="A-1")).code == 1
    assert other.create(buy(merchant_order_no="A-1")).code == 1
    assert one.create(buy(merchant_order_no="A-1", is_test=1)).code == 2001


def test_the_rotation_reads_further_pages_before_it_says_no(world: World) -> None:
    _, client = world.add_merchant()
    for number in range(70):
        world.add_trader(methods=(ALIPAY_METHOD,), last_accepted_us=number)
    fits = world.add_trader(last_accepted_us=1_000)
    assert client.create(buy()).code == 1
    assert world.trader(fits.trader_id).counts.open_orders == 1


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
