"""Each forged, missing or changed transfer is a finding that names order, proposal and account."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check_run import FINDINGS_MAX, NAMED_BUCKETS_MAX
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    DecisionRow,
    LedgerRow,
    MalformedRow,
    PostingRow,
    ProposalRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import (
    LATER_US,
    MERCHANT,
    OUTSIDE,
    THEN_US,
    TRADER,
    USDT,
    BooksScan,
    KeptBooks,
    an_order,
    balance_row,
    changed,
    check,
    decisions_of,
    executed,
    found,
    trader_row,
    used_books,
)

MILLION = 1_000_000 * USDT
EVIL = Account(AccountKind.MERCHANT, "evil", Mode.LIVE)


def posting(rows: list[LedgerRow], transfer_id: str, kind: str) -> PostingRow:
    """Find the posting of a transfer on an account of a kind."""
    return next(
        row
        for row in rows
        if isinstance(row, PostingRow)
        and row.transfer_id == transfer_id
        and row.account_key.startswith(f"{kind}:")
    )


def moved(rows: list[LedgerRow], account: Account, micro: int) -> list[LedgerRow]:
    """Change a balance as a direct write would."""
    row = trader_row(rows) if account.kind is AccountKind.TRADER else balance_row(rows, account)
    own = row.balance
    return changed(
        rows, row, replace(row, balance=Balance(own.available_micro + micro, own.held_micro))
    )


def million_by_two_updates(rows: list[LedgerRow]) -> list[LedgerRow]:
    rows = moved(moved(rows, TRADER, -MILLION), MERCHANT, MILLION)
    return [
        *rows,
        PostingRow(TRADER.key, "x", -MILLION, "funding", "", THEN_US),
        PostingRow(MERCHANT.key, "x", MILLION, "funding", "", THEN_US),
    ]


def settlement_without_order(rows: list[LedgerRow]) -> list[LedgerRow]:
    rows = moved(moved(rows, TRADER, -5), MERCHANT, 5)
    return [
        *rows,
        PostingRow(TRADER.key, "B9", -5, "settlement", "B9", THEN_US),
        PostingRow(MERCHANT.key, "B9", 5, "settlement", "B9", THEN_US),
    ]


def settlement_of_an_open_order(rows: list[LedgerRow]) -> list[LedgerRow]:
    rows = moved(moved(rows, TRADER, -5), MERCHANT, 5)
    return [
        *rows,
        PostingRow(TRADER.key, "B1", -5, "settlement", "B1", THEN_US),
        PostingRow(MERCHANT.key, "B1", 5, "settlement", "B1", THEN_US),
    ]


def order_without_posting(rows: list[LedgerRow]) -> list[LedgerRow]:
    rows = [r for r in rows if not (isinstance(r, PostingRow) and r.transfer_id == "B0")]
    for account, micro in ((TRADER, 138_197_899), (MERCHANT, -135_995_023)):
        rows = moved(rows, account, micro)
    for kind, micro in ((AccountKind.DEPOSIT, -1_373_688), (AccountKind.FEE, -829_188)):
        rows = moved(rows, Account(kind, "m0", Mode.LIVE), micro)
    return rows


def changed_amount(rows: list[LedgerRow]) -> list[LedgerRow]:
    """Move a part of the fee to the merchant, consistently in postings and balances."""
    fee, own = posting(rows, "B0", "fee"), posting(rows, "B0", "merchant")
    rows = changed(rows, fee, replace(fee, amount_micro=fee.amount_micro - 5))
    rows = changed(rows, own, replace(own, amount_micro=own.amount_micro + 5))
    return moved(moved(rows, Account(AccountKind.FEE, "m0", Mode.LIVE), -5), MERCHANT, 5)


def changed_merchant(rows: list[LedgerRow]) -> list[LedgerRow]:
    own = posting(rows, "B0", "merchant")
    rows = changed(rows, own, replace(own, account_key=EVIL.key))
    rows = moved(rows, MERCHANT, -own.amount_micro)
    return [*rows, BalanceRow(EVIL.key, Balance(own.amount_micro, 0))]


def duplicated(rows: list[LedgerRow]) -> list[LedgerRow]:
    again = [
        replace(row, at_us=row.at_us + 1)
        for row in rows
        if isinstance(row, PostingRow) and row.transfer_id == "B0"
    ]
    for row in again:
        kind, owner, mode = row.account_key.split(":")
        rows = moved(rows, Account(AccountKind(kind), owner, Mode(mode)), row.amount_micro)
    return [*rows, *again]


def changed_time(rows: list[LedgerRow]) -> list[LedgerRow]:
    own = posting(rows, "B0", "merchant")
    return changed(rows, own, replace(own, at_us=own.at_us - 86_400_000_000))


A_FORGERY = Callable[[list[LedgerRow]], list[LedgerRow]]
FORGERIES: list[tuple[A_FORGERY, set[tuple[FindingKind, str, str]]]] = [
    (
        million_by_two_updates,
        {
            (FindingKind.POSTING_WITHOUT_DECISION, "", MERCHANT.key),
            (FindingKind.POSTING_WITHOUT_DECISION, "", TRADER.key),
            (FindingKind.NEGATIVE_AVAILABLE, "", TRADER.key),
        },
    ),
    (
        settlement_without_order,
        {
            (FindingKind.POSTING_WITHOUT_ORDER, "B9", MERCHANT.key),
            (FindingKind.POSTING_WITHOUT_ORDER, "B9", TRADER.key),
        },
    ),
    (
        settlement_of_an_open_order,
        {
            (FindingKind.POSTING_WITHOUT_ORDER, "B1", MERCHANT.key),
            (FindingKind.POSTING_WITHOUT_ORDER, "B1", TRADER.key),
        },
    ),
    (
        order_without_posting,
        {
            (FindingKind.ORDER_WITHOUT_POSTING, "B0", key)
            for key in (MERCHANT.key, TRADER.key, "deposit:m0:live", "fee:m0:live")
        },
    ),
    (
        changed_amount,
        {
            (FindingKind.CHANGED_AMOUNT, "B0", "fee:m0:live"),
            (FindingKind.CHANGED_AMOUNT, "B0", MERCHANT.key),
        },
    ),
    (changed_merchant, {(FindingKind.CHANGED_ACCOUNT, "B0", EVIL.key)}),
    (
        duplicated,
        {
            (FindingKind.DUPLICATED_POSTING, "B0", key)
            for key in (MERCHANT.key, TRADER.key, "deposit:m0:live", "fee:m0:live")
        },
    ),
    (changed_time, {(FindingKind.CHANGED_POSTING, "B0", MERCHANT.key)}),
]


@pytest.mark.parametrize("now_us", [LATER_US, THEN_US], ids=["older", "recent"])
@pytest.mark.parametrize(
    ("forge", "named"), FORGERIES, ids=lambda case: getattr(case, "__name__", "")
)
def test_a_forgery_that_adds_up_is_named(
    forge: A_FORGERY, named: set[tuple[FindingKind, str, str]], now_us: int
) -> None:
    names = {(f.kind, f.order_no, f.account) for f in found(forge(used_books().rows()), now_us)}
    assert names == named


def decided(rows: list[LedgerRow], number: str) -> ProposalRow:
    return next(r for r in rows if isinstance(r, ProposalRow) and r.proposal_no == number)


@pytest.mark.parametrize(
    ("proposed_by", "decided_by", "number"),
    [("ann", "", 1), ("ann", "ann", 1), ("Ann", "aNN", 1), ("", "bob", 1), ("", "", 0)],
)
def test_a_proposal_that_two_people_did_not_decide_is_named(
    proposed_by: str, decided_by: str, number: int
) -> None:
    rows = used_books().rows()
    row = decided(rows, "P0")
    alone = replace(row, proposed_by=proposed_by, decided_by=decided_by)
    people = {False: proposed_by, True: decided_by}
    audited = [
        replace(r, who=people[r.is_approval])
        if isinstance(r, DecisionRow) and r.proposal_no == "P0"
        else r
        for r in rows
    ]
    assert found(changed(audited, row, alone)) == [
        Finding(
            FindingKind.NO_SECOND_PERSON,
            "P0",
            2,
            number,
            proposal_no="P0",
            account=MERCHANT.key,
        )
    ]


@pytest.mark.parametrize(
    "forged",
    [
        {"proposed_by": "c"},
        {"proposed_by": "a\x1fb"},
        {"decided_by": "c"},
        {"proposed_by": "b", "decided_by": "a"},
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
def test_a_proposal_of_other_people_than_the_audit_trail_has_is_named(
    forged: dict[str, str], *, is_open: bool
) -> None:
    books = used_books()
    books.propose(MERCHANT, 7)
    if not is_open:
        books.decide(books.open_withdrawals()[0], approving=True)
    rows = books.rows()
    row = decided(rows, "PW2")
    named = found(changed(rows, row, replace(row, **forged)))  # type: ignore[arg-type]
    kind = FindingKind.PROPOSAL_WITHOUT_ENTRY
    is_claimed = not is_open or "proposed_by" in forged
    expected = Finding(kind, "PW2", 1, 0, proposal_no="PW2", account=MERCHANT.key)
    assert named == ([expected] if is_claimed else [])


def test_a_proposal_without_its_audit_entries_is_named() -> None:
    books = used_books()
    books.decisions = []
    names = {(f.kind, f.proposal_no) for f in found(books.rows())}
    assert names == {(FindingKind.PROPOSAL_WITHOUT_ENTRY, f"P{number}") for number in range(2)}


def test_a_proposal_that_is_executed_while_the_check_reads_is_no_finding() -> None:
    """The Audit table was read before the approval, the proposal after it."""
    books = used_books()
    books.propose(MERCHANT, 7)
    before = [r for r in books.rows() if isinstance(r, DecisionRow)]
    books.decide(books.open_withdrawals()[0], approving=True)
    after = [r for r in books.rows() if not isinstance(r, DecisionRow)]
    assert found([*after, *before], THEN_US) == []


@pytest.mark.parametrize("is_open", [True, False])
def test_a_funding_whose_proposal_was_not_executed_is_named(*, is_open: bool) -> None:
    rows = used_books().rows()
    row = decided(rows, "P0")
    named = {
        (f.kind, f.proposal_no, f.account)
        for f in found(changed(rows, row, replace(row, is_open=is_open, is_executed=False)))
    }
    without = FindingKind.POSTING_WITHOUT_DECISION
    assert named == {(without, "P0", MERCHANT.key), (without, "P0", OUTSIDE.key)}


def test_a_withdrawal_of_another_amount_or_account_than_its_proposal_is_named() -> None:
    books = used_books()
    books.propose(MERCHANT, 7)
    books.decide(books.open_withdrawals()[0], approving=True)
    rows = books.rows()
    row = decided(rows, "PW2")
    other = replace(row, amount_micro=6)
    assert {
        (f.kind, f.proposal_no, f.expected, f.actual) for f in found(changed(rows, row, other))
    } == {
        (FindingKind.CHANGED_AMOUNT, "PW2", -6, -7),
        (FindingKind.CHANGED_AMOUNT, "PW2", 6, 7),
        (FindingKind.PROPOSAL_WITHOUT_ENTRY, "PW2", 1, 0),
    }
    moved_to = replace(row, account_key=EVIL.key)
    kinds = {f.kind for f in found(changed(rows, row, moved_to))}
    assert kinds == {FindingKind.CHANGED_ACCOUNT, FindingKind.PROPOSAL_WITHOUT_ENTRY}


def test_one_person_alone_needs_an_entry_that_says_so_or_test_money() -> None:
    for mode, is_named in ((Mode.LIVE, True), (Mode.TEST, False)):
        books = KeptBooks()
        account = Account(AccountKind.MERCHANT, "m0", mode)
        books.fund(account, 5, alone=True)
        assert found(books.rows()) == []
        [entry] = books.entries
        books.entries = [replace(entry, is_alone=False)]
        assert [(f.kind, f.key, f.account) for f in found(books.rows())] == (
            [(FindingKind.NO_SECOND_PERSON, "a0", account.key)] if is_named else []
        )
        books.entries = []
        assert {f.kind for f in found(books.rows())} == {FindingKind.POSTING_WITHOUT_DECISION}


def test_an_executed_proposal_without_its_postings_is_named() -> None:
    books = used_books()
    books.proposals["P9"] = executed("P9", MERCHANT, 5)
    books.decisions += decisions_of("P9", MERCHANT, 5)
    assert {(f.kind, f.key, f.account) for f in found(books.rows())} == {
        (FindingKind.DECISION_WITHOUT_POSTING, "P9", MERCHANT.key),
        (FindingKind.DECISION_WITHOUT_POSTING, "P9", OUTSIDE.key),
    }


def test_a_hold_without_its_proposal_or_order_is_named() -> None:
    books = used_books()
    books.propose(MERCHANT, 7)
    rows = books.rows()
    for row in (decided(rows, "PW2"), books.orders["S2"]):
        [held] = found(changed(rows, row))
        assert (held.kind, held.account) == (FindingKind.HELD, MERCHANT.key)


def test_an_order_whose_amounts_do_not_sum_up_is_named_with_its_postings() -> None:
    rows = used_books().rows()
    order = used_books().orders["B0"]
    wrong = replace(order, quote=replace(order.quote, service_micro=1))
    kinds = {(f.kind, f.order_no) for f in found(changed(rows, order, wrong))}
    assert kinds == {
        (FindingKind.MALFORMED, "B0"),
        (FindingKind.POSTING_WITHOUT_ORDER, "B0"),
    }


def test_a_posting_in_the_future_is_named() -> None:
    rows = used_books().rows()
    row = posting(rows, "P0", "merchant")
    later = replace(row, at_us=LATER_US + 3600 * 10**6)
    kinds = {f.kind for f in found(changed(rows, row, later))}
    assert FindingKind.FUTURE_TIME in kinds


def test_a_malformed_item_is_named_once_and_the_rest_is_checked() -> None:
    rows = [*used_books().rows(), MalformedRow("ledger", "merchant:m0:live x", "no amount_micro")]
    rows = moved(rows, MERCHANT, 3)
    kinds = [(f.kind, f.key, f.problem) for f in found(rows)]
    assert kinds == [
        (FindingKind.MALFORMED, "ledger: merchant:m0:live x", "no amount_micro"),
        (FindingKind.BALANCE, MERCHANT.key, ""),
    ]


def test_many_findings_are_counted_and_memory_is_limited() -> None:
    books = KeptBooks()
    rows = [
        PostingRow(MERCHANT.key, f"x{number}", 1, "funding", "", THEN_US) for number in range(5000)
    ]
    run = check(BooksScan([*books.rows(), *rows]))
    assert len(run.found) <= FINDINGS_MAX
    [unnamed] = [f for f in run.found if f.kind is FindingKind.UNNAMED_TRANSFERS]
    assert unnamed.actual > 4096 // 2 - NAMED_BUCKETS_MAX


def test_two_orders_that_swap_their_merchants_are_named() -> None:
    """All sums of accounts stay the same if the amounts are."""
    books = KeptBooks()
    books.fund(TRADER, 1000 * USDT)
    first = an_order(0, OrderType.BUY, Mode.LIVE, "m0", "t0")
    second = replace(an_order(0, OrderType.BUY, Mode.LIVE, "m1", "t0"), order_no="B1", order_id=1)
    for order in (first, second):
        books.place(order)
        books.complete(order)
    rows: list[LedgerRow] = [
        replace(row, account_key=row.account_key.translate(str.maketrans("01", "10")))
        if isinstance(row, PostingRow) and row.account_key.startswith("merchant")
        else row
        for row in books.rows()
    ]
    assert {(f.kind, f.order_no) for f in found(rows)} == {
        (FindingKind.CHANGED_ACCOUNT, "B0"),
        (FindingKind.CHANGED_ACCOUNT, "B1"),
    }
