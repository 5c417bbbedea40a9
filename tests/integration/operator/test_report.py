"""A trading day's report over mixed days: it equals a sum of the raw items, and it balances."""

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.scans import DynamoDayScan
from orderdesk.domain.ledger.day_report import day_of
from orderdesk.services.operator.report import (
    DayNotBegun,
    ReadReport,
    ReportSoFar,
    begin_report,
    continue_report,
    read_report,
)
from orderdesk.web.operator.reports import report_data
from orderdesk_cli.ledger import rows_of_day
from orderdesk_cli.sheets.ledger import ROWS
from orderdesk_cli.sheets.sheet import Table
from orderdesk_cli.sheets.spreadsheet import heading_line, rows_as_csv
from tests.support.days import HOUR, live_mixed_hours
from tests.support.money_world import MoneyWorld
from tests.support.world import World

DAY = 24 * HOUR
PAGE_BYTES = "moto.dynamodb.models.table.RESULT_SIZE_LIMIT"  # reads take many pages


@dataclass
class Sums:
    """A day's sums of the raw items, by account key, in micro-USDT and fen."""

    opening: Counter[str] = field(default_factory=Counter)
    closing: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    volumes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def summed(money: MoneyWorld, start: int, end: int) -> Sums:
    """Add up the postings and orders of a period, without the code under test."""
    sums, rows = Sums(), money.seed.items(money.seed.tables.ledger)
    postings: list[Any] = [row for row in rows if str(row["sk"]).startswith("posting#")]
    for row in postings:
        seconds = row["at_us"] // 1_000_000
        if seconds < start:
            sums.opening[row["pk"]] += row["amount_micro"]
        if seconds < end:
            sums.closing[row["pk"]] += row["amount_micro"]
        if start <= seconds < end:
            sums.kinds[row["pk"]][row["kind"]] += row["amount_micro"]
    orders: list[Any] = money.seed.items(money.seed.tables.orders, "order")
    for order in orders:
        last = order["timeline"][-1]
        if last["status"] != "completed" or not start <= last["time"] < end:
            continue
        for key in (f"merchant:{order['merchant_id']}", f"trader:{order['trader_id']}"):
            volume = sums.volumes[f"{key}:{order['mode']}"]
            volume["orders"] += 1
            volume["cny"] += order["cny_fen"]
            volume["usdt"] += order["usdt_micro"]
        merchants = sums.volumes[f"merchant:{order['merchant_id']}:{order['mode']}"]
        merchants["fees"] += order["service_micro"]
        merchants["deposits"] += order["deposit_micro"]
    return sums


def text(amount: int, decimals: int = 6) -> str:
    """Format an amount of micro-USDT, or of fen with two decimals."""
    digits = f"{abs(amount):0{decimals + 1}d}"
    return f"{'-' if amount < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"


def money_of(sums: Sums, key: str) -> dict[str, str]:
    """Return the money columns of an account's row."""
    return {
        "fundings": text(sums.kinds[key]["funding"]),
        "withdrawals": text(-sums.kinds[key]["withdrawal"]),
        "opening": text(sums.opening[key]),
        "closing": text(sums.closing[key]),
    }


def expected_rows(sums: Sums, kind: str, mode: str) -> list[dict[str, Any]]:
    """Return the report's expected rows of a kind of owner."""
    keys = {*sums.closing, *sums.volumes}
    return [
        {
            f"{kind}_id": key.split(":")[1],
            "orders": sums.volumes[key]["orders"],
            "cny": text(sums.volumes[key]["cny"], 2),
            **{name: text(sums.volumes[key][name]) for name in ("usdt", "fees", "deposits")},
            **money_of(sums, key),
        }
        for key in sorted(keys, key=lambda key: key.split(":")[1])
        if key.split(":")[::2] == [kind, mode]
    ]


@pytest.fixture(scope="module")
def money(shared_world: World) -> MoneyWorld:
    """Three days of mixed orders, which begin in the middle of a trading day."""
    money = MoneyWorld(shared_world)
    live_mixed_hours(money, 30, Random(14), hour_seconds=2 * HOUR)
    return money


def second_day(money: MoneyWorld) -> date:
    return datetime.fromtimestamp(money.now - 36 * HOUR + 8 * HOUR, UTC).date()


