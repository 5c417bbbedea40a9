"""A statement's file through the gateway."""

from orderdesk.domain.ids import payment_reference
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE


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
