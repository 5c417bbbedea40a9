"""Payment codes on the deployed stack: read from pictures, drawn by us (contract sections 4, 8)."""

import io
import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import segno
import zxingcpp
from PIL import Image

from orderdesk.domain.orders.order import Order
from orderdesk.domain.payment_methods import MethodType
from tests.support.merchant_client import WALLET, buy, sell
from tests.support.merchant_receiver import Answer, Receiver
from tests.support.offices import Terminal
from tests.support.seed import WECHAT_METHOD
from tests.support.stack_seed import StackSeed, let_wait
from tests.support.trader import ORDER, TraderVisit

TEXT = "wxp://f2f0-a-payment-code"
PNG = b"\x89PNG\r\n\x1a\n"


def picture_of(text: str) -> bytes:
    picture = io.BytesIO()
    segno.make(text, error="m").save(picture, kind="png", scale=6, border=4)
    return picture.getvalue()


def text_in(picture: bytes) -> str:
    [code] = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)).convert("L"))
    return str(code.text)


def drawn_on(page: str) -> list[str]:
    found = re.findall(r'<img[^>]*src="data:image/png;base64,([^"]+)"', page)
    return [text_in(b64decode(content)) for content in found]


def assigned_sell(seed: StackSeed, desk: TraderVisit, qr_code: str) -> Order:
    """Create a sell whose customer has a payment code at an address; assign it to the trader."""
    merchant, client = seed.add_merchant()
    seed.fund(merchant, 10**12)
    asked = sell(payment_method={**WALLET, "qr_code": qr_code})
    number = client.create(asked).data["order_no"]
    let_wait(seed, number)
    seed.assign_sells()
    order = desk.order(number)
    assert order.trader_id == desk.trader.trader_id
    return order


def test_a_buys_code_is_a_picture_that_we_draw(stack_seed: StackSeed) -> None:
    stack_seed.only_trader(methods=(replace(WECHAT_METHOD, qr_code=TEXT),))
    _, client = stack_seed.add_merchant()
    made = client.create(buy(method_type="wechat")).data
    address = f"{made['pay_url']}/code.png"
    assert made["payment_method"]["qr_code"] == address
    asked = client.query(order_no=made["order_no"]).data
    assert asked["payment_method"]["qr_code"] == address
    picture = httpx.get(address, timeout=None, follow_redirects=True)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert text_in(picture.content) == TEXT
    assert TEXT in drawn_on(httpx.get(made["pay_url"], timeout=None).text)
    client.cancel(client.query(order_no=made["order_no"]))
    assert httpx.get(address, timeout=None).status_code == 404


def test_an_operator_sets_a_code_by_its_text_or_its_picture(
    stack_seed: StackSeed, terminal: Terminal, tmp_path: Path
) -> None:
    trader = terminal.json("trader", "add", "甲", "--min", "1", "--max", "5000", "--alone")[
        "trader_id"
    ]
    file = tmp_path / "code.png"
    file.write_bytes(picture_of(TEXT))
    for kind, code in (("wechat", str(file)), ("alipay", "https://qr.alipay.com/fkx1")):
        payee = ("--real-name", "甲", "--account", "a-1", "--qr-code", code)
        terminal.json("trader", "add-method", trader, kind, *payee, "--alone")
    methods = {m.method_type: m.qr_code for m in stack_seed.trader(trader).methods}
    assert methods == {MethodType.WECHAT: TEXT, MethodType.ALIPAY: "https://qr.alipay.com/fkx1"}
    other = ("--real-name", "甲", "--account", "a-1", "--qr-code", "https://bank.example/pay/1")
    refused = terminal.run("trader", "add-method", trader, "wechat", *other, "--alone")
    assert refused.exit_code == 2
    assert "qr_code" in refused.stderr


def test_a_customers_picture_is_fetched_once_and_drawn(
    stack_seed: StackSeed, desk: TraderVisit, shop: Receiver
) -> None:
    texts = ("https://qr.alipay.com/fkx123", "https://qr.alipay.com/another")
    address = shop.url("/code.png", *(Answer(body=picture_of(text)) for text in texts))
    order = assigned_sell(stack_seed, desk, address)
    for _ in range(3):
        page = desk.get(ORDER, order.order_no)["body"]
        assert drawn_on(page) == [texts[0]]
        assert address not in page
        assert "Scan it with the wallet" in page
    assert len(shop.of("/code.png")) == 1


@pytest.mark.parametrize(
    "content",
    [b"<html>", PNG * 300_000, picture_of("https://evil.example/pay")],
    ids=["no picture", "too large", "no wallet's"],
)
def test_what_is_no_code_is_never_linked(
    stack_seed: StackSeed, desk: TraderVisit, shop: Receiver, content: bytes
) -> None:
    address = shop.url("/code.png", Answer(body=content))
    order = assigned_sell(stack_seed, desk, address)
    for _ in range(2):
        page = desk.get(ORDER, order.order_no)["body"]
        assert drawn_on(page) == []
        assert address not in page
        assert "could not read a WeChat or Alipay code" in page
    assert len(shop.of("/code.png")) == 1
