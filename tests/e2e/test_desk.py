"""The desk over HTTP on the deployed stack: orders from creation to settlement."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from orderdesk_cli.wiring import open_local_office
from tests.support.depth import examples
from tests.support.merchant_client import buy, sell
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.stack_seed import StackSeed, assign
from tests.support.trader import ORDER, REASON, TraderVisit

BUY_MICRO, ACTUAL_MICRO = 138_197_899, 135_995_023
SELL_MICRO, DEDUCTED_MICRO = 139_586_824, 140_424_345
SEE_OTHER = httpx.codes.SEE_OTHER


def money_of(seed: StackSeed, desk: TraderVisit) -> tuple[int, int, int]:
    """Return the changes of the trader's available and held USDT and of its open orders."""
    now = seed.trader(desk.trader.trader_id)
    return now.available_micro - desk.trader.available_micro, now.held_micro, now.open_orders


def test_a_buy_to_the_end(stack_seed: StackSeed, desk: TraderVisit) -> None:
    merchant, client = stack_seed.add_merchant()
    created = client.create(buy()).data
    assert Payer.of_link(stack_seed, created["pay_url"]).post("/paid")["statusCode"] == SEE_OTHER
    assert created["order_no"] in desk.get("/trader/orders")["body"]
    assert "1,000" in desk.get(ORDER, created["order_no"])["body"]
    assert desk.move(created["order_no"], "confirm") == SEE_OTHER
    order = client.query(order_no=created["order_no"]).data
    assert [entry["status"] for entry in order["timeline"]] == ["pending", "paid", "completed"]
    assert money_of(stack_seed, desk) == (-BUY_MICRO, 0, 0)
    assert stack_seed.balance(merchant) == (ACTUAL_MICRO, 0)
    balance = client.post("/merchant/balance", {}).data
    assert balance["live"] == {"available": "135.995023", "held": "0.000000", "deposit": "1.373688"}


def test_a_sell_to_the_end(stack_seed: StackSeed, desk: TraderVisit) -> None:
    merchant, client = stack_seed.add_merchant()
    stack_seed.fund(merchant, DEDUCTED_MICRO)
    number = client.create(sell()).data["order_no"]
    assign(stack_seed, number)
    assert desk.move(number, "confirm") == httpx.codes.UNPROCESSABLE_ENTITY
    assert desk.upload(number, png())["statusCode"] == SEE_OTHER
    assert desk.move(number, "confirm") == SEE_OTHER
    order = client.query(order_no=number).data
    assert [entry["status"] for entry in order["timeline"]] == ["matching", "assigned", "completed"]
    assert money_of(stack_seed, desk) == (SELL_MICRO, 0, 0)
    assert stack_seed.balance(merchant) == (0, 0)


def test_a_dispute_is_shown_to_both_with_pictures(stack_seed: StackSeed, desk: TraderVisit) -> None:
    _, client = stack_seed.add_merchant()
    payer = Payer.of_link(stack_seed, client.create(buy()).data["pay_url"])
    assert payer.post("/paid")["statusCode"] == SEE_OTHER
    assert desk.move(payer.order_no, "report") == SEE_OTHER
    assert desk.upload(payer.order_no, png())["statusCode"] == SEE_OTHER
    terminal = Terminal(open_local_office(stack_seed.stack.endpoint_url, "orderdesk"))
    terminal.json("order", "ask", payer.order_no, "--text", "Which bank?")
    for _ in range(2):
        said = {"text": "It left my account", "seen": "3"}
        assert payer.post("/say", form=said)["statusCode"] == SEE_OTHER
    assert payer.upload(png())["statusCode"] == SEE_OTHER
    said = {"text": "Nothing came", "seen": "5"}
    assert desk.post(f"{ORDER}/say", payer.order_no, form=said)["statusCode"] == SEE_OTHER
    for page in (payer.get()["body"], desk.get(ORDER, payer.order_no)["body"]):
        for text in (REASON, "Which bank?", "It left my account", "Nothing came"):
            assert page.count(f">{text}<") == 1
        assert page.count("/preview.jpg") == 2
    assert len(terminal.json("order", "evidence", payer.order_no)["evidence"]) == 2
    shown = terminal.json("order", "show", payer.order_no)
    assert [note["by"] for note in shown["notes"]] == [
        *("trader", "trader", "operator", "payer", "payer", "trader")
    ]


@pytest.mark.deep
def test_concurrent_confirmations_pay_once(stack_seed: StackSeed, desk: TraderVisit) -> None:
    merchant, client = stack_seed.add_merchant()
    number = client.create(buy()).data["order_no"]
    calls = examples(budget=8, full=32)
    with ThreadPoolExecutor(calls) as pool:
        answers = list(pool.map(lambda _: desk.move(number, "confirm"), range(calls)))
    codes = Counter(answers)
    assert set(codes) <= {SEE_OTHER, httpx.codes.SERVICE_UNAVAILABLE}, codes
    assert codes[SEE_OTHER] > 0
    assert stack_seed.balance(merchant) == (ACTUAL_MICRO, 0)
    assert money_of(stack_seed, desk) == (-BUY_MICRO, 0, 0)
