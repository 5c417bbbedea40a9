"""Which rows of a statement are evidence for which orders, and what makes them doubtful."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.order import IdentityRecord, Order, OrderStatus
from orderdesk.domain.orders.statement_match import (
    ROWS_OF_AMOUNT_MAX,
    Doubt,
    Match,
    StatementRow,
    match_rows,
)
from orderdesk.domain.pricing import OrderType
from tests.support.orders import NAMED, VERIFIED, desk_order, numbered

NOW = 1_763_700_000
FEN = 1000_37
PAID = desk_order(OrderType.BUY, OrderStatus.PAID, NOW, fen=FEN)
REFERENCE = "210123"


def row(
    payer: str = "张三",
    remark: str = REFERENCE,
    *,
    line: int = 1,
    cny_fen: int = FEN,
    time: int | None = NOW + 60,
) -> StatementRow:
    return StatementRow(line, cny_fen, time, payer, remark)


def only(order: Order, one: StatementRow) -> Match:
    [match] = match_rows([order], [one])
    return match


@pytest.mark.parametrize(
    ("payer", "remark", "doubts"),
    [
        ("张三", REFERENCE, ()),
        ("张三", "", ()),
        ("", f"备注{REFERENCE}谢谢", ()),
        ("*三(138****0000)", "转账", ()),
        ("张*", "", ()),
        ("李四", REFERENCE, (Doubt.PAYER,)),
        ("张三", "999999", (Doubt.REMARK,)),
        ("李四", "999999", (Doubt.PAYER, Doubt.REMARK, Doubt.UNPROVED)),
        ("", "转账", (Doubt.UNPROVED,)),
        ("***", "12345", (Doubt.UNPROVED,)),
        ("张三丰", "", (Doubt.PAYER, Doubt.UNPROVED)),
        ("*" + "a*" * 90, "", (Doubt.PAYER, Doubt.UNPROVED)),
    ],
)
def test_remark_and_payer_prove_or_contradict(
    payer: str, remark: str, doubts: tuple[Doubt, ...]
) -> None:
    assert only(PAID, row(payer, remark)).doubts == doubts


def test_a_whole_order_number_is_a_remark_too() -> None:
    assert only(PAID, row("", PAID.order_no)).remark is True


def test_a_masked_name_is_compared_as_far_as_it_is_seen() -> None:
    masked = replace(PAID, identity=VERIFIED)
    assert [
        only(masked, row(payer, "")).payer for payer in ("张三", "张*", "*三", "李四", "李*")
    ] == [*(True, True, None, False, False)]
    long = replace(PAID, identity=replace(NAMED, open_name="阿卜杜热合曼"))
    assert [only(long, row(payer, "")).payer for payer in ("*卜*", "*卜*热*")] == [True, False]
    unknown = replace(PAID, identity=None)
    assert only(unknown, row("张三", "")).doubts == (Doubt.UNPROVED,)


def test_a_transfer_before_the_order_is_doubtful() -> None:
    assert only(PAID, row(time=NOW - 301)).doubts == (Doubt.EARLY,)
    assert only(PAID, row(time=NOW - 300)).is_sure
    assert only(PAID, row(time=None)).doubts == (Doubt.TIME,)


def test_money_that_may_not_have_arrived_is_doubtful() -> None:
    assert only(PAID, replace(row(), is_arrived=False)).doubts == (Doubt.STATE,)


@pytest.mark.parametrize("fen", [FEN - 1, FEN + 1, 1])
def test_another_amount_is_no_evidence(fen: int) -> None:
    assert match_rows([PAID], [row(cny_fen=fen)]) == []


def test_only_open_buys_are_compared() -> None:
    done = desk_order(OrderType.BUY, OrderStatus.COMPLETED, NOW, fen=FEN)
    sell = desk_order(OrderType.SELL, OrderStatus.ASSIGNED, NOW, fen=FEN)
    assert match_rows([done, sell], [row()]) == []


def test_a_row_belongs_to_the_order_that_its_remark_names() -> None:
    twin = replace(numbered(PAID, 77), identity=NAMED)
    rows = [row(), row("张三", twin.order_no[-6:], line=2)]
    found = match_rows([PAID, twin], rows)
    assert all(match.is_sure for match in found)
    assert {match.row.line: match.order.order_no for match in found} == {
        1: PAID.order_no,
        2: twin.order_no,
    }


def test_twins_of_one_payer_and_a_double_payment_are_doubtful() -> None:
    twin = numbered(PAID, 77)
    several = match_rows([PAID, twin], [row(remark="")])
    assert [match.doubts for match in several] == [(Doubt.SEVERAL,)] * 2
    twice = match_rows([PAID], [row(), row(line=2)])
    assert [match.doubts for match in twice] == [(Doubt.SEVERAL,)] * 2


def test_a_row_without_a_remark_casts_no_doubt_on_a_twin_that_another_row_names() -> None:
    twin = replace(numbered(PAID, 77), identity=None)
    known = replace(PAID, identity=None)
    found = match_rows([known, twin], [row("", ""), row("", REFERENCE, line=2)])
    assert [(match.order.order_no, match.row.line, match.doubts) for match in found] == [
        (known.order_no, 2, ()),
        (twin.order_no, 1, (Doubt.UNPROVED,)),
    ]


NAMES = ("张三", "李四", "王五光", "")
ORDERS = st.lists(
    st.tuples(st.integers(10, 14), st.integers(1, 3), st.sampled_from(NAMES[:3])),
    max_size=5,
    unique_by=lambda one: one[0],
)
ROWS = st.lists(
    st.tuples(
        st.integers(1, 3), st.sampled_from((*NAMES, "*三", "张*")), st.integers(10, 16) | st.none()
    ),
    max_size=6,
)


def an_order(number: int, fen: int, name: str) -> Order:
    order = numbered(desk_order(OrderType.BUY, OrderStatus.PAID, NOW, fen=fen), number)
    record = IdentityRecord("passed", "sandbox", "r", name[0] + "*", "x", "y", name)
    return replace(order, identity=record)


@given(ORDERS, ROWS, st.randoms(use_true_random=False))
def test_a_sure_match_is_exact_proved_and_the_only_one(
    orders: list[tuple[int, int, str]], rows: list[tuple[int, str, int | None]], chance: "object"
) -> None:
    known = [an_order(*one) for one in orders]
    suffix = PAID.order_no[-6:-2]
    read = [
        StatementRow(line, fen, NOW, payer, "" if end is None else f"{suffix}{end}")
        for line, (fen, payer, end) in enumerate(rows)
    ]
    found = match_rows(known, read)
    for match in found:
        assert match.order.quote.cny_fen == match.row.cny_fen
        assert match.is_sure is (not match.doubts)
        if match.is_sure:
            assert True in {match.payer, match.remark}
            assert False not in {match.payer, match.remark}
            assert sum(other.row == match.row for other in found) == 1
            assert sum(other.order == match.order for other in found) == 1
    chance.shuffle(known)  # type: ignore[attr-defined]
    assert match_rows(known, read) == found
    shuffled = [*read]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert match_rows(known, shuffled) == found


def test_the_work_for_a_repeated_amount_is_bounded() -> None:
    rows = [row(line=line) for line in range(10 * ROWS_OF_AMOUNT_MAX)]
    assert len(match_rows([PAID], rows)) == ROWS_OF_AMOUNT_MAX
