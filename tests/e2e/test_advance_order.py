"""advanceOrder on the deployed stack, while the merchant reads its statement."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import buy
from tests.support.stack_seed import StackSeed

ADVANCE = "/test/advanceOrder"
CALLS = 6


def test_the_statement_matches_the_balance_while_orders_settle(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    stack_seed.add_trader(mode=Mode.TEST)
    _, client = stack_seed.add_merchant()
    numbers = [client.create(buy(), route="test").data["order_no"] for _ in range(CALLS)]
    rows: list[Any] = []
    cursor, settling = None, True
    with ThreadPoolExecutor(2) as pool:
        asked = [{"order_no": number, "to": "completed"} for number in numbers]
        done = [pool.submit(client.post, ADVANCE, each) for each in asked]
        while settling or cursor is not None:
            settling = not all(each.done() for each in done)
            params = {"is_test": 1, "limit": 1, "cursor": cursor}
            data = client.post("/merchant/statement", params).data
            if data["cursor"] is not None:
                rows, cursor = rows + data["postings"], data["cursor"]
            elif not settling:
                rows, cursor = rows + data["postings"], None
    assert [each.result().code for each in done] == [1] * CALLS
    named = [(row["order_no"], row["account"]) for row in rows]
    assert sorted(named) == sorted((n, a) for n in numbers for a in ("available", "deposit"))
    last = {row["account"]: row["balance"] for row in rows}
    balance = client.balance()["test"]
    assert last == {"available": balance["available"], "deposit": balance["deposit"]}
