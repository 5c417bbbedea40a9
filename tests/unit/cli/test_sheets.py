"""One declaration of an answer becomes text, CSV and HTML (issue: the two drifted apart)."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk_cli.language import Language
from orderdesk_cli.plain_text import is_control, minute_text, printable, time_text
from orderdesk_cli.sheets.html import rendered, to_copy, written
from orderdesk_cli.sheets.layout import Cell, View, blocks_of, title_of
from orderdesk_cli.sheets.ledger import BALANCES, REPORT, STATEMENT
from orderdesk_cli.sheets.operators import PROPOSAL, WITHDRAWALS
from orderdesk_cli.sheets.orders import ORDERS as ORDER_LIST
from orderdesk_cli.sheets.sheet import Changes, Facts, Field, Kind, Sheet, Table
from orderdesk_cli.sheets.spreadsheet import csv_lines, heading_line, rows_as_csv
from orderdesk_cli.sheets.text import drawn
from tests.support.csv_cells import CELLS

COLUMNS = [
    Field("order_no", ("order", "订单"), Kind.ORDER),
    Field("status", ("status", "状态"), Kind.WORD),
    Field("cny_amount", ("CNY", "人民币"), Kind.NUMBER),
    Field("merchant_id", ("merchant", "商户"), Kind.MERCHANT),
    Field("createtime", ("created", "创建时间"), Kind.TIME),
    Field("remark", ("remark", "备注")),
    Field("merchant_order_no", ("merchant's number", "商户订单号"), wide=True),
    Field("trader_id", ("trader", "交易员"), Kind.TRADER, wide=True),
]
ORDERS = Sheet([Table(COLUMNS, ("No orders.", "没有订单。"))])
ORDER: dict[str, Any] = {
    "order_no": "B202611231234567890123456",
    "status": "disputed",
    "cny_amount": "1000000.00",
    "merchant_id": "mabcdefghij12",
    "merchant_name": "晨光商城",
    "createtime": 1_795_420_800,
    "remark": "two words",
    "merchant_order_no": "a-rather-long-number-of-the-merchant",
    "trader_id": "tabcdefghij12",
}


def text_of(sheet: Sheet, data: Any, width: int, view: View | None = None) -> str:
    view = view or View()
    return drawn(title_of(sheet, data, view), blocks_of(sheet, data, view), width)


def test_a_table_fits_80_columns_with_whole_order_numbers() -> None:
    lines = text_of(ORDERS, [ORDER] * 3, 80).splitlines()
    assert all(len(line.encode("gbk")) <= 80 for line in lines)  # a Chinese letter has two columns
    assert sum(ORDER["order_no"] in line for line in lines) == 3
    assert "merchant's number" not in lines[0]
    assert "trader" not in lines[0]


def test_what_has_no_column_at_80_columns_is_below_its_row_and_whole() -> None:
    text = text_of(ORDERS, [ORDER, {**ORDER, "merchant_order_no": "x" * 90}], 80)
    below, below_long = [line for line in text.splitlines() if "trader" in line]
    number = ORDER["merchant_order_no"]
    assert below == f"  merchant's number {number} · trader {ORDER['trader_id']}"
    assert below_long == f"  trader {ORDER['trader_id']}"


@pytest.mark.parametrize(
    ("sheet", "row"),
    [
        (
            WITHDRAWALS,
            {
                "proposal_no": "p2026112700000001",
                "status": "open",
                "summary": "Withdraw 125000.000000 USDT of 晨光商城 (mabcdefghij12)",
                "network": "TRON",
                "address": "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
                "proposed_by": "finance-1",
            },
        ),
        (
            ORDER_LIST,
            {
                "number": ORDER["order_no"],
                **{name: ORDER[name] for name in ("status", "cny_amount")},
                "merchant_name": "晨光商城",
                "trader_name": "people-wang",
                "merchant_order_no": "a-rather-long-number-of-the-merchant",
            },
        ),
        (
            STATEMENT,
            {
                "kind": "merchant_buy",
                "account": "available",
                "amount": "-125000.000000",
                "balance": "1125000.000000",
                "order_no": ORDER["order_no"],
            },
        ),
    ],
)
def test_listings_show_what_decides_at_80_columns(sheet: Sheet, row: dict[str, Any]) -> None:
    ids = {"merchant_id": "m", "trader_id": "t"}
    text = text_of(sheet, [{**ids, **row, "createtime": 1, "time": 1}], 80)
    assert all(len(line.encode("gbk")) <= 80 for line in text.splitlines())
    in_one = " ".join(text.split())
    for name, value in row.items():
        assert value in in_one or name == "summary", name


def large_row(table: Table) -> dict[str, Any]:
    """Return a row with a large amount in every column of figures, and an account's id."""
    row: dict[str, Any] = {}
    for column in table.columns:
        *path, name = column.path.split(".")
        place = row
        for part in path:
            place = place.setdefault(part, {})
        is_id = column.kind in {Kind.MERCHANT, Kind.TRADER} or name in {"account", "kind"}
        place[name] = "deposit:m000000000001:live" if is_id else "-12345678.000000"
    return row


