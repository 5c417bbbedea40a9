"""CSV files as banks, Alipay and WeChat export them, and files that are none."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.statement_cells import Unread
from orderdesk.domain.orders.statement_file import (
    FILE_BYTES_MAX,
    ROWS_MAX,
    StatementProblem,
    UnfitStatement,
    read_statement,
)
from orderdesk.domain.orders.statement_match import StatementRow

AT = int(datetime(2026, 11, 25, 1, 2, 3, tzinfo=UTC).timestamp())
ALIPAY = """支付宝交易记录明细查询\t
账号:[trader@example.com]
起始日期:[2026-11-25 00:00:00]    终止日期:[2026-11-26 00:00:00]
------------------------支付宝（中国）网络技术有限公司  电子客户回单------------------------
交易时间,交易分类,交易对方,对方账号,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号,备注,
2026-11-25 09:02:03,转账红包,张三,138******00,转账,收入,1000.37,,交易成功,2026\t,\t,210123,
2026-11-25 09:03:00,餐饮,某店,x,午饭,支出,20.00,余额,交易成功,2026\t,\t,,
2026-11-25 09:04:00,转账,李四,y,转账,收入,5.00,,已全额退款,2026\t,\t,,
------------------------------------------------------------------------------------
共3笔记录
"""
WECHAT = """微信支付账单明细,,,,,,,,
微信昵称：[甲],,,,,,,,
起始时间：[2026-11-25 00:00:00] 终止时间：[2026-11-25 23:59:59],,,,,,,,
----------------------微信支付账单明细列表--------------------,,,,,,,,
交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,备注
2026-11-25 09:02:03,二维码收款,张三,"收款,付款方留言:210123",收入,"¥1,000.37",/,已收钱,"/"
2026-11-25 09:05:00,商户消费,某店,"水",支出,¥3.00,零钱,支付成功,"/"
"""
BANK = """户名:,交易员甲
交易日期,摘要,收入金额,支出金额,余额,对方户名,附言
2026/11/25 09:02:03,网银转账,"1,000.37",,"5,000.00",张三,210123
2026/11/25 09:06:00,手续费,,1.00,"4,999.00",,
"""
DEBIT_CREDIT = """记账日期\t借贷标志\t发生额\t对方名称\t用途
20261125\t贷\t+1000.37\t张三\t210123
20261125\t借\t9.00\t某店\t午饭
20261125\t贷\t-8.00\t某店\t冲账
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [ALIPAY, WECHAT, BANK])
def test_the_money_that_arrived_is_read(text: str, ends: str, encoding: str) -> None:
    statement = read_statement(text.replace("\n", ends).encode(encoding))
    row, *others = statement.rows
    assert (row.cny_fen, row.time, row.payer, row.is_arrived) == (1000_37, AT, "张三", True)
    assert "210123" in row.remark
    assert [(other.cny_fen, other.is_arrived) for other in others] == (
        [(5_00, False)] if text is ALIPAY else []
    )
    assert statement.unread == ()


def test_a_file_with_tabs_and_marks_of_debit_and_credit() -> None:
    statement = read_statement(DEBIT_CREDIT.encode("gb18030"))
    assert statement.rows == (StatementRow(2, 1000_37, None, "张三", "210123"),)
    assert [(row.line, row.why) for row in statement.unread] == [(4, Unread.REVERSED)]
    assert (statement.others, statement.count) == (1, 3)


@pytest.mark.parametrize(
    ("head", "arrived", "left"),
    [
        *((head, "贷", "借") for head in ("借贷标记", "借贷标识", "借贷类型", "借/贷标志")),
        *((head, "收入", "支出") for head in ("收支标志", "收/支类型", "收支标识", "收支情况")),
        *((head, "收", "付") for head in ("收/付", "收付", "收付标志", "收付方向", "收付类型")),
        *((head, "转入", "转出") for head in ("交易方向", "资金方向", "资金流向", "方向")),
        ("交易方向", "来账", "往账"),
        ("借贷标志", "C", "D"),
        ("收/付", "进账", "出账"),
        ("Debit/Credit", "Credit", "Debit"),
        ("借贷标志（借/贷）", "贷方", "借方"),
    ],
)
def test_money_that_left_is_recognised_by_its_side(head: str, arrived: str, left: str) -> None:
    content = f"交易时间,{head},金额,备注\n,{left},9.00,\n,{arrived},1.00,\n,/,2.00,\n,,3.00,\n"
    statement = read_statement(content.encode())
    assert [row.cny_fen for row in statement.rows] == [1_00]
    assert [row.why for row in statement.unread] == [Unread.SIDE]  # the last one has none