def read(money: MoneyWorld, of: date, now: int | None = None) -> ReadReport:
    scan = DynamoDayScan(money.seed.client, money.seed.tables)
    now = money.now if now is None else now
    with patch(PAGE_BYTES, 4_000):
        return read_report(scan, day_of(of), pause_ms=lambda _: None, now=now)


def answer(money: MoneyWorld) -> tuple[Any, Sums]:
    data: Any = report_data(read(money, second_day(money)))
    return data, summed(money, data["start_time"], data["end_time"])


def test_a_mixed_day_equals_an_independent_sum(money: MoneyWorld) -> None:
    data, sums = answer(money)
    assert (data["closes"], data["differences"], data["moving"]) == (True, [], [])
    assert data["end_time"] - data["start_time"] == DAY
    assert sum(volume["orders"] for volume in sums.volumes.values()) > 10
    assert sum(bool(kinds["withdrawal"]) for kinds in sums.kinds.values()) > 3
    for mode in ("live", "test"):
        for kind in ("merchant", "trader"):
            assert data[mode][f"{kind}s"] == expected_rows(sums, kind, mode)
        for row in data[mode]["accounts"]:
            key = row.pop("account")
            assert key.endswith(f":{mode}")
            assert row == money_of(sums, key)


def test_parts_are_the_same_as_the_whole(money: MoneyWorld) -> None:
    scan, day = DynamoDayScan(money.seed.client, money.seed.tables), day_of(second_day(money))
    parts, stored = 1, begin_report(day, money.now).dump()
    with patch(PAGE_BYTES, 4_000):
        while True:
            so_far, times = ReportSoFar.load(stored), iter([True, True])
            found = continue_report(
                scan,
                so_far,
                pause_ms=lambda _: None,
                has_time=lambda left=times: next(left, False),  # type: ignore[misc]
            )
            if found is not None:
                break
            parts, stored = parts + 1, so_far.dump()
    assert parts > 3
    assert found == read(money, day.date)


def test_the_next_day_opens_as_this_one_closed(money: MoneyWorld) -> None:
    first = second_day(money)
    today, tomorrow = (read(money, date.fromordinal(first.toordinal() + n)).report for n in (0, 1))
    closed = {key: account.closing for key, account in today._accounts.items()}
    assert closed == {key: account.opening for key, account in tomorrow._accounts.items()}
    assert any(closed.values())


def test_csv_has_the_same_figures_and_no_formula(money: MoneyWorld) -> None:
    data, _ = answer(money)
    [table] = ROWS.parts
    assert isinstance(table, Table)
    columns = [column.path for column in table.columns]
    written = heading_line(table.columns) + rows_as_csv(table.columns, rows_of_day(data))
    rows = list(csv.DictReader(StringIO(written)))
    assert list(rows[0]) == columns
    for mode in ("live", "test"):
        for kind in ("merchant", "trader"):
            mine = [row for row in rows if (row["mode"], row["kind"]) == (mode, kind)]
            shown = [{**row, "id": row[f"{kind}_id"]} for row in data[mode][f"{kind}s"]]
            for row, expected in zip(mine, shown, strict=True):
                assert all(str(expected[name]) == row[name] for name in columns[2:])
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell[:1] in {"=", "+", "@", "'"}]
    assert [Decimal(cell) for cell in cells if cell.startswith("-")]


def test_an_account_that_does_not_close_is_named(money: MoneyWorld) -> None:
    key = f"merchant:{money.merchants[0].merchant_id}:live"
    add_unposted(money, key, 1)
    data, _ = answer(money)
    add_unposted(money, key, -1)
    assert data["closes"] is False
    [difference] = data["differences"]
    assert (difference["account"], difference["difference"]) == (key, "0.000001")


def add_unposted(money: MoneyWorld, key: str, micro: int) -> None:
    money.seed.client.update_item(
        TableName=money.seed.tables.ledger,
        Key=to_item({"pk": key, "sk": "balance"}),
        UpdateExpression="ADD available_micro :micro",
        ExpressionAttributeValues=to_item({":micro": micro}),
    )


def test_a_day_that_has_not_begun(money: MoneyWorld) -> None:
    with pytest.raises(DayNotBegun):
        read(money, second_day(money), now=money.now - 100 * HOUR)
