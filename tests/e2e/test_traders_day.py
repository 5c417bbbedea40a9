"""A trader's whole day on the deployed stack: 50 orders, a break, another account, the sums."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest

from tests.e2e.traders_day import COMPLETED, HALF_A_DAY, SEE_OTHER, STATUS, Day, Kind
from tests.support.merchant_client import MerchantClient, buy
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit
from tests.support.visitors import hidden_fields

FUNDS = "20000"
CHINA = timedelta(hours=8)
NEW_CARD = "6222020200112345678"
ACCOUNT = {"real_name": "李四", "bank": "新银行", "sub_bank": "新支行", "card_number": NEW_CARD}
OVER = {"completed", "expired", "cancelled"}


@pytest.fixture
def day(stack_seed: StackSeed, terminal: Terminal) -> Day:
    """Return a trader and a merchant, funded by commands so that all USDT has postings."""
    stack_seed.clear_rotation()
    desk = TraderVisit.of_new_trader(stack_seed, available_micro=0)
    merchant, client = stack_seed.add_merchant()
    terminal.json("fund", "trader", desk.trader.trader_id, FUNDS, "--memo", "float", "--alone")
    terminal.json("fund", "merchant", merchant.merchant_id, FUNDS, "--memo", "float", "--alone")
    return Day(stack_seed, desk, client)


def save(desk: TraderVisit, route: str, **form: str) -> int:
    version = hidden_fields(desk.get("/trader/settings")["body"])["version"]
    answer = desk.post(f"/trader/settings/{route}", form={"version": version, **form})
    return int(answer["statusCode"])


def days_of(orders: Iterable[Any], when: str) -> set[str]:
    """Return the days in China of an event of orders."""
    return {f"{datetime.fromtimestamp(order[when], UTC) + CHINA:%Y-%m-%d}" for order in orders}


def text(amount: int, decimals: int) -> str:
    """Format an amount without the code under test."""
    digits = f"{amount:0{decimals + 1}d}"
    return f"{digits[:-decimals]}.{digits[-decimals:]}"


def test_a_day_of_fifty_orders(day: Day, terminal: Terminal) -> None:
    desk, client = day.desk, day.client
    morning = day.arrive(HALF_A_DAY)
    day.work()
    day.look_into_the_account()
    day.let_expire()
    lunch(desk, client)
    afternoon = day.arrive(HALF_A_DAY)
    day.work()
    day.look_into_the_account()
    day.let_expire()
    assert len(day.kinds) == 50
    stored = day.stored()
    assert {number: order["status"] for number, order in stored.items()} == {
        number: STATUS[kind] for number, kind in day.kinds.items()
    }
    for numbers, card in ((morning, "6200000000000001234"), (afternoon, NEW_CARD)):
        cards = {stored[n]["payment_method"]["card_number"] for n in numbers if n[0] == "B"}
        assert cards == {card}, "an order keeps the account that it was matched with"
    disputed = {number for number, kind in day.kinds.items() if kind is Kind.BUY_NOT_RECEIVED}
    assert set(day.shown()) == disputed
    held = sum(stored[number]["usdt_micro"] for number in disputed)
    now = day.seed.trader(desk.trader.trader_id)
    assert (now.held_micro, now.open_orders) == (held, len(disputed))
    check_history(desk, stored)
    check_books(day, terminal, stored)


def lunch(desk: TraderVisit, client: MerchantClient) -> None:
    """Go off duty, change the account and the limits, go on duty."""
    assert desk.post("/trader/offline")["statusCode"] == SEE_OTHER
    assert client.create(buy()).code == 2101, "nobody is on duty"
    form = {"access_code": desk.code, **ACCOUNT}
    assert save(desk, "methods/{method_type}", **{**form, "access_code": "wrong"}) == 422
    assert save(desk, "methods/{method_type}", **form) == SEE_OTHER
    assert save(desk, "limits", min_cny="50", max_cny="900", max_open="40") == SEE_OTHER
    assert desk.post("/trader/online")["statusCode"] == SEE_OTHER
    assert client.create(buy(cny_amount="900.01")).code == 2101, "its own limit is lower"


def check_history(desk: TraderVisit, stored: dict[str, Any]) -> None:
    """Compare the search, the day's totals and the CSV file with the stored items."""
    mine = {
        number: order
        for number, order in stored.items()
        if order.get("trader_id") == desk.trader.trader_id
    }
    over = {number: order for number, order in mine.items() if order["status"] in OVER}
    for number, order in list(over.items())[::7]:
        for query in ({"number": number[-6:]}, {"amount": text(order["cny_fen"], 2)}):
            assert number in desk.get("/trader/history", **query)["body"], query
    days = days_of(mine.values(), "createtime")
    span = {"day": min(days), "until": max(days)}
    file = desk.get("/trader/history", lang="en", format="csv", **span)["body"]
    rows = list(csv.DictReader(StringIO(file.lstrip("\ufeff"))))
    number, cny, usdt = (list(rows[0])[place] for place in (0, 5, 7))
    assert {(row[number], row[cny], row[usdt]) for row in rows} == {
        (each, text(order["cny_fen"], 2), text(order["usdt_micro"], 6))
        for each, order in over.items()
    }
    assert len(rows) == len(over)
    page = desk.get("/trader/history", lang="en", **span)["body"]
    totals = page.partition('id="totals"')[2].partition("</section>")[0]
    shown = re.sub(r"\s+", "", re.sub(r"<[^>]+>|,", "", totals))
    for day in days:
        of_day = [o for o in over.values() if days_of([o], "createtime") == {day}]
        for letter in "BS":
            done = [o for o in of_day if o["pk"][0] == letter and o["status"] == "completed"]
            fen, micro = (sum(o[name] for o in done) for name in ("cny_fen", "usdt_micro"))
            assert f"{len(done)}×¥{text(fen, 2)}{text(micro, 6)}USDT" in shown


def check_books(day: Day, terminal: Terminal, stored: dict[str, Any]) -> None:
    """Compare the reports of the test's one or two days with the stored items."""
    trader_id = day.desk.trader.trader_id
    done = {n: o for n, o in stored.items() if day.kinds[n] in COMPLETED}
    sums: Counter[str] = Counter()
    for date in sorted(days_of(done.values(), "updatetime")):
        report = json.loads(terminal.run("report", date, "--json").stdout)
        assert not [d for d in report["differences"] if trader_id in d["account"]]
        (row,) = (row for row in report["live"]["traders"] if row["trader_id"] == trader_id)
        sums["orders"] += row["orders"]
        for name, decimals in (("cny", 2), ("usdt", 6)):
            sums[name] += int(row[name].replace(".", ""))
            assert len(row[name].partition(".")[2]) == decimals
        closing = row["closing"]
    assert sums == {
        "orders": len(done),
        "cny": sum(order["cny_fen"] for order in done.values()),
        "usdt": sum(order["usdt_micro"] for order in done.values()),
    }
    moved = sum(o["usdt_micro"] * (1 if n[0] == "S" else -1) for n, o in done.items())
    now = day.seed.trader(trader_id)
    assert closing == text(now.available_micro + now.held_micro, 6)
    assert closing == text(int(FUNDS) * 10**6 + moved, 6)
    checked = json.loads(terminal.run("ledger", "check", "--json").stdout)
    subjects = [each["subject"] for each in checked["differences"] + checked["moving"]]
    assert not [subject for subject in subjects if trader_id in subject.split(":")]