@pytest.mark.parametrize("sheet", [BALANCES, REPORT], ids=["balances", "report"])
@pytest.mark.parametrize("language", Language)
def test_large_figures_fit_80_columns_with_whole_ids(sheet: Sheet, language: Language) -> None:
    for table in (part for part in sheet.parts if isinstance(part, Table)):
        text = text_of(Sheet([replace(table, at="")]), [large_row(table)] * 2, 80, View(language))
        assert max(len(line.encode("gbk")) for line in text.splitlines()) <= 80, text
        assert "deposit:m000000000001:live" in text.split()
        figures = [c for c in table.columns if c.kind is Kind.NUMBER]
        assert text.count("-12345678.000000") >= 2 * len(figures)


def test_a_link_and_an_id_are_never_broken() -> None:
    link = f"https://portal.example/portal/invite/{'t' * 80}"
    fields = [Field("invite_url", ("link", "链接")), Field("digest", ("digest", "摘要"), Kind.CODE)]
    text = text_of(Sheet([Facts(fields)]), {"invite_url": link, "digest": "d" * 90}, 80)
    assert {link, "d" * 90} <= {*text.split()}


def test_a_wide_terminal_has_all_columns() -> None:
    text = text_of(ORDERS, [ORDER], 200)
    for value in (ORDER["order_no"], "晨光商城", ORDER["merchant_order_no"], ORDER["trader_id"]):
        assert value in text
    assert "created (+08:00)" in text
    assert minute_text(ORDER["createtime"]) in text


def test_a_wide_column_without_a_value_is_left_out() -> None:
    assert "trader" not in text_of(ORDERS, [{**ORDER, "trader_id": None}], 200)


def test_a_long_text_folds_between_words_and_keeps_its_column() -> None:
    remark = f"晨光 {'word ' * 60}{'x' * 60} end"
    lines = text_of(ORDERS, [{**ORDER, "remark": remark}], 110).splitlines()
    left = len(lines[0].partition("remark")[0])
    folded = [line.encode("gbk")[left:].decode("gbk") for line in lines[1:-1]]
    assert lines[-1].endswith(ORDER["trader_id"])
    assert "".join(folded).replace(" ", "") == remark.replace(" ", "")
    assert max(len(line.encode("gbk")) for line in lines) <= 110
    assert {word for line in folded for word in line.split()} - {"晨光", "word", "end"} == {
        *("x" * (110 - left), "x" * (60 - 110 + left))
    }


def test_only_a_terminal_gets_bold_and_colour() -> None:
    blocks = list(blocks_of(ORDERS, [ORDER], View()))
    assert "\x1b" not in drawn("Title", blocks, 200)
    styled = drawn("Title", blocks, 200, is_styled=True).splitlines()
    assert styled[0] == "\x1b[1mTitle\x1b[0m"
    assert [line.startswith("\x1b[1m") for line in styled] == [True, True, False]


def test_an_empty_list_says_so_in_both_languages() -> None:
    assert text_of(ORDERS, [], 80) == "No orders.\n"
    assert text_of(ORDERS, [], 80, View(Language.ZH)) == "没有订单。\n"


def test_times_are_beijing_time() -> None:
    assert time_text(1_795_420_800) == "2026-11-23 16:00:00 +08:00"
    sheet = Sheet([Facts(COLUMNS)])
    assert "2026-11-23 16:00:00 +08:00" in text_of(sheet, ORDER, 80)


def test_a_name_is_shown_with_its_id_and_found_in_the_views_names() -> None:
    sheet = Sheet([Facts(COLUMNS)])
    assert "晨光商城 (mabcdefghij12)" in text_of(sheet, ORDER, 80)
    named = View(name_of={"tabcdefghij12": "people-wang"}.get)
    assert "people-wang (tabcdefghij12)" in text_of(sheet, ORDER, 80, named)


def test_words_are_translated() -> None:
    assert "争议中" in text_of(ORDERS, [ORDER], 200, View(Language.ZH))


def test_an_object_is_a_table_of_its_keys_and_what_is_absent_is_left_out() -> None:
    sheet = Sheet(
        [
            Table(
                [Field("mode", ("mode", "模式")), Field("held", ("held", "冻结"))],
                key="mode",
                at="x",
            ),
            Table([Field("a", ("a", "a"))], ("Nothing.", "无"), at="absent"),
        ]
    )
    text = text_of(sheet, {"x": {"live": {"held": "1.000000"}, "test": {"held": "2.000000"}}}, 80)
    assert [line.split() for line in text.splitlines()] == [
        ["mode", "held"],
        ["live", "1.000000"],
        ["test", "2.000000"],
    ]


def test_changes_show_each_value_before_and_after() -> None:
    data = {"before": {"rate": "7.2", "min": 1}, "after": {"rate": "8"}}
    lines = text_of(Sheet([Changes()]), data, 80).splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["what", "before", "after"],
        ["rate", "7.2", "8"],
        ["min", "1"],
    ]


