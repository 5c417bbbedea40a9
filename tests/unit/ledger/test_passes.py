"""Readings of changing tables: only a difference in every reading counts."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, repeat
from random import Random

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check_run import (
    JUDGED_BUYS_MIN,
    CheckRun,
    Progress,
    ReadingPlace,
    Source,
)
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow, PostingRow
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import DAY_SECONDS
from orderdesk.services.operator.ledger import (
    PAUSE_BETWEEN_PASSES_MS,
    PostingsPage,
    Reading,
    new_run,
    read_balances,
    read_on,
)
from tests.support.chance import SeededChance
from tests.unit.ledger.kept_books import (
    LATER_US,
    MERCHANT,
    THEN_US,
    TRADER,
    USDT,
    BooksScan,
    KeptBooks,
    an_order,
    check,
)


def off_by(*in_reading: int) -> Callable[[LedgerRow, int], LedgerRow]:
    """Falsify the merchant's balance by an amount in each reading."""

    def change(row: LedgerRow, reading: int) -> LedgerRow:
        if not isinstance(row, BalanceRow) or row.account_key != MERCHANT.key:
            return row
        micro = in_reading[reading - 1] if reading <= len(in_reading) else 0
        own = row.balance
        return replace(row, balance=Balance(own.available_micro + micro, own.held_micro))

    return change


def wandering_hold(row: LedgerRow, reading: int) -> LedgerRow:
    """Show a hold that nobody has, in each reading on another account."""
    accounts = ["", MERCHANT.key, "funding::live", ""]
    if not isinstance(row, BalanceRow) or row.account_key != accounts[reading]:
        return row
    own = row.balance
    return replace(row, balance=Balance(own.available_micro - 1, own.held_micro + 1))


class BrokenScan(BooksScan):
    """Does not answer for one table."""

    def page(self, place: ReadingPlace) -> PostingsPage:
        if place.source is Source.TRADERS:
            raise TryAgain
        return super().page(place)


@pytest.fixture
def books() -> KeptBooks:
    books = KeptBooks()
    books.fund(MERCHANT, 1000 * USDT)
    books.fund(TRADER, 1000 * USDT)
    books.place(an_order(0, OrderType.BUY, Mode.LIVE, "m0", "t0"))
    books.place(an_order(1, OrderType.SELL, Mode.LIVE, "m0", None))
    return books


@pytest.mark.parametrize("segments", [1, 4, 64])
def test_balanced_books_are_read_once(books: KeptBooks, segments: int) -> None:
    run = check(BooksScan(books.rows()), segments=segments)
    assert (run.found, run.moving, run.number) == ([], [], 1)
    totals = run.tally.totals()
    assert (totals.accounts, totals.postings, totals.open_orders) == (3, 4, 2)


@pytest.mark.parametrize("now_us", [THEN_US, LATER_US])
@pytest.mark.parametrize(
    "case",  # what each reading is off by; what lasts, what moves, and the number of readings
    [
        ([5], 0, 0, 2),
        ([5, 5], 0, 0, 3),
        ([5, 5, 5], 5, 0, 3),
        ([5, 6, 5], 0, 5, 3),
    ],
)
def test_a_difference_counts_if_every_reading_saw_it(
    books: KeptBooks, case: tuple[list[int], int, int, int], now_us: int
) -> None:
    in_reading, lasting, moves, readings = case

    def by(delta: int) -> list[Finding]:
        funded, key = 1000 * USDT, MERCHANT.key
        return [Finding(FindingKind.BALANCE, key, funded, funded + delta, account=key)]

    pauses: list[int] = []
    run = check(BooksScan(books.rows(), off_by(*in_reading)), now_us, pauses=pauses)
    assert run.found == (by(lasting) if lasting else [])
    assert run.moving == (by(moves) if moves else [])
    assert (run.number, pauses) == (readings, [PAUSE_BETWEEN_PASSES_MS] * (readings - 1))
    assert run.tally.totals().postings == 4


def test_another_difference_in_each_reading_is_none(books: KeptBooks) -> None:
    run = check(BooksScan(books.rows(), wandering_hold))
    assert (run.found, run.moving, run.number) == ([], [], 2)


def test_what_lasts_is_found_beside_what_moves(books: KeptBooks) -> None:
    books.add(Account(AccountKind.FEE, "m0", Mode.LIVE), 7)
    run = check(BooksScan(books.rows(), off_by(1, 2, 3)))
    assert [(f.key, f.delta) for f in run.found] == [("fee:m0:live", 7)]
    assert {f.key for f in run.moving} == {MERCHANT.key}