HEAD = "日期,金额,备注\n"


def test_a_file_may_have_so_many_lines() -> None:
    statement = read_statement((HEAD + "x,1,y\n" * (ROWS_MAX - 1)).encode())
    assert len(statement.rows) + len(statement.unread) == ROWS_MAX - 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", StatementProblem.MISSING),
        (b" \r\n", StatementProblem.MISSING),
        (b"x" * (FILE_BYTES_MAX + 1), StatementProblem.TOO_LARGE),
        ((HEAD + "x,1,y\n" * ROWS_MAX).encode(), StatementProblem.TOO_LARGE),
        (b"\xff\xfe\x00", StatementProblem.NO_HEAD),
        (b"a,b,c\n1,2,3\n", StatementProblem.NO_HEAD),
        (b"%PDF-1.7", StatementProblem.NO_HEAD),
    ],
)
def test_other_files_are_refused(content: bytes, problem: StatementProblem) -> None:
    with pytest.raises(UnfitStatement) as refusal:
        read_statement(content)
    assert refusal.value.problem is problem


@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for sent in (content, HEAD.encode() + content):
        try:
            statement = read_statement(sent)
        except UnfitStatement:
            continue
        assert all(row.cny_fen > 0 for row in statement.rows)


@given(st.text(max_size=30), st.integers(1, 10**9))
def test_amounts_are_exact(text: str, fen: int) -> None:
    amount = f"{fen // 100}.{fen % 100:02d}"
    quoted = "".join(text.replace('"', "").replace("\x00", "").splitlines())
    content = f'日期,金额,备注\n2026-11-25 09:02:03,{amount},"{quoted}"\n'.encode()
    assert [row.cny_fen for row in read_statement(content).rows] == [fen]


WECHAT_HEAD = "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,备注\n"
PAYER, NOTE = "甲", "乙"
ONE_YUAN = f"2026-11-25 09:02:03,二维码收款,{PAYER},{NOTE},收入,¥1.00,/,已收钱,/\n"
NEXT = '2026-11-25 09:05:00,二维码收款,丙,"x",收入,¥2.00,/,已收钱,/\n'


@pytest.mark.parametrize(
    ("payer", "note"),
    [
        ("甲,210123,收入,¥8850.00", "x"),  # WeChat leaves the commas of names unquoted
        ("甲,210123,收入,¥8850.00,/,已收钱", "x"),
        ('"甲', 'x",210123,收入,¥8850.00,/,已收钱,"z'),
        ('"甲', "x"),
        ('"甲"乙', "x"),
        ("甲\n2026-11-25 09:02:03,x", "x"),
    ],
)
def test_a_text_of_the_payer_is_no_amount(payer: str, note: str) -> None:
    line = ONE_YUAN.replace(PAYER, payer).replace(NOTE, note)
    statement = read_statement((WECHAT_HEAD + line + NEXT).encode())
    assert [row.cny_fen for row in statement.rows if row.cny_fen != 2_00] == []
    assert {row.why for row in statement.unread} == {Unread.CELLS}


def test_a_long_text_is_cut_to_what_can_be_shown() -> None:
    [row, *_] = read_statement(BANK.replace("210123", "r" * 201).encode()).rows
    assert "r" * 200 in row.remark
    assert "r" * 201 not in row.remark


def test_a_cell_with_a_line_break_is_no_row_of_its_own() -> None:
    fake = "2026-11-25 09:02:03,二维码收款,甲,x,收入,¥8850.00,/,已收钱,/"
    line = ONE_YUAN.replace(NOTE, f'"x\n{fake}\ny"')
    statement = read_statement((WECHAT_HEAD + line + NEXT).encode())
    assert [row.cny_fen for row in statement.rows] == [2_00]
    assert [(row.line, row.why) for row in statement.unread] == [
        (line, Unread.CELLS) for line in (2, 3, 4)
    ]
    assert statement.count == 4


def test_a_quote_that_is_never_closed_leaves_the_rows_before_it() -> None:
    statement = read_statement((WECHAT_HEAD + NEXT + '"' + "x" * 20 * ROWS_MAX).encode())
    assert [row.cny_fen for row in statement.rows] == [2_00]
    assert {row.why for row in statement.unread} == {Unread.CELLS}