def test_csv_has_the_answers_names_and_all_columns() -> None:
    text = heading_line(COLUMNS) + rows_as_csv(COLUMNS, [ORDER])
    [row] = csv.DictReader(io.StringIO(text))
    assert row["order_no"] == ORDER["order_no"]
    assert row["createtime"] == "2026-11-23 16:00:00 +08:00"
    assert row["trader_id"] == ORDER["trader_id"]


@given(st.text(), st.booleans())
def test_no_cell_of_csv_is_a_formula(text: str, is_value: bool) -> None:  # noqa: FBT001 - drawn
    [[cell]] = csv.reader(io.StringIO(csv_lines([[(text, is_value)]]), newline=""))
    is_number = is_value and re.fullmatch(r"-[0-9]+(\.[0-9]+)?", cell)
    assert is_number or not cell.lstrip().startswith(("=", "+", "-", "@"))
    assert not any(is_control(letter) for letter in cell)
    assert cell in {printable(text), f"'{printable(text)}"}


@pytest.mark.parametrize(("text", "as_text", "as_value"), CELLS)
def test_a_spreadsheet_keeps_a_text_of_csv(text: str, as_text: str, as_value: str) -> None:
    [row] = csv.reader(io.StringIO(csv_lines([[(text, False), (text, True)]])))
    assert row == [as_text, as_value]


def test_large_numbers_on_pages_have_separators() -> None:
    texts = ("999.00", "1000000.00", "-1234.500000", "+12345", "1234567 of 2", "")
    shown = [written(Cell(text, Kind.NUMBER)) for text in texts]
    assert shown == ["999.00", "1,000,000.00", "-1,234.500000", "+12,345", "1234567 of 2", ""]
    assert written(Cell("1000000.00", Kind.TEXT)) == "1000000.00"


def test_html_escapes_links_and_copies() -> None:
    hostile = {**ORDER, "remark": "<script>\u202e", "merchant_name": '"><b>'}

    def link_to(cell: Cell) -> str | None:
        return f"/orders/{cell.value}" if cell.kind is Kind.ORDER else None

    html = rendered(blocks_of(ORDERS, [hostile], View()), link_to, "Copy")
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "<b>" not in html
    assert f'<a href="/orders/{ORDER["order_no"]}">' in html
    assert f'data-copy="{ORDER["merchant_id"]}"' in html
    assert f'title="{ORDER["merchant_id"]}"' in html
    assert '<span class="chip chip-disputed">disputed</span>' in html


PAYOUT = {
    "proposal_no": "P202611270000000000000001",
    "command": "withdraw.merchant",
    "target": "mabcdefghijkl",
    "merchant_id": "mabcdefghijkl",
    "merchant_name": "澜海科技",
    "is_test": False,
    "amount": "125000.000000",
    "summary": "Withdraw 125000.000000 USDT to TRC20 T: 澜海科技, merchant:mabcdefghijkl:live",
    "after": {
        "network": "TRC20",
        "address": "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
        "address_added": "2026-11-02T08:00:00Z",
    },
}


@pytest.mark.parametrize(
    ("changes", "english", "chinese"),
    [
        (
            {},
            (
                "Pay 125,000.000000 USDT to 澜海科技 "
                "(TRC20, TXYZ…AeBf, in the address book since 2026-11-02)"
            ),
            "向 澜海科技 支付 125,000.000000 USDT（TRC20，TXYZ…AeBf，地址簿 2026-11-02）",
        ),
        (
            {"command": "fund.merchant", "is_test": True, "after": {}},
            "Credit 125,000.000000 USDT to 澜海科技 (test money)",
            "为 澜海科技 充值 125,000.000000 USDT（测试资金）",
        ),
        (
            {"command": "deposit.release", "merchant_name": None, "after": {}},
            "Release 125,000.000000 USDT of the deposit of mabcdefghijkl",
            "释放 mabcdefghijkl 的保证金 125,000.000000 USDT",
        ),
        (
            {"command": "merchant.set", "amount": None, "summary": "Change min_cny of 澜海科技"},
            "Change min_cny of 澜海科技",
            "修改商户条款：澜海科技",
        ),
    ],
)
def test_a_decision_is_a_sentence_in_both_languages(
    changes: dict[str, Any], english: str, chinese: str
) -> None:
    data = {**PAYOUT, **changes}
    for language, sentence in ((Language.EN, english), (Language.ZH, chinese)):
        (facts, *_) = blocks_of(PROPOSAL, data, View(language))
        assert facts.facts[0][1].text == sentence


@pytest.mark.parametrize(
    ("value", "is_copied"),
    [("mabcdefghijkl", True), ("tqwertyuiopas", True), ("order.paid", False), ("balance", False)],
)
def test_an_id_without_a_digit_has_a_copy_button(value: str, *, is_copied: bool) -> None:
    assert to_copy(Cell(value, Kind.CODE, value)) == (value if is_copied else "")
