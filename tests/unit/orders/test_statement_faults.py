"""Statements of each listed source, whole and with one thing wrong: what is then confirmed."""

from collections.abc import Sequence

from hypothesis import assume, given
from hypothesis import strategies as st

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.statement_cells import Column, head_of
from orderdesk.domain.orders.statement_file import StatementRows, read_cells, read_statement
from orderdesk.domain.orders.statement_match import Match, match_rows, unmatched_rows
from orderdesk.domain.pricing import OrderType
from tests.support.orders import desk_order
from tests.support.statement_samples import PAYER, REMARK, cells_of, samples, text_of

ORDER = desk_order(OrderType.BUY, OrderStatus.PAID, 1_763_700_000, fen=1000_37)
SAMPLES = samples()
WORDS = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=4)
# What a cell of a column may not say; of several columns of a kind the first has it.
WRONG = {
    Column.TIME: st.sampled_from(
        ["", "昨天", "20261325", "25/11/2026 09:02:03", "2020-01-01 00:00:00", "30000", "9:2"]
    ),
    Column.AMOUNT: st.sampled_from(
        [
            "",
            "1,00",
            "1000,37",
            "1000.370",
            "-1000.37",
            "1E3",
            "1000.38",
            "10,00.37",
            "¥",
            "$1000.37",
        ]
    ),
    Column.SIDE: WORDS.map(lambda word: f"不{word}")
    | st.sampled_from(["", "支出", "借", "/", "D"]),
    Column.CURRENCY: WORDS | st.sampled_from(["USD", "HKD", "cn"]),
    Column.STATE: WORDS.map("未{}".format) | st.sampled_from(["", "/", "对方已退还"]),
    Column.PAYER: st.sampled_from(["李四", "张", "三", "张三丰", "李*"]),
    Column.REMARK: st.integers(10**5, 10**7).map(str).filter(lambda text: text != REMARK),
}
WRONG[Column.INCOME] = WRONG[Column.AMOUNT]
NAMES = st.text(max_size=30) | st.sampled_from(
    [f"{quote},{REMARK},收入,¥1000.37{rest}" for quote in ("", '"') for rest in ("", ",/,已收钱")]
)


def compared(statement: StatementRows, lines: Sequence[object]) -> list[Match]:
    """Return the matches with the order; all rows of the file are accounted for."""
    matches = match_rows([ORDER], statement.rows)
    unmatched = unmatched_rows([ORDER], statement.rows, matches)
    assert len({match.row.line for match in matches}) + len(unmatched) == len(statement.rows)
    assert statement.count == len(lines)
    return matches


def parts(source: str) -> tuple[list[list[str]], int]:
    """Return a sample's cells, and the place of its row."""
    rows = cells_of(SAMPLES[source])
    return rows, next(place for place, row in enumerate(rows) if any(REMARK in c for c in row))


SOURCE = st.sampled_from(sorted(SAMPLES))
KIND = st.sampled_from(sorted(WRONG))
NAMED = [source for source in SAMPLES if PAYER in SAMPLES[source]]


@given(SOURCE, KIND, st.data())
def test_one_wrong_cell_is_never_confirmed(source: str, kind: Column, data: st.DataObject) -> None:
    rows, place = parts(source)
    head = head_of([cell.strip() for cell in rows[place - 1]])
    assert head is not None
    places = [at for at, column in head.columns.items() if column is kind]
    assume(places)
    cell = data.draw(WRONG[kind])
    for at in places if kind is Column.REMARK else places[:1]:
        rows[place][at] = cell
    below = rows[place:]
    for statement in (read_statement(text_of(rows).encode()), read_cells(rows)):
        matches = compared(statement, below)
        assert not any(match.is_sure for match in matches)


@given(st.sampled_from(NAMED), NAMES)
def test_whatever_a_payer_is_called_is_never_confirmed(source: str, name: str) -> None:
    """The sources quote nothing, so the name is the file's text."""
    text = SAMPLES[source].replace(PAYER, f"李{name}")
    statement = read_statement(text.encode("utf-8", "replace"))
    matches = match_rows([ORDER], statement.rows)
    assert not any(match.is_sure for match in matches)
    known = {match.row.line for match in matches} | {row.line for row in statement.unread}
    assert known, "the row is doubtful or unread, and shown"


@given(SOURCE, st.data())
def test_another_number_of_cells_or_a_broken_letter_is_never_confirmed(
    source: str, data: st.DataObject
) -> None:
    rows, place = parts(source)
    at = data.draw(st.integers(0, len(rows[place]) - 1))
    with_more = [*rows[place][:at], data.draw(WORDS), *rows[place][at:]]
    with_fewer = [*rows[place][:at], *rows[place][at + 1 :]]
    for row in (with_more, with_fewer):
        changed = [*rows[:place], row, *rows[place + 1 :]]
        matches = compared(read_statement(text_of(changed).encode()), changed[place:])
        assert not matches
    for encoding in ("utf-8", "gb18030"):
        before, row_bytes, after = (
            text_of(part).encode(encoding)
            for part in (rows[:place], [rows[place]], rows[place + 1 :])
        )
        cut = data.draw(st.integers(0, len(row_bytes) - 2))
        broken = before + row_bytes[:cut] + b"\xff" + row_bytes[cut:] + after
        assert not compared(read_statement(broken), rows[place:])
