"""A trading day's report over mixed days: it equals a sum of the raw items, and it balances."""

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from random import Random
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.domain.ledger.day_report import DayReport, day_of
from orderdesk.domain.operators import OperatorRefusal
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.services.operator import books
from orderdesk.services.operator.books import report_of_day
from orderdesk.web.operator.reports import report_data
from orderdesk_cli.ledger import rows_of_day
from orderdesk_cli.sheets.ledger import ROWS
from orderdesk_cli.sheets.sheet import Table
from orderdesk_cli.sheets.spreadsheet import heading_line, rows_as_csv
from tests.support.days import HOUR, live_mixed_hours
from tests.support.faults import requests_of
from tests.support.money_world import MoneyWorld
from tests.support.sealing import Sealer
from tests.support.world import World

DAY = 24 * HOUR


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
        owners = {
            f"merchant:{order['merchant_id']}": order["usdt_micro"],
            f"trader:{order['trader_id']}": order["trader_micro"],
        }
        for key, usdt in owners.items():
            volume = sums.volumes[f"{key}:{order['mode']}"]
            volume["orders"] += 1
            volume["cny"] += order["cny_fen"]
            volume["usdt"] += usdt
        merchants = sums.volumes[f"merchant:{order['merchant_id']}:{order['mode']}"]
        merchants["fees"] += order["service_micro"]
        merchants["deposits"] += order["deposit_micro"]
        merchants["spread"] += abs(order["usdt_micro"] - order["trader_micro"])
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
        "releases": text(sums.kinds[key]["release"]),
        "reversals": text(sums.kinds[key]["reversal"]),
        "opening": text(sums.opening[key]),
        "closing": text(sums.closing[key]),
    }


def settled_of(sums: Sums, key: str) -> dict[str, Any]:
    """Return whose account that is no merchant's or trader's it is, and what orders paid to it."""
    kind, owner, _ = key.split(":")
    settled = sums.kinds[key]["settlement"]
    return {
        "merchant_id": owner or None,
        "fees": text(settled if kind == "fee" else 0),
        "spread": text(sums.kinds[key]["spread"]),
        "deposits": text(settled if kind == "deposit" else 0),
    }


def reversed_shares(sums: Sums, key: str) -> dict[str, str]:
    """Return the columns of what reversals took from a merchant's fees and deposits."""
    return {
        f"{kind}_reversals": text(sums.kinds[key.replace("merchant", kind, 1)]["reversal"])
        for kind in ("fee", "deposit")
    }


def expected_rows(sums: Sums, kind: str, mode: str) -> list[dict[str, Any]]:
    """Return the report's expected rows of a kind of owner."""
    keys = {*sums.closing, *sums.volumes}
    return [
        {
            f"{kind}_id": key.split(":")[1],
            "orders": sums.volumes[key]["orders"],
            "cny": text(sums.volumes[key]["cny"], 2),
            **{
                name: text(sums.volumes[key][name])
                for name in ("usdt", "fees", "deposits", "spread")
            },
            **money_of(sums, key),
            **(reversed_shares(sums, key) if kind == "merchant" else {}),
        }
        for key in sorted(keys, key=lambda key: key.split(":")[1])
        if key.split(":")[::2] == [kind, mode]
    ]


@pytest.fixture(scope="module")
def money(shared_world: World) -> MoneyWorld:
    """Three days of mixed orders, which begin in the middle of a trading day."""
    return MoneyWorld(shared_world)


@pytest.fixture(scope="module")
def sealer(money: MoneyWorld) -> Sealer:
    """Seal the days: before the first order, and then as after an outage."""
    sealer = Sealer(money.seed, lambda: money.now)
    sealer.seal()
    live_mixed_hours(money, 30, Random(14), hour_seconds=2 * HOUR)
    while sealer.end < money.now - HOUR:
        assert sealer.found() == []
    return sealer


def second_day(money: MoneyWorld) -> date:
    return datetime.fromtimestamp(money.now - 36 * HOUR + 8 * HOUR, UTC).date()


def read(sealer: Sealer, of: date) -> DayReport:
    return report_of_day(sealer.ports, lambda _: None, day_of(of))


def answer(money: MoneyWorld, sealer: Sealer, days_later: int = 0) -> tuple[Any, Sums]:
    of = second_day(money) + timedelta(days=days_later)
    data: Any = report_data(read(sealer, of))
    return data, summed(money, data["start_time"], data["end_time"])


