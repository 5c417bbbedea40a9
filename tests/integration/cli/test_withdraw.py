"""`orderdesk withdraw …` on moto."""

from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Item
from tests.support.market import FundedBooks
from tests.support.offices import as_person

OTHER = "other"


def as_another(books: FundedBooks) -> None:
    """Continue as another operator."""
    office = books.terminal.office
    office.__dict__["operator"] = as_person(office.operator, OTHER)


def proposed(books: FundedBooks, *more: str) -> Any:
    words = ("withdraw", "merchant", books.merchant.merchant_id, "100", "--memo", "to the bank")
    return books.terminal.json(*words, *more)


def test_a_withdrawal_from_proposal_to_payout(books: FundedBooks) -> None:
    own = books.terminal.office.operator.who
    found = proposed(books)
    number = found["withdrawal_no"]
    assert (found["status"], found["amount"], found["is_test"]) == ("open", "100.000000", 0)
    assert (found["merchant_id"], found["proposed_by"]) == (books.merchant.merchant_id, own)
    refused = books.terminal.run("withdraw", "approve", number)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.endswith("another person has to approve it\n")
    assert books.terminal.json("withdraw", "list", "--open") == [found]
    assert books.terminal.json("ledger", "check")["withdrawals"] == 1
    as_another(books)
    paid = books.terminal.json("withdraw", "approve", number)
    assert (paid["status"], paid["decided_by"]) == ("executed", OTHER)
    again = books.terminal.run("withdraw", "approve", number)
    assert (again.exit_code, "was executed before, by other" in again.stderr) == (1, True)
    assert books.terminal.json("withdraw", "list", "--open") == []
    assert books.terminal.json("withdraw", "list") == [paid]
    found = books.terminal.json("ledger", "check")
    assert (found["postings"], found["withdrawals"]) == (10, 0)
    [owned] = books.terminal.json("ledger", "balances")["live"]["merchants"]
    assert (owned["available"], owned["held"]) == ("759.575655", "140.424345")


def test_test_money_needs_one_person_and_a_live_one_is_rejected_with_a_reason(
    books: FundedBooks,
) -> None:
    traders = {mode.value: trader.trader_id for mode, trader in books.traders.items()}
    words = ("withdraw", "trader", traders["test"], "1.000001", "--test", "--memo", "m")
    assert books.terminal.json(*words)["amount"] == "1.000001"
    live = books.terminal.run("withdraw", "trader", traders["live"], "1", "--test", "--memo", "m")
    assert (live.exit_code, live.stdout) == (1, "")
    number = proposed(books)["withdrawal_no"]
    assert books.terminal.run("withdraw", "reject", number).exit_code == 2
    back = books.terminal.json("withdraw", "reject", number, "--reason", "wrong account")
    assert (back["status"], back["reason"], back["is_test"]) == ("rejected", "wrong account", 0)
    assert books.terminal.json("ledger", "check")["balanced"] is True
    shown = books.terminal.run("withdraw", "list").stdout
    assert "rejected" in shown
    assert "100.000000" in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("merchant", "ID", "1"), 2),
        (("merchant", "ID", "-1", "--memo", "m"), 2),
        (("merchant", "ID", "1.0000001", "--memo", "m"), 2),
        (("merchant", "ID", "0", "--memo", "m"), 2),
        (("merchant", "ID", "860", "--memo", "m"), 1),
        (("merchant", "mx", "1", "--memo", "m"), 1),
        (("approve", "W1"), 1),
        (("reject", "W1", "--reason", "r"), 1),
    ],
)
def test_what_is_refused_holds_nothing(
    books: FundedBooks, words: tuple[str, ...], code: int
) -> None:
    named = [books.merchant.merchant_id if word == "ID" else word for word in words]
    result = books.terminal.run("withdraw", *named, "--json")
    assert (result.exit_code, result.stdout) == (code, "")
    assert books.terminal.json("withdraw", "list") == []
    assert books.terminal.json("ledger", "check")["balanced"] is True


def test_a_false_hold_of_a_withdrawal_is_named(books: FundedBooks) -> None:
    number = proposed(books)["withdrawal_no"]
    books.set("Ledger", {"pk": "proposals", "sk": number}, "amount_micro", 1)
    lines, found = books.refused()
    [line] = lines
    assert line.startswith(f"difference: {books.key()}: held are 240.424345 USDT, its open orders")
    assert [d["kind"] for d in found["differences"]] == ["held"]


def test_a_damaged_withdrawal_is_named_too(books: FundedBooks) -> None:
    damaged: Item = {"pk": "proposals", "sk": "P1", "status": "open", "command": "withdraw.trader"}
    books.world.put("Ledger", damaged)
    books.set("Ledger", {"pk": "proposals", "sk": "P1"}, "amount_micro", 5)
    _, found = books.refused()
    assert {d["kind"] for d in found["differences"]} == {"unknown_account", "held"}
