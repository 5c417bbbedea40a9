"""Which of a trader's open orders resemble each other on the account's statement."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.desk_lists import lookalikes
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import OrderType
from tests.support.orders import CUSTOMERS_CARD, CUSTOMERS_WALLET, desk_order, numbered
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD, WECHAT_METHOD

NOW = 1_763_700_000
METHODS = (BANK_METHOD, WECHAT_METHOD, ALIPAY_METHOD, replace(BANK_METHOD, card_number="62" * 8))
BUYS = st.lists(st.tuples(st.sampled_from((1000_00, 1000_01)), st.sampled_from(METHODS)))


def buy(number: int, fen: int = 1000_00, method: PaymentMethod = BANK_METHOD) -> Order:
    order = desk_order(OrderType.BUY, OrderStatus.PAID, NOW, fen=fen, payment_method=method)
    return numbered(order, number)


def sell(number: int, fen: int = 1000_00, method: PaymentMethod = CUSTOMERS_CARD) -> Order:
    order = desk_order(OrderType.SELL, OrderStatus.ASSIGNED, NOW, fen=fen, payment_method=method)
    return numbered(order, number)


@given(BUYS)
def test_an_order_is_marked_if_another_has_its_amount_and_account(
    drawn: list[tuple[int, PaymentMethod]],
) -> None:
    orders = [buy(number, fen, method) for number, (fen, method) in enumerate(drawn)]
    wanted = {
        order.order_no: drawn.count(looks)
        for order, looks in zip(orders, drawn, strict=True)
        if drawn.count(looks) > 1
    }
    assert lookalikes(orders) == wanted


def test_an_account_is_one_whatever_else_was_typed_of_it() -> None:
    moved = replace(BANK_METHOD, sub_bank="another branch")
    one, other = buy(1), buy(2, method=moved)
    assert lookalikes([one, other]) == {one.order_no: 2, other.order_no: 2}


def test_a_wallet_without_an_account_is_known_by_its_code() -> None:
    wallet = replace(CUSTOMERS_WALLET, account="")
    one, other = sell(1, method=wallet), sell(2, method=wallet)
    third = sell(3, method=replace(wallet, qr_code="https://qr.alipay.com/other"))
    assert lookalikes([one, other, third]) == {one.order_no: 2, other.order_no: 2}


def test_a_buy_and_a_sell_are_told_apart_by_their_side() -> None:
    assert lookalikes([buy(1), sell(2, method=BANK_METHOD)]) == {}
