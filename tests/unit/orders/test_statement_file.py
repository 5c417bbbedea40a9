"""CSV files as banks, Alipay and WeChat export them, and files that are none."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.orders.statement_file import (
    COLUMNS_MAX,
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
    [row] = read_statement(text.replace("\n", ends).encode(encoding))
    assert (row.cny_fen, row.time, row.payer) == (1000_37, AT, "张三")
    assert "210123" in row.remark


def test_a_file_with_tabs_and_marks_of_debit_and_credit() -> None:
    assert read_statement(DEBIT_CREDIT.encode("gb18030")) == [
        StatementRow(1, 1000_37, None, "张三", "210123")
    ]


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
    assert [row.cny_fen for row in read_statement(content.encode())] == [1_00]


HEAD = "日期,金额,备注\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", StatementProblem.MISSING),
        (b" \r\n", StatementProblem.MISSING),
        (b"x" * (FILE_BYTES_MAX + 1), StatementProblem.TOO_LARGE),
        ((HEAD + "x,1,y\n" * ROWS_MAX).encode(), StatementProblem.TOO_LARGE),
        ((HEAD + "," * COLUMNS_MAX).encode(), StatementProblem.TOO_LARGE),
        (b"\xff\xfe\x00", StatementProblem.UNREADABLE),
        (HEAD.encode() + b'"' + b"x" * 200_000, StatementProblem.UNREADABLE),
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
            rows = read_statement(sent)
        except UnfitStatement:
            continue
        assert all(row.cny_fen > 0 for row in rows)


@given(st.text(max_size=30), st.integers(1, 10**9))
def test_amounts_are_exact(text: str, fen: int) -> None:
    amount = f"{fen // 100}.{fen % 100:02d}"
    quoted = text.replace('"', "").replace("\x00", "")
    content = f'日期,金额,备注\n2026-11-25 09:02:03,{amount},"{quoted}"\n'.encode()
    rows = read_statement(content)
    assert [row.cny_fen for row in rows] == [fen]
