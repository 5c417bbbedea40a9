"""Books kept by the rules balance; any wrong number or missing row is found."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check_run import RECENT_US, CheckRun
from orderdesk.domain.ledger.proof import Proof
from orderdesk.domain.ledger.rows import (
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    ProposalRow,
    RequestPlaceRow,
    RequestRow,
    TraderRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import (
    LATER_US,
    MERCHANT,
    THEN_US,
    TRADER,
    KeptBooks,
    an_order,
    changed,
    found,
)

AN_ACCOUNT = st.builds(
    Account,
    st.sampled_from([AccountKind.MERCHANT, AccountKind.TRADER]),
    st.sampled_from(["0", "1"]),
    st.sampled_from(Mode),
).map(lambda a: replace(a, owner=a.kind.value[0] + a.owner))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("fund"), AN_ACCOUNT, st.integers(1, 10**12), st.booleans()),
        st.tuples(
            st.just("place"),
            st.sampled_from(OrderType),
            st.sampled_from(Mode),
            st.sampled_from(["t0", "t1", None]),
        ),
        st.tuples(st.just("propose"), AN_ACCOUNT, st.integers(1, 10**12)),
        st.tuples(st.just("request"), st.integers(1, 10**6)),
        st.tuples(
            st.sampled_from(["cancel", "complete", "approve", "reject", "take_up"]),
            st.integers(0, 99),
        ),
    ),
    max_size=25,
)


def end(books: KeptBooks, how: str, index: int) -> None:
    """End an open order or withdrawal, if there is any."""
    if how in {"approve", "reject"}:
        if proposed := books.open_withdrawals():
            books.decide(proposed[index % len(proposed)], approving=how == "approve")
    elif how == "take_up":
        if held := books.held_requests():
            books.take_up(held[index % len(held)])
    elif still_open := books.open_orders():
        order = still_open[index % len(still_open)]
        (books.cancel if how == "cancel" else books.complete)(order)


@st.composite
def kept_books(draw: st.DrawFn) -> KeptBooks:
    """Return books after a random sequence of fundings, withdrawals, orders and their ends."""
    books = KeptBooks()
    for mode in Mode:
        for owner in ("t0", "t1"):
            books.add(Account(AccountKind.TRADER, owner, mode))
    books.fund(TRADER, 10**12)
    books.fund(MERCHANT, 10**6)
    for number, step in enumerate(draw(STEPS)):
        match step:
            case ("fund", account, micro, alone):
                books.fund(account, micro, alone=alone)
            case ("place", side, mode, trader):
                named = trader or ("t0" if side is OrderType.BUY else None)
                books.place(an_order(number, side, mode, "m0", named))
            case ("propose", account, micro):
                books.propose(account, micro)
            case ("request", micro):
                books.request(micro)
            case (how, index):
                end(books, how, index)
    return books


def telling(rows: list[LedgerRow]) -> list[LedgerRow]:
    """Leave out ended orders and proposals without a transfer: they hold nothing."""
    return [row for row in rows if not is_over(row)]


def is_over(row: LedgerRow) -> bool:
    match row:
        case Order():
            return row.status is OrderStatus.CANCELLED
        case DecisionRow():
            return True  # test_proof.py
        case ProposalRow():
            return not row.is_open and not row.is_executed
        case _:
            return False


def falsified(row: LedgerRow, which: int, delta: int) -> LedgerRow:  # noqa: PLR0911
    """Change one of the row's numbers."""
    match row:
        case OpenBuysRow() if which:
            return replace(row, open_buys=row.open_buys + delta)
        case OpenBuysRow():
            return replace(row, open_fen=row.open_fen + delta)
        case RequestPlaceRow():
            return replace(row, is_open=not row.is_open)
        case PostingRow() | ProposalRow() | EntryRow() | RequestRow():
            return replace(row, amount_micro=row.amount_micro + delta)
        case Order() if row.order_type is OrderType.BUY:
            amounts = replace(row.quote, usdt_micro=row.quote.usdt_micro + delta)
            return replace(row, quote=amounts)
        case Order():
            micro = row.quote.merchant_actual_micro + delta
            return replace(row, quote=replace(row.quote, merchant_actual_micro=micro))
        case TraderRow() if which == 2:
            return replace(row, open_orders=row.open_orders + delta)
        case BalanceRow() | TraderRow():
            own = row.balance
            return replace(
                row,
                balance=Balance(
                    own.available_micro + delta * (which != 1),
                    own.held_micro + delta * (which == 1),
                ),
            )
        case AmountRow() | DecisionRow() | MalformedRow():
            return row


# All transfers are older than a run, or all are recent.
TIMES = st.sampled_from([LATER_US, THEN_US])


@given(books=kept_books(), data=st.data(), now_us=TIMES)
def test_whatever_is_kept_by_the_rules_balances_in_any_order(
    books: KeptBooks, data: st.DataObject, now_us: int
) -> None:
    assert found(data.draw(st.permutations(books.rows())), now_us) == []


@given(
    books=kept_books(),
    data=st.data(),
    which=st.integers(0, 2),
    delta=st.integers(-(10**15), 10**15).filter(bool),
    now_us=TIMES,
)
def test_any_single_false_number_is_found(
    books: KeptBooks, data: st.DataObject, which: int, delta: int, now_us: int
) -> None:
    rows = books.rows()
    row = data.draw(st.sampled_from(telling(rows)))
    assert found(changed(rows, row, falsified(row, which, delta)), now_us) != []


@given(books=kept_books(), data=st.data(), now_us=TIMES)
def test_any_single_missing_row_that_has_money_or_orders_is_found(
    books: KeptBooks, data: st.DataObject, now_us: int
) -> None:
    rows = books.rows()
    empty = (TraderRow, BalanceRow)
    full = [r for r in telling(rows) if not (isinstance(r, empty) and r.balance == Balance())]
    row = data.draw(st.sampled_from(full))
    assert found(changed(rows, row), now_us) != []


@given(books=kept_books(), data=st.data(), now_us=TIMES)
def test_any_repeated_or_moved_posting_is_found(
    books: KeptBooks, data: st.DataObject, now_us: int
) -> None:
    rows = books.rows()
    row = data.draw(st.sampled_from([row for row in rows if isinstance(row, PostingRow)]))
    moved = replace(row, account_key=row.account_key.replace(":m0:", ":m1:"))
    others = {"again": [row, row], "later": [row, replace(row, at_us=row.at_us + 1)]}
    if moved != row:
        others["moved"] = [moved]
    assert found(changed(rows, row, *others[data.draw(st.sampled_from(sorted(others)))]), now_us)


def test_the_proof_keeps_no_posting() -> None:
    proof = Proof(b"key", THEN_US - RECENT_US)
    books = KeptBooks()
    for _ in range(100):
        books.fund(TRADER, 5)
    run = CheckRun.begin(THEN_US, b"key", 1)
    run.proof = proof
    [place, *_] = run.places()
    run.add_page(place, books.rows(), "next", THEN_US)
    assert proof.recent == {}
    assert len(run.tally._accounts) == 2
