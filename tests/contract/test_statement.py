"""statement: postings, oldest first, with running balances (contract section 4)."""

import time
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed, post_funding
from tests.support.trader import TraderVisit

STATEMENT = "/merchant/statement"
FUNDED = 500_000_000


@pytest.fixture
def owner(seed: Seed) -> tuple[Merchant, MerchantClient]:
    merchant, client = seed.add_merchant()
    post_funding(seed, merchant, FUNDED, at_us=time.time_ns() // 1000 - 10**6)
    return merchant, client


def page(client: MerchantClient, **params: Any) -> Any:
    reply = client.post(STATEMENT, params)
    assert reply.code == 1, reply
    return reply.data


def walk(client: MerchantClient, **params: Any) -> list[dict[str, Any]]:
    """Return every posting, page by page."""
    rows, cursor = [], None
    while True:
        data = page(client, **params, cursor=cursor)
        rows += data["postings"]
        cursor = data["cursor"]
        if cursor is None:
            return rows


def last_balances(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["account"]: row["balance"] for row in rows}


def test_every_posting_of_both_accounts_with_its_balance(
    seed: Seed, owner: tuple[Merchant, MerchantClient]
) -> None:
    _, client = owner
    seed.clear_rotation()
    desk = TraderVisit.of_new_trader(seed)
    bought = client.create(buy()).data["order_no"]
    before = int(time.time())
    assert desk.move(bought, "confirm") == 303
    rows = page(client)["postings"]
    names = ["kind", "order_no", "account", "amount", "balance"]
    assert [{*row} for row in rows] == [
        {"id", "time", "merchant_order_no", "withdrawal_no", *names}
    ] * 3
    assert len({row["id"] for row in rows}) == 3
    assert [[row[name] for name in names] for row in rows] == [
        ["funding", None, "available", "500.000000", "500.000000"],
        ["settlement", bought, "available", "135.995023", "635.995023"],
        ["settlement", bought, "deposit", "1.373688", "1.373688"],
    ]
    balance = client.balance()["live"]
    assert last_balances(rows) == {"available": balance["available"], "deposit": balance["deposit"]}
    assert before <= rows[-1]["time"] <= time.time()


def test_a_filter_keeps_the_running_balances(
    seed: Seed, owner: tuple[Merchant, MerchantClient]
) -> None:
    _, client = owner
    seed.clear_rotation()
    desk = TraderVisit.of_new_trader(seed)
    bought = []
    for number in ("f-1", "f-2", "f-3"):
        bought.append(client.create(buy(merchant_order_no=number)).data["order_no"])
        assert desk.move(bought[-1], "confirm") == 303
    whole = walk(client)
    for wanted in ({"order_no": bought[1]}, {"kind": "settlement"}, {"kind": "funding"}):
        [(name, value)] = wanted.items()
        listed = [row for row in whole if row[name] == value]
        assert listed
        assert walk(client, **wanted, limit=1) == walk(client, **wanted) == listed
    assert [row["merchant_order_no"] for row in whole if row["order_no"] == bought[1]] == [
        "f-2"
    ] * 2
    assert walk(client, order_no=bought[1], kind="funding") == []
    _, other = seed.add_merchant()
    assert walk(other, order_no=bought[1]) == []
    assert client.post(STATEMENT, {"kind": "gift"}).code == 1002


def test_the_last_page_has_the_newest_seal(
    seed: Seed, owner: tuple[Merchant, MerchantClient]
) -> None:
    _, client = owner
    client.create(buy())
    newest = f"{9_999_999_999}"
    seed.put(seed.tables.ledger, {"pk": "seals", "sk": newest, "hash": "5f"})
    try:
        data = page(client)
    finally:
        key = {"pk": {"S": "seals"}, "sk": {"S": newest}}
        seed.client.delete_item(TableName=seed.tables.ledger, Key=key)
    assert data["seal"] == {"time": 9_999_999_999, "hash": "5f"}
    post_funding(seed, owner[0], FUNDED)
    assert "seal" not in page(client, limit=1)


def test_a_hold_has_no_posting_and_stays_in_the_balance(
    owner: tuple[Merchant, MerchantClient],
) -> None:
    _, client = owner
    assert client.create(sell()).code == 1
    (row,) = page(client)["postings"]
    balance = client.balance()["live"]
    assert (balance["available"], balance["held"]) == ("359.575655", "140.424345")
    assert row["balance"] == "500.000000"


def test_live_and_test_are_apart(seed: Seed, owner: tuple[Merchant, MerchantClient]) -> None:
    merchant, client = owner
    post_funding(seed, merchant, 7, Mode.TEST)
    assert [row["amount"] for row in page(client)["postings"]] == ["500.000000"]
    assert page(client, is_test=0) == page(client)
    assert [row["amount"] for row in page(client, is_test=1)["postings"]] == ["0.000007"]


def test_pages_go_on_where_the_last_one_ended(
    seed: Seed, owner: tuple[Merchant, MerchantClient]
) -> None:
    merchant, client = owner
    for micro in range(1, 12):
        post_funding(seed, merchant, micro)
    rows = walk(client, limit=5)
    assert rows == page(client, limit=100)["postings"]
    assert len(rows) == 12
    assert last_balances(rows) == {"available": client.balance()["live"]["available"]}
    times = [row["time"] for row in rows]
    assert times == sorted(times)


def test_a_span_of_time(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    for second in (1_700_000_000, 1_700_000_001, 1_700_000_002):
        post_funding(seed, merchant, 1_000_000, at_us=second * 10**6 + 999_999)
    rows = page(client, start_time=1_700_000_001, end_time=1_700_000_001)["postings"]
    assert [(row["time"], row["balance"]) for row in rows] == [(1_700_000_001, "2.000000")]
    assert page(client, start_time=1_700_000_002, end_time=1_700_000_001)["postings"] == []
    assert len(page(client, start_time=-5, end_time=10**15)["postings"]) == 3
    assert page(client, start_time=10**15)["postings"] == []
