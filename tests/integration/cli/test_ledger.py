"""`orderdesk ledger …` with money that operators funded."""

from orderdesk.domain.modes import Mode
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
