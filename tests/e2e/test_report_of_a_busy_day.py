"""`orderdesk report` of a day with 10,000 mixed orders, on a separate local stack."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from botocore.client import BaseClient

from local import processes
from local.stack import Stack, start
from orderdesk_cli.wiring import open_local_office
from tests.e2e.busy_day import copy_day
from tests.support.days import HOUR, expected_rows, live_mixed_hours, money_of, summed
from tests.support.money_world import MoneyWorld
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed

DAY = 24 * HOUR
SEND = "_make_api_call"  # each call of a botocore client calls this method
LIVED_ORDERS, COPIES = 200, 49  # 50 days of 200 orders with the original


@pytest.fixture(scope="module")
def busy_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Deploy a separate stack, because its full tables would slow down other tests."""
    folder = tmp_path_factory.mktemp("busy")
    with start(processes.free_port(), folder, {"AutomaticAssignment": "false"}) as (running, _):
        yield running


@pytest.fixture(scope="module")
def money(busy_stack: Stack) -> Iterator[MoneyWorld]:
    """Run one trading day of mixed orders, and copy it."""
    with closing(StackSeed(busy_stack)) as seed:
        money = MoneyWorld(seed)
        money.now += DAY - (money.now + 8 * HOUR) % DAY  # the start of a trading day in UTC+8
        rounds = LIVED_ORDERS // 2
        live_mixed_hours(money, rounds, Random(14), hour_seconds=DAY // rounds)
        copy_day(money, COPIES)
        yield money


def test_10_000_mixed_orders_equal_an_independent_sum(busy_stack: Stack, money: MoneyWorld) -> None:
    day = datetime.fromtimestamp(money.now - DAY + 8 * HOUR, UTC).date()
    terminal = Terminal(open_local_office(busy_stack.endpoint_url, "orderdesk"))
    calls, send = Counter[str](), getattr(BaseClient, SEND)

    def counted(client: BaseClient, operation: str, arguments: Any) -> Any:
        calls[operation] += 1
        return send(client, operation, arguments)

    office = terminal.office
    office.operator = replace(office.operator, now_us=lambda: money.now * 10**6)
    begun = time.perf_counter()
    with patch.object(BaseClient, SEND, counted):
        data = terminal.json("report", day.isoformat())
    seconds = time.perf_counter() - begun
    print(f"report: {seconds:.1f} s, {dict(calls)}")
    sums = summed(money, data["start_time"], data["end_time"])
    orders: list[Any] = money.seed.items(money.seed.tables.orders, "order")
    created = Counter((o["order_type"], o["mode"], o["status"]) for o in orders)
    assert created.total() == LIVED_ORDERS * (COPIES + 1) == 10_000
    assert {status for *_, status in created} >= {"completed", "cancelled", "pending", "matching"}
    assert data["end_time"] - data["start_time"] == DAY
    assert (data["closes"], data["differences"], data["moving"]) == (True, [], [])
    for mode in ("live", "test"):
        for kind in ("merchant", "trader"):
            assert data[mode][f"{kind}s"] == expected_rows(sums, kind, mode)
            assert len(data[mode][f"{kind}s"]) > COPIES
        for row in data[mode]["accounts"]:
            key = row.pop("account")
            assert row == money_of(sums, key)
