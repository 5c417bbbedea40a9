"""Books kept by the rules balance; any wrong number or missing row is found."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
    WithdrawalRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.unit.ledger.kept_books import (
    MERCHANT,
    OUTSIDE,
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
        st.tuples(st.just("fund"), AN_ACCOUNT, st.integers(1, 10**12)),
        st.tuples(
            st.just("place"),
            st.sampled_from(OrderType),
            st.sampled_from(Mode),
            st.sampled_from(["t0", "t1", None]),
        ),
        st.tuples(st.just("propose"), AN_ACCOUNT, st.integers(1, 10**12)),
        st.tuples(st.sampled_from(["cancel", "complete", "approve", "reject"]), st.integers(0, 99)),
    ),
    max_size=25,
)


def end(books: KeptBooks, how: str, index: int) -> None:
    """End an open order or withdrawal, if there is any."""
    if how in {"approve", "reject"}:
        if proposed := books.open_withdrawals():
            books.decide(proposed[index % len(proposed)], approving=how == "approve")
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
    for number, step in enumerate(draw(STEPS)):
        match step:
            case ("fund", account, micro):
                books.fund(account, micro)
            case ("place", side, mode, trader):
                named = trader or ("t0" if side is OrderType.BUY else None)
                books.place(an_order(number, side, mode, "m0", named))
            case ("propose", account, micro):
                books.propose(account, micro)
            case (how, index):
                end(books, how, index)
    return books


def telling(rows: list[LedgerRow]) -> list[LedgerRow]:
    """Leave out ended orders: they hold nothing."""
    over = {OrderStatus.CANCELLED, OrderStatus.COMPLETED}
    return [row for row in rows if not (isinstance(row, Order) and row.status in over)]


def falsified(row: LedgerRow, which: int, delta: int) -> LedgerRow:  # noqa: PLR0911
    """Change one of the row's numbers."""
    match row:
        case OpenBuysRow() if which:
            return replace(row, open_buys=row.open_buys + delta)
        case OpenBuysRow():
            return replace(row, open_fen=row.open_fen + delta)
        case PostingRow() | WithdrawalRow():
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


@given(books=kept_books(), data=st.data())
def test_whatever_is_kept_by_the_rules_balances_in_any_order(
    books: KeptBooks, data: st.DataObject
) -> None:
    assert found(data.draw(st.permutations(books.rows()))) == []


@given(
    books=kept_books(),
    data=st.data(),
    which=st.integers(0, 2),
    delta=st.integers(-(10**15), 10**15).filter(bool),
)
def test_any_single_false_number_is_found(
    books: KeptBooks, data: st.DataObject, which: int, delta: int
) -> None:
    rows = books.rows()
    row = data.draw(st.sampled_from(telling(rows)))
    assert found(changed(rows, row, falsified(row, which, delta))) != []


@given(books=kept_books(), data=st.data())
def test_any_single_missing_row_that_has_money_or_orders_is_found(
    books: KeptBooks, data: st.DataObject
) -> None:
    rows = books.rows()
    empty = (TraderRow, BalanceRow)
    full = [r for r in telling(rows) if not (isinstance(r, empty) and r.balance == Balance())]
    row = data.draw(st.sampled_from(full))
    assert found(changed(rows, row)) != []


def test_a_transfer_that_was_read_is_forgotten() -> None:
    tally = Tally()
    for number in range(1000):
        tally.add(PostingRow(MERCHANT.key, f"f{number}", 5))
        tally.add(PostingRow(OUTSIDE.key, f"f{number}", -5))
    assert tally._unfinished == {}
    assert len(tally._accounts) == 2
