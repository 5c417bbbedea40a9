"""Withdrawals in the console: one operator proposes, another approves or rejects."""

from collections.abc import Iterator

import pytest
from orderdesk_cli.wiring import Office

from tests.support.console_guest import Guest, guest_of, serving_console
from tests.support.market import FundedBooks, funded_books
from tests.support.offices import as_person
from tests.support.world import World

OTHER = "other"


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk_cli.wiring.pause_ms", lambda _: None)
    return funded_books(world)


@pytest.fixture
def number(books: FundedBooks) -> str:
    words = ("withdraw", "merchant", books.merchant.merchant_id, "100", "--memo", "to the bank")
    return str(books.terminal.json(*words)["withdrawal_no"])


@pytest.fixture
def own(books: FundedBooks, number: str) -> Iterator[Guest]:
    """Return the proposer's console."""
    with serving_console(books.terminal.office) as console, guest_of(console) as guest:
        yield guest


@pytest.fixture
def other(books: FundedBooks, number: str) -> Iterator[Guest]:
    """Return another operator's console."""
    office = Office(books.terminal.office._session, books.terminal.office._find)
    office.__dict__["operator"] = as_person(books.terminal.office.operator, OTHER)
    with serving_console(office) as console, guest_of(console) as guest:
        yield guest


def test_the_proposer_cannot_approve_and_another_can(
    books: FundedBooks, number: str, own: Guest, other: Guest
) -> None:
    page = own.text("withdrawals")
    assert "another person has to approve it" in page
    assert f"{number}/approve" not in page
    refused = own.post(f"withdrawals/{number}/approve")
    assert (refused.status_code, "another person has" in refused.text) == (409, True)
    assert f"{number}/approve" in other.text("withdrawals")
    assert "to the bank" in other.text(f"withdrawals/{number}/approve")
    paid = other.post(f"withdrawals/{number}/approve")
    assert (paid.status_code, "None waits" in paid.text) == (200, True)
    [stored] = books.terminal.json("withdraw", "list")
    assert (stored["status"], stored["decided_by"]) == ("executed", OTHER)
    assert other.get(f"withdrawals/{number}/approve").status_code == 409


def test_it_is_rejected_with_a_reason(books: FundedBooks, number: str, own: Guest) -> None:
    assert own.post(f"withdrawals/{number}/reject").status_code == 422
    assert own.post(f"withdrawals/{number}/reject", reason="wrong account").status_code == 200
    [stored] = books.terminal.json("withdraw", "list")
    assert (stored["status"], stored["reason"]) == ("rejected", "wrong account")
    assert own.get("withdrawals/W1/reject").status_code == 404
