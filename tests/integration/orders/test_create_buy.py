"""createOrder, buys: the answer, the stored items and the holds (contract sections 4 to 6)."""

import time

from orderdesk.domain.modes import Mode
from tests.support.merchant_client import buy
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
