"""Texts of payment codes: which are a wallet's, and what is drawn of an order."""

from dataclasses import replace

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import is_code_text
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
        ("https://u.wechat.com/abc", True),
        ("https://payapp.wechatpay.cn/qr/abc", True),
        ("https://payapp.weixin.qq.com/qr/abc", True),
        ("weixin://wxpay/bizpayurl?pr=1", True),
        (ADDRESS, False),
        ("", False),
        ("wxp://", False),
        ("https://qr.alipay.com/", False),
        ("https://mp.weixin.qq.com/s/an-article", False),  # anybody can have one
        ("https://render.alipay.com/p/a-page", False),
        ("wxp://a\n", False),
        ("wxp://\u202ea", False),
        ("javascript:alert(1)", False),
        ("wxp://" + "x" * 250, False),
        ("other-wallet://x", False),
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
    ("qr_code", "drawn"),
    [("wxp://f2f0", "wxp://f2f0"), ("other-wallet://x", None), ("", None), (ADDRESS, None)],
)
def test_a_traders_code_is_its_own_text_and_never_fetched(qr_code: str, drawn: str | None) -> None:
    order = buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=qr_code))
    assert code_text(order, Fetched(NEVER)) == drawn


def customers(qr_code: str) -> Order:
    method = replace(CUSTOMERS_WALLET, qr_code=qr_code)
    return replace(order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=NOW), payment_method=method)


@pytest.mark.parametrize(
    ("fetched", "drawn"),
    [
        ("wxp://f2f0", "wxp://f2f0"),
        ("https://evil.example/pay", None),  # an answer that was stored before
        (NO_PICTURE, None),
    ],
)
@pytest.mark.parametrize("address", [ADDRESS, ADDRESS.upper(), f" {ADDRESS}"])
def test_a_customers_picture_is_drawn_if_its_code_is_a_wallets(
    address: str, fetched: str | Exception, drawn: str | None
) -> None:
    assert code_text(customers(address), Fetched(fetched)) == drawn


def test_a_customers_own_text_is_not_fetched() -> None:
    assert code_text(customers("wxp://f2f0"), Fetched(NEVER)) == "wxp://f2f0"


def test_a_fetch_of_a_customers_picture_takes_a_place_of_its_merchant() -> None:
    sell, fetched = customers(ADDRESS), Fetched("wxp://f2f0")
    code_text(sell, fetched)
    assert fetched.places == [sell.merchant_id]
    with pytest.raises(TryAgain):
        code_text(sell, Fetched(TryAgain()))


def test_a_bank_account_has_no_code() -> None:
    assert code_text(buy_order(NOW, payment_method=BANK_METHOD), Fetched(NEVER)) is None
