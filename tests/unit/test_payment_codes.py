"""Texts of payment codes: which are a wallet's, and what is drawn of an order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import can_be_code, is_code_text
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.orders.receipts import Rendering, code_text
from tests.support.orders import CUSTOMERS_WALLET, buy_order, order_in
from tests.support.seed import BANK_METHOD, WECHAT_METHOD

NOW = 1_767_225_600
ADDRESS = "https://img.example.com/code.png"


@pytest.mark.parametrize(
    ("text", "is_wallets"),
    [
        ("wxp://f2f0abc", True),
        ("HTTPS://QR.ALIPAY.COM/FKX1", True),
        ("https://wx.tenpay.com/f2f?t=1", True),
        ("https://qr.95516.com/00010000/1", True),
        (ADDRESS, False),
        ("https://qr.alipay.com.evil.example/fkx1", False),
        ("https://notalipay.com/fkx1", False),
        ("https://qr.alipay.com@evil.example/fkx1", False),
        ("https://evil.example\\.alipay.com/fkx1", False),
        (" https://qr.alipay.com/fkx1", False),
        ("https://[oops", False),
        ("00020101021226", False),
    ],
)
def test_a_known_wallets_code(text: str, *, is_wallets: bool) -> None:
    assert is_code_text(text) is is_wallets


@pytest.mark.parametrize("text", [ADDRESS, "wxp://f2f0", "other-wallet://x", "00020101021226"])
def test_any_wallets_text_can_be_a_code(text: str) -> None:
    assert can_be_code(text)


@pytest.mark.parametrize(
    "text", ["", " ", " wxp://a", "wxp://a\n", "wxp://\u202ea", "JavaScript:alert(1)", "x" * 256]
)
def test_what_no_code_can_be(text: str) -> None:
    assert not can_be_code(text)


@given(st.text(max_size=300))
def test_a_known_wallets_code_can_be_a_code(text: str) -> None:
    for known in (text, f"wxp://{text}", f"https://qr.alipay.com/{text}"):
        assert can_be_code(known) or not is_code_text(known) or len(known) > 255


class Fetched:
    """Answers each fetch in the same way, and stores whose places they take."""

    def __init__(self, answer: str | Exception) -> None:
        self._answer = answer
        self.places: list[str] = []

    def fetch_code(self, _: str, place: str, __: str) -> str:
        self.places.append(place)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def render(self, _: str, __: str) -> Rendering:
        raise AssertionError

    def read_code(self, _: str, __: str) -> str:
        raise AssertionError


NO_PICTURE = UnfitReceipt(ReceiptProblem.WRONG_TYPE)
NEVER = AssertionError("fetched")


@pytest.mark.parametrize(
    ("qr_code", "fetched", "drawn"),
    [
        ("wxp://f2f0", NEVER, "wxp://f2f0"),
        ("other-wallet://x", NEVER, "other-wallet://x"),
        ("", NEVER, None),
        (ADDRESS, "wxp://f2f0", "wxp://f2f0"),
        (ADDRESS, NO_PICTURE, ADDRESS),
    ],
)
def test_a_buys_code(qr_code: str, fetched: str | Exception, drawn: str | None) -> None:
    order = buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=qr_code))
    assert code_text(order, Fetched(fetched)) == drawn


@pytest.mark.parametrize("address", [ADDRESS, ADDRESS.upper(), f" {ADDRESS}"])
def test_a_customers_address_without_a_picture_is_not_drawn(address: str) -> None:
    method = replace(CUSTOMERS_WALLET, qr_code=address)
    sell = replace(order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW), payment_method=method)
    assert code_text(sell, Fetched(NO_PICTURE)) is None
    assert code_text(sell, Fetched("wxp://f2f0")) == "wxp://f2f0"
    with pytest.raises(TryAgain):
        code_text(sell, Fetched(TryAgain()))


def test_a_fetch_of_a_customers_picture_takes_a_place_of_its_merchant() -> None:
    buy = buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=ADDRESS.upper()))
    sell = order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW)
    sell = replace(sell, payment_method=replace(CUSTOMERS_WALLET, qr_code=ADDRESS))
    fetched = Fetched("wxp://f2f0")
    for order in (buy, sell):
        code_text(order, fetched)
    assert fetched.places == [buy.order_no, sell.merchant_id]


def test_a_bank_account_has_no_code() -> None:
    assert code_text(buy_order(NOW, payment_method=BANK_METHOD), Fetched(NEVER)) is None
