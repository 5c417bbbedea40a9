"""Passes over changing tables: only a difference in every pass counts."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    Difference,
    DifferenceKind,
    LedgerRow,
    TraderRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.ledger import (
    PAUSE_BETWEEN_PASSES_MS,
    Pages,
    Progress,
    Segment,
    Verdict,
    check_ledger,
    read_balances,
)
from tests.unit.ledger.kept_books import KeptBooks, an_order

MERCHANT = Account(AccountKind.MERCHANT, "m0", Mode.LIVE)
USDT = 1_000_000


class BooksScan:
    """Yield the rows of books in pages of two; `in_pass` falsifies a balance in a pass."""

    def __init__(self, books: KeptBooks, in_pass: Sequence[int] = ()) -> None:
        self.rows = books.rows()
        self.in_pass = in_pass
        self.passes = 0
        self.threads: set[int] = set()

    def entries(self, segment: Segment) -> Pages:
        if segment.index == 0:
            self.passes += 1
        off = self.in_pass[self.passes - 1] if self.passes <= len(self.in_pass) else 0
        rows = [r for r in self.rows if not isinstance(r, TraderRow | Order)]
        return self._pages([_off_by(row, off) for row in rows], segment)

    def balances(self, segment: Segment) -> Pages:
        return self._pages([r for r in self.rows if isinstance(r, BalanceRow)], segment)

    def traders(self, segment: Segment) -> Pages:
        return self._pages([r for r in self.rows if isinstance(r, TraderRow)], segment)

    def open_orders(self, segment: Segment) -> Pages:
        return self._pages([r for r in self.rows if isinstance(r, Order)], segment)

    def _pages(self, rows: Sequence[LedgerRow], segment: Segment) -> Pages:
        mine = rows[segment.index :: segment.of]
        for start in range(0, len(mine), 2):
            self.threads.add(threading.get_ident())
            yield mine[start : start + 2]


class WanderingScan(BooksScan):
    """Shows a hold that nobody has, in each pass on another account."""

    def entries(self, segment: Segment) -> Pages:
        pages = super().entries(segment)
        accounts = [MERCHANT.key, "funding::live"]
        for page in pages:
            yield [
                replace(
                    row,
                    balance=Balance(row.balance.available_micro - 1, row.balance.held_micro + 1),
                )
                if isinstance(row, BalanceRow) and row.account_key == accounts[self.passes - 1]
                else row
                for row in page
            ]


class BrokenScan(BooksScan):
    """Does not answer for one table."""

    def traders(self, segment: Segment) -> Pages:
        yield from super().traders(segment)
        raise TryAgain


def _off_by(row: LedgerRow, micro: int) -> LedgerRow:
    if not isinstance(row, BalanceRow) or row.account_key != MERCHANT.key:
        return row
    own = row.balance
    return replace(row, balance=Balance(own.available_micro + micro, own.held_micro))


@pytest.fixture
def books() -> KeptBooks:
    books = KeptBooks()
    books.fund(MERCHANT, 1000 * USDT)
    books.fund(Account(AccountKind.TRADER, "t0", Mode.LIVE), 1000 * USDT)
    books.place(an_order(0, OrderType.BUY, Mode.LIVE, "m0", "t0"))
    books.place(an_order(1, OrderType.SELL, Mode.LIVE, "m0", None))
    return books


def checked(
    scan: BooksScan, segments: int = 3, seen: list[Progress] | None = None
) -> tuple[Verdict, list[int]]:
    pauses: list[int] = []
    watch = (lambda _: None) if seen is None else seen.append
    verdict = check_ledger(scan, segments=segments, pause_ms=pauses.append, watch=watch)
    return verdict, pauses


@pytest.mark.parametrize("segments", [1, 4, 64])
def test_balanced_books_are_read_once(books: KeptBooks, segments: int) -> None:
    verdict, _ = checked(BooksScan(books), segments)
    assert (verdict.differences, verdict.moving, verdict.passes) == ((), (), 1)
    totals = verdict.totals
    assert (totals.accounts, totals.postings, totals.open_orders) == (3, 4, 2)


@pytest.mark.parametrize(
    ("in_pass", "lasting", "moves", "passes"),
    [
        ([5], 0, 0, 2),
        ([5, 5], 0, 0, 3),
        ([5, 5, 5], 5, 0, 3),
        ([5, 6, 5], 0, 5, 3),
    ],
)
def test_a_difference_stands_if_every_pass_saw_it(
    books: KeptBooks, in_pass: list[int], lasting: int, moves: int, passes: int
) -> None:
    def both_by(delta: int) -> tuple[Difference, ...]:
        funded = 1000 * USDT
        return (
            Difference("whole:live", DifferenceKind.WHOLE_BALANCES, 0, delta),
            Difference(MERCHANT.key, DifferenceKind.BALANCE, funded, funded + delta),
        )

    verdict, pauses = checked(BooksScan(books, in_pass))
    assert verdict.differences == (both_by(lasting) if lasting else ())
    assert verdict.moving == (both_by(moves) if moves else ())
    assert (verdict.passes, pauses) == (passes, [PAUSE_BETWEEN_PASSES_MS] * (passes - 1))


def test_another_difference_in_each_pass_is_none(books: KeptBooks) -> None:
    verdict, _ = checked(WanderingScan(books))
    assert (verdict.differences, verdict.moving, verdict.passes) == ((), (), 2)


def test_what_stands_is_found_beside_what_moves(books: KeptBooks) -> None:
    books.add(Account(AccountKind.FEE, "m0", Mode.LIVE), 7)
    verdict, _ = checked(BooksScan(books, in_pass=[1, 2, 3]))
    assert [(d.subject, d.delta) for d in verdict.differences] == [("fee:m0:live", 7)]
    assert {d.subject for d in verdict.moving} == {"whole:live", MERCHANT.key}


def test_progress_grows_to_the_end_of_each_pass(books: KeptBooks) -> None:
    seen: list[Progress] = []
    checked(BooksScan(books, in_pass=[5]), 2, seen)
    for number in (1, 2):
        of_pass = [far for far in seen if far.number == number]
        assert of_pass == sorted(of_pass, key=lambda far: (far.rows, far.done))
        assert of_pass[0] == Progress(number, 0, 0, 6)
        assert of_pass[-1] == Progress(number, len(books.rows()), 6, 6)


def test_pages_are_read_beside_this_thread(books: KeptBooks) -> None:
    scan = BooksScan(books)
    checked(scan)
    assert scan.threads
    assert threading.get_ident() not in scan.threads


def test_a_table_that_does_not_answer_ends_the_check(books: KeptBooks) -> None:
    with pytest.raises(TryAgain):
        checked(BrokenScan(books))
    assert [t for t in threading.enumerate() if t.name.startswith("ThreadPool")] == []


def test_balances_need_no_postings(books: KeptBooks) -> None:
    tally = read_balances(BooksScan(books), segments=2)
    assert list(tally.balances()) == ["funding::live", MERCHANT.key, "trader:t0:live"]
    assert tally.totals().postings == 0
