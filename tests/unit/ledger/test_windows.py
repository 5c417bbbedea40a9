"""The sums of windows (domain/ledger/accounts.py)."""

from orderdesk.domain.ledger.accounts import WINDOW_SECONDS, parity_sums


def test_neighbouring_windows_have_different_sums() -> None:
    first, last = 10 * WINDOW_SECONDS, 11 * WINDOW_SECONDS - 1
    assert parity_sums(-5, 5, first) == parity_sums(-5, 5, last) == {"a0": -5, "h0": 5}
    assert parity_sums(-5, 5, last + 1) == {"a1": -5, "h1": 5}


def test_nothing_is_added_for_an_unchanged_part() -> None:
    assert parity_sums(0, -3, 0) == {"h0": -3}
    assert parity_sums(0, 0, 0) == {}
