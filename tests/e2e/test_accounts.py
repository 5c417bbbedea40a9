"""Caps of accounts under concurrent buys, and a statement's file through the gateway."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.trader import AccountTerms
from tests.e2e.busy import create
from tests.support.merchant_client import Reply, buy
from tests.support.seed import BANK_METHOD
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE

TOGETHER = 8


def test_no_account_receives_more_than_its_cap_however_many_buys_come(
    stack_seed: StackSeed,
) -> None:
    caps = {"bank": 2000_00, "bank2": 1999_99, "bank3": 0}
    cards = [
        replace(BANK_METHOD, account_no=number, card_number=f"62000000000000{number}")
        for number in (1, 2, 3)
    ]
    terms = {key: AccountTerms(fen > 0, fen or None) for key, fen in caps.items()}
    trader = stack_seed.only_trader(methods=tuple(cards), account_terms=terms)
    _, client = stack_seed.add_merchant(slot_share=100)

    def one(number: int) -> Reply:
        return create(client, buy(merchant_order_no=f"n{number}"))

    with ThreadPoolExecutor(TOGETHER) as pool:
        codes = sorted(reply.code for reply in pool.map(one, range(12)))
    assert codes == [1] * 3 + [2101] * 9
    after, today = stack_seed.trader(trader.trader_id), trading_day(int(time.time()))
    assert [after.received_on(key, today) for key in caps] == [2000_00, 1000_00, 0]


def test_a_statement_in_gb18030_arrives_byte_for_byte(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    desk = TraderVisit.of_new_trader(stack_seed)
    order = desk.buy()
    row = f"2099-11-25 09:00:00,张三,1000.37,备注{payment_reference(order.order_no)}"
    content = f"交易时间,对方户名,收入金额,附言\r\n{row}\r\n".encode("gb18030")
    frame = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    headers = {**OWN_PAGE, "Content-Type": "multipart/form-data; boundary=x"}
    body = frame + content + b"\r\n--x--\r\n"
    page = desk.send("POST", "/trader/statement", query={"lang": "zh"}, headers=headers, body=body)
    assert page["statusCode"] == 200
    assert f"orders/{order.order_no}/confirm" in page["body"]
    assert "备注" in page["body"]