def test_a_recent_transfer_that_is_half_read_is_no_finding(books: KeptBooks) -> None:
    """Its order was read before the move, its postings after it; later readings agree."""
    books.complete(books.orders["B0"])

    def half(row: LedgerRow, reading: int) -> LedgerRow:
        if isinstance(row, PostingRow) and row.transfer_id == "B0" and reading == 1:
            return replace(row, transfer_id="B9")
        return row

    run = check(BooksScan(books.rows(), half), THEN_US)
    assert (run.found, run.number) == ([], 2)
    assert check(BooksScan(books.rows(), half), LATER_US).number == 2


def test_a_run_can_pause_after_any_page_and_continue_from_what_was_stored(
    books: KeptBooks,
) -> None:
    rows = [*books.rows(), PostingRow(TRADER.key, "x", 5, "funding", "", THEN_US)]
    whole = check(BooksScan(rows, off_by(3, 3, 3)))
    for now_us in (LATER_US, THEN_US):
        scan, parts = BooksScan(rows, off_by(3, 3, 3)), 0
        run = new_run(SeededChance(Random(0)), now_us, 2)
        while not run.is_done:
            read_on(a_page_of(scan, now_us), run)
            run, parts = CheckRun.load(run.dump()), parts + 1
            assert parts < 100
        assert parts > 10
        assert run.found == whole.found
        assert run.tally.totals() == whole.tally.totals()


def a_page_of(scan: BooksScan, now_us: int) -> Reading:
    """Return a reading that has time for one page."""
    has_time = chain([True, True], repeat(False))
    return Reading(scan, lambda: now_us, lambda _: None, lambda: next(has_time))


def test_progress_grows_to_the_end_of_each_reading(books: KeptBooks) -> None:
    seen: list[Progress] = []
    scan = BooksScan(books.rows(), off_by(5))
    read_on(
        Reading(scan, lambda: LATER_US, lambda _: None, watch=seen.append),
        new_run(SeededChance(Random(0)), LATER_US, 2),
    )
    for number, parts in ((1, 10), (2, 8)):
        of_reading = [far for far in seen if far.number == number]
        assert of_reading == sorted(of_reading, key=lambda far: (far.rows, far.done))
        assert of_reading[0] == Progress(number, 0, 0, parts)
        assert (of_reading[-1].done, of_reading[-1].of) == (parts, parts)


def test_a_table_that_does_not_answer_ends_the_check(books: KeptBooks) -> None:
    before = threading.enumerate()
    with pytest.raises(TryAgain):
        check(BrokenScan(books.rows()))
    assert threading.enumerate() == before


def test_balances_need_no_postings(books: KeptBooks) -> None:
    tally = read_balances(BooksScan(books.rows()), segments=2)
    assert list(tally.balances()) == ["funding::live", MERCHANT.key, "trader:t0:live"]
    assert tally.totals().postings == 0


def ended_buy(number: int, status: OrderStatus, merchant_id: str, mode: Mode = Mode.LIVE) -> Order:
    order = an_order(number, OrderType.BUY, mode, merchant_id, "t0")
    return replace(order, status=status, createtime=THEN_US // US_PER_SECOND - number)


def test_the_merchant_with_the_largest_share_of_unpaid_buys() -> None:
    days_ago = JUDGED_BUYS_MIN + DAY_SECONDS
    rows: list[LedgerRow] = [
        *(ended_buy(n, OrderStatus.COMPLETED, "paying") for n in range(JUDGED_BUYS_MIN)),
        *(ended_buy(n, OrderStatus.EXPIRED, "few") for n in range(JUDGED_BUYS_MIN - 1)),
        *(ended_buy(days_ago, OrderStatus.EXPIRED, "few") for _ in range(9)),
        *(ended_buy(n, OrderStatus.EXPIRED, "testing", Mode.TEST) for n in range(50)),
        *(ended_buy(n, OrderStatus.EXPIRED, "open") for n in range(JUDGED_BUYS_MIN - 1)),
        *(ended_buy(n, OrderStatus.PENDING, "open") for n in range(50)),
        ended_buy(0, OrderStatus.COMPLETED, "hostile"),
        *(ended_buy(n, OrderStatus.EXPIRED, "hostile") for n in range(JUDGED_BUYS_MIN - 2)),
        ended_buy(1, OrderStatus.CANCELLED, "hostile"),
    ]
    run = check(BooksScan(rows), THEN_US)
    most = CheckRun.load(json.loads(json.dumps(run.dump()))).most_unpaid()
    assert most == ("hostile", UnpaidBuys(JUDGED_BUYS_MIN, JUDGED_BUYS_MIN - 1))
    assert most[1].percent == 95
    assert check(BooksScan(rows[1:20]), THEN_US).most_unpaid() is None