@pytest.mark.parametrize(
    ("head", "state", "is_arrived"),
    [
        *(("当前状态", state, True) for state in ("已收钱", "已存入零钱", "支付成功")),
        *(("交易状态", state, True) for state in ("交易成功", "支付成功")),
        *(
            ("当前状态", state, False)
            for state in (
                *("对方已退还", "等待付款", "待确认收款", "已过期", "处理中", "已冻结"),
                *("", "/", "已收钱(待退)", "未到账", "已全额退款", "交易成功"),
            )
        ),
        *(("交易状态", state, False) for state in ("等待付款", "交易关闭", "退款成功", "已收钱")),
    ],
)
def test_only_a_known_state_has_arrived(head: str, state: str, *, is_arrived: bool) -> None:
    content = f"交易时间,收入金额,备注,{head}\n2026-11-25 09:02:03,1.00,x,{state}\n"
    [row] = read_statement(content.encode()).rows
    assert row.is_arrived is is_arrived


@pytest.mark.parametrize(
    ("day", "clock", "time"),
    [
        ("2026-11-25", "09:02:03", AT),
        ("2026/11/25", "9:02", AT - 3),
        ("2026-11-25", "", None),
        ("20261125", "090203", AT),
        ("20261125", "09:02:03", AT),
        ("2026.11.25", "09:02:03.120", AT),
        ("2026年11月25日", "09:02:03", AT),
        ("20261125090203", "", AT),
        ("20261125 09:02:03", "", AT),
        ("2026-11-25T09:02:03", "20261126", AT),
        ("2026-11-25 09:02:03", "2026-11-25 09:02:04", AT),
        ("２０２６-11-25", "09：02：03", AT),
        ("46351", "0.376423611111", AT),
        ("46351.376423611111", "", AT),
        ("46351", "", None),
        ("26351.5", "", None),
        ("2026-11-25", "9:02 PM", None),
        ("2026-11-25 2026-11-26", "09:02:03", None),
        ("25/11/2026", "09:02:03", None),
        ("20261125", "", None),
        ("", "", None),
        ("2026-02-30", "09:02:03", None),
        ("x", "2026-11-25 09:02:03", None),
    ],
)
def test_the_time_of_two_columns(day: str, clock: str, time: int | None) -> None:
    content = f"记账日期,记账时间,收入金额,备注\n{day},{clock},1.00,x\n"
    [row] = read_statement(content.encode()).rows
    assert row.time == time


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ("转入,一百", Unread.AMOUNT),
        ("转入,1.001", Unread.AMOUNT),
        ('转入,"10,5"', Unread.AMOUNT),
        ("转入,", Unread.AMOUNT),
        ('转入,"1,00"', Unread.AMOUNT),
        ('转入,"1,0000.00"', Unread.AMOUNT),
        ("转入,1.00USD", Unread.AMOUNT),
        ("转入\ufffd,1.00", Unread.LETTERS),
        ("出票,1.00", Unread.SIDE),
        ("debited,1.00", Unread.SIDE),
        ("转入,1E5", Unread.AMOUNT),
        ("入账失败,1.00", Unread.SIDE),
        ("收回,1.00", Unread.SIDE),
        (",1.00", Unread.SIDE),
        ("转入,1.00,x", Unread.CELLS),
        ("转入", Unread.CELLS),
    ],
)
def test_what_is_not_understood_is_counted(cells: str, why: Unread) -> None:
    content = f"日期,方向,金额\n2026-11-25 09:02:03,转入,2.00\n2026-11-25 09:02:03,{cells}\n"
    statement = read_statement(content.encode())
    assert [row.cny_fen for row in statement.rows] == [2_00]
    [unread] = statement.unread
    assert (unread.line, unread.why) == (3, why)
    assert unread.text.startswith("2026-11-25 09:02:03")


@pytest.mark.parametrize("cells", ["转出,1.00", "不计收支,1.00", "转入,0.00"])
def test_other_money_is_no_row(cells: str) -> None:
    content = f"日期,方向,金额\n2026-11-25 09:02:03,{cells}\n共1笔记录\n"
    statement = read_statement(content.encode())
    assert (statement.rows, statement.unread, statement.count) == ((), (), 2)


def test_no_equal_amount_has_arrived_if_one_was_undone() -> None:
    head, row = "日期,方向,金额\n", "2026-11-25 09:02:03,转入,"
    statement = read_statement(f"{head}{row}8.00\n{row}9.00\n{row}-8.00\n".encode())
    assert [(one.cny_fen, one.is_arrived) for one in statement.rows] == [(800, False), (900, True)]
    assert [one.why for one in statement.unread] == [Unread.REVERSED]


def test_an_amount_of_a_file_with_income_is_not_the_one_that_left() -> None:
    content = "日期,交易金额,收入金额,支出金额\n2026-11-25 09:02:03,9.00,,9.00\n"
    statement = read_statement(content.encode())
    assert (statement.rows, statement.unread) == ((), ())