@pytest.mark.parametrize("days_later", [-1, 0, 1])
def test_a_mixed_day_equals_an_independent_sum(
    money: MoneyWorld, sealer: Sealer, days_later: int
) -> None:
    """The day of the first seal, a sealed day, and today."""
    data, sums = answer(money, sealer, days_later)
    assert (data["closes"], data["differences"]) == (True, [])
    assert data["end_time"] - data["start_time"] == DAY
    assert sum(volume["orders"] for volume in sums.volumes.values()) >= 6
    assert sum(bool(kinds["withdrawal"]) for kinds in sums.kinds.values()) >= 3
    for mode in ("live", "test"):
        for kind in ("merchant", "trader"):
            assert data[mode][f"{kind}s"] == expected_rows(sums, kind, mode)
        for row in data[mode]["accounts"]:
            key = row.pop("account")
            assert key.endswith(f":{mode}")
            assert row == settled_of(sums, key) | money_of(sums, key)


def test_the_figures_are_those_of_the_days_orders(money: MoneyWorld, sealer: Sealer) -> None:
    found = read(sealer, second_day(money))
    orders: list[Any] = money.seed.items(money.seed.tables.orders, "order")
    for mode, figures in found.figures.items():
        created = [
            order
            for order in orders
            if order["mode"] == mode.value
            and found.day.start <= order["createtime"] < found.day.end
        ]
        assert figures.orders == sum(figures.created) == len(created) > 3
        assert figures.statuses == Counter(OrderStatus(order["status"]) for order in created)
        assert sum(figures.completed_fen) == sum(
            order["cny_fen"] for order in created if order["status"] == "completed"
        )


def test_a_day_whose_last_seal_is_not_made_yet(money: MoneyWorld, sealer: Sealer) -> None:
    """In the first minutes of a day, both days rest on a seal of the day before."""
    early = Sealer(money.seed, lambda: now)
    day = day_of(second_day(money))
    now = day.end + 60
    early.seals.stored = {n: one for n, one in sealer.seals.stored.items() if n.end < day.start + 9}
    yesterday, today = (read(early, day.date + timedelta(days=n)) for n in (0, 1))
    sealed = read(sealer, day.date)
    assert closing(yesterday) == closing(sealed)
    assert {key: one.day for key, one in yesterday.accounts.items()} == {
        key: one.day for key, one in sealed.accounts.items()
    }
    assert closing(sealed) == {key: one.opening for key, one in today.accounts.items()}


def closing(report: DayReport) -> dict[str, int]:
    return {key: one.closing for key, one in report.accounts.items()}


def test_a_sealed_day_reads_only_seals(money: MoneyWorld, sealer: Sealer) -> None:
    with requests_of(money.seed.client) as made:
        read(sealer, second_day(money))
    assert made == []


def test_a_day_before_the_first_seal(
    money: MoneyWorld, sealer: Sealer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few postings it is proved from the beginning, otherwise it has no report."""
    before = second_day(money) - timedelta(days=5)
    assert not any(closing(read(sealer, before)).values())
    monkeypatch.setattr(books, "POSTINGS_MAX", 5)
    with pytest.raises(OperatorRefusal, match="before the first seal"):
        read(sealer, before)


def test_csv_has_the_same_figures_and_no_formula(money: MoneyWorld, sealer: Sealer) -> None:
    data, _ = answer(money, sealer)
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


def test_an_account_that_does_not_close_is_named(money: MoneyWorld, sealer: Sealer) -> None:
    key = f"merchant:{money.merchants[0].merchant_id}:live"
    add_unposted(money, key, 1)
    data, _ = answer(money, sealer, 1)
    add_unposted(money, key, -1)
    assert data["closes"] is False
    [difference] = data["differences"]
    assert (difference["account"], difference["difference"]) == (key, "0.000001")
    closing = Decimal(difference["opening"]) + Decimal(difference["postings"])
    assert Decimal(difference["closing"]) == closing + Decimal("0.000001")


def add_unposted(money: MoneyWorld, key: str, micro: int) -> None:
    money.seed.client.update_item(
        TableName=money.seed.tables.ledger,
        Key=to_item({"pk": key, "sk": "balance"}),
        UpdateExpression="ADD available_micro :micro",
        ExpressionAttributeValues=to_item({":micro": micro}),
    )


def test_a_day_that_has_not_begun(money: MoneyWorld, sealer: Sealer) -> None:
    with pytest.raises(OperatorRefusal, match="has not begun"):
        read(sealer, second_day(money) + timedelta(days=3))
