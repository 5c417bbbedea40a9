"""`orderdesk fund …`, `withdraw …` and `proposal …` by two persons (contract section 11)."""

import json
from typing import Any

from orderdesk.adapters.system import now_us
from tests.support.market import FundedBooks
from tests.support.payouts import pay_out
from tests.support.requesting import TRON, Person

FIRST, SECOND = "finance-1", "finance-2"


def proposed(books: FundedBooks, *words: str) -> Any:
    """Run a command as the first person that must wait for a second one; return the proposal."""
    result = books.terminal.run(*words, "--json")
    assert result.exit_code == 3, result.stderr
    document = json.loads(result.stdout)
    number = document["proposal"]["proposal_no"]
    assert result.stderr == f"orderdesk: waits for a second person: {number}\n"
    return document["proposal"]


def test_a_withdrawal_from_proposal_to_payout(books: FundedBooks) -> None:
    merchant_id, named = books.merchant.merchant_id, {"merchant_name": books.merchant.name}
    found = proposed(books, "withdraw", "merchant", merchant_id, "100", "--memo", "to the bank")
    number = found["withdrawal_no"]
    assert (number, found["status"]) == (found["proposal_no"], "open")
    assert (found["amount"], found["proposed_by"]) == ("100.000000", FIRST)
    assert found["merchant_id"] == merchant_id
    unseen = ("withdraw", "approve", number)
    assert books.terminal.run(*unseen, person=SECOND).exit_code == 2
    own = books.terminal.run(*unseen)
    assert (own.exit_code, "another person has to approve it" in own.stderr) == (1, True)
    seen = ("withdraw", "approve", number, "--digest", found["digest"])
    refused = books.terminal.run(*seen)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "another person has to approve it" in refused.stderr
    assert books.terminal.json("withdraw", "list", "--open") == [{**found, **named}]
    paid = books.terminal.json(*seen, person=SECOND)
    assert (paid["status"], paid["decided_by"]) == ("approved", SECOND)
    again = books.terminal.run(*seen, person=SECOND)
    assert (again.exit_code, "was approved before" in again.stderr) == (1, True)
    [owned] = books.terminal.json("ledger", "balances")["live"]["merchants"]
    assert (owned["available"], owned["held"]) == ("759.575655", "240.424345")
    assert books.terminal.json("ledger", "check")["balanced"] is True
    pay_out(books.world, now_us)
    paid = books.terminal.json("proposal", "show", number)
    assert paid["status"] == "executed"
    assert books.terminal.json("withdraw", "list", "--open") == []
    assert books.terminal.json("proposal", "list") == [{**paid, **named}]
    [owned] = books.terminal.json("ledger", "balances")["live"]["merchants"]
    assert (owned["available"], owned["held"]) == ("759.575655", "140.424345")


def test_a_merchants_request_from_take_up_to_transaction(books: FundedBooks) -> None:
    mei = Person(books.world, books.merchant.merchant_id).with_rested_address()
    number = mei.request(100_000_000).request_no
    shown = books.terminal.run("withdraw", "list").stdout
    assert number in shown
    assert "requested" in shown
    taken = proposed(books, "withdraw", "request", number)["proposal_no"]
    text = books.terminal.run("proposal", "show", taken).stdout
    assert TRON in text
    paid = books.terminal.approve(taken, SECOND)
    assert paid["status"] == "approved"
    early = books.terminal.run("withdraw", "sent", taken, "ab12")
    assert (early.exit_code, "is approved" in early.stderr) == (1, True)
    pay_out(books.world, now_us)
    sent = books.terminal.json("withdraw", "sent", taken, "ab12")
    assert (sent["request_no"], sent["txid"], sent["status"]) == (number, "ab12", "sent")
    other = books.terminal.run("withdraw", "sent", number, "cd34")
    assert (other.exit_code, "was sent before" in other.stderr) == (1, True)
    assert "ab12" in books.terminal.run("withdraw", "sent", number, "ab12").stdout
