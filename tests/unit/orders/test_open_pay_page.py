"""Only the link's holder can open a pay page; every wrong link has the same refusal."""

import pytest

from orderdesk.domain.ids import token_matches
from orderdesk.domain.orders.drafts import Draft, Reservation
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.services.orders.look_up import open_pay_page
from orderdesk.services.ports import Orders
from tests.support.orders import ORDER_NO, TOKEN, buy_order

ORDER = buy_order(0)
SELL = buy_order(0, order_no="S" + ORDER_NO[1:], pay_token_hash=None)


class Stored(Orders):
    """The existing orders; nothing else is read."""

    def order(self, order_no: str) -> Order | None:
        return {order.order_no: order for order in (ORDER, SELL)}.get(order_no)

    def draft(self, pending_no: str) -> Draft | None:  # noqa: ARG002 - the port's
        raise AssertionError("a pay page reads no draft")

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:  # noqa: ARG002 - the port's
        raise AssertionError("a pay page reads no reservation")


STORED = Stored()


def test_the_token_opens_its_order() -> None:
    assert open_pay_page(STORED, ORDER_NO, TOKEN) is ORDER


WRONG = [
    (ORDER_NO, "u" * 43),
    (ORDER_NO, ""),
    (ORDER_NO, TOKEN + "="),
    (ORDER_NO, "\ud800"),
    (ORDER_NO, ORDER.pay_page.pay_token_hash or ""),
    ("B" + "0" * 24, TOKEN),
    ("D" + ORDER_NO[1:], TOKEN),
    ("number#m#1", TOKEN),
    ("", ""),
    (SELL.order_no, TOKEN),
    (SELL.order_no, ""),
    (SELL.order_no, "-" * 64),
]


@pytest.mark.parametrize(("order_no", "token"), WRONG)
def test_a_wrong_link_is_refused_after_one_comparison(
    order_no: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []

    def count(token: str, stored_hash: str) -> bool:
        compared.append("once")
        return token_matches(token, stored_hash)

    monkeypatch.setattr("orderdesk.services.orders.look_up.token_matches", count)
    with pytest.raises(OrderNotFound):
        open_pay_page(STORED, order_no, token)
    assert compared == ["once"]
