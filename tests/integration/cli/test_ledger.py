"""`orderdesk ledger …` and `report` with money that operators funded."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.market import FundedBooks


def test_books_with_open_orders_balance(books: FundedBooks) -> None:
    shown = books.terminal.run("ledger", "check")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert ["balances", "yes"] in [line.split() for line in shown.stdout.splitlines()]
    found = books.terminal.json("ledger", "check")
    assert (found["balanced"], found["findings"], found["seal"]) == (True, [], None)
    assert (found["accounts"], found["postings"], found["orders"]) == (6, 8, 4)
    assert not {"next", "items"} & found.keys()
    live = found["totals"]["live"]
    assert live["funding"] == {"accounts": 1, "available": "-6000.000000", "held": "0.000000"}
    assert live["trader"] == {"accounts": 1, "available": "4861.802101", "held": "138.197899"}


def test_balances_name_every_account(books: FundedBooks) -> None:
    found = books.terminal.json("ledger", "balances")
    assert found["live"]["merchants"] == [
        {
            "merchant_id": books.merchant.merchant_id,
            "available": "859.575655",
            "held": "140.424345",
            "deposit": "0.000000",
            "fee": "0.000000",
            "day": None,
        }
    ]
    assert found["seal"] is None, "nothing is sealed"
    assert found["test"]["traders"] == [
        {
            "trader_id": books.traders[Mode.TEST].trader_id,
            "available": "4861.802101",
            "held": "138.197899",
        }
    ]
    shown = books.terminal.run("ledger", "balances").stdout
    for text in (
        "Merchants, live",
        "Merchants on the day of the newest seal, live",
        "859.575655",
        "Traders, test",
        "-6000.000000",
        "funding",
    ):
        assert text in shown


def today(books: FundedBooks) -> str:
    now = books.terminal.office.operator.now()
    return (datetime.fromtimestamp(now, UTC) + timedelta(hours=8)).date().isoformat()


def test_fundings_of_today_are_reported_and_today_closes(books: FundedBooks) -> None:
    date = today(books)
    found = books.terminal.json("report", date)
    [merchant] = found["live"]["merchants"]
    assert merchant["merchant_id"] == books.merchant.merchant_id
    assert (merchant["orders"], merchant["fundings"]) == (0, "1000.000000")
    assert (merchant["opening"], merchant["closing"]) == ("0.000000", "1000.000000")
    assert (found["date"], found["closes"]) == (date, True)
    shown = books.terminal.run("report", date)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "Merchants, live" in shown.stdout
    told = books.terminal.run("report", date, "--csv")
    rows = list(csv.DictReader(StringIO(told.stdout)))
    assert {(row["mode"], row["kind"]) for row in rows} == {
        (mode, kind) for mode in ("live", "test") for kind in ("merchant", "trader", "funding")
    }


def test_what_does_not_close_is_exit_1_and_one_document(books: FundedBooks) -> None:
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "held_micro", 0)
    for more in ((), ("--csv",), ("--json",)):
        result = books.terminal.run("report", today(books), *more)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"difference: {books.key()}: opening 0.000000 and postings")
        if "--json" in more:
            assert json.loads(result.stdout)["closes"] is False


@pytest.mark.parametrize(("date", "code"), [("yesterday", 2), ("2026-13-01", 2), ("2999-01-01", 1)])
def test_no_date_and_a_day_to_come(books: FundedBooks, date: str, code: int) -> None:
    result = books.terminal.run("report", date)
    assert (result.exit_code, result.stdout) == (code, "")
