"""The books that the bench reads are honest, and cost the same at any age."""

import pytest

from tests.support import aged_books
from tests.support.aged_books import books_read


def test_reads_of_the_books_cost_the_same_at_two_ages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aged_books, "ORDERS_A_DAY", 200)
    monkeypatch.setattr(aged_books, "_EVERY_SECONDS", 300)
    monkeypatch.setattr("orderdesk.services.ledger.check.POSTINGS_MAX", 500)
    young, old = books_read(200), books_read(600)
    assert old[:6] == young[:6]
    # A page also reads what came after the last of the checkpoints, each a thousand postings.
    assert old.statement_requests <= 20
    assert max(old.statement_units, young.statement_units) <= 50
