"""A statement's file beside the open buys: evidence, doubts, refusals, and what is kept of it."""

import json
import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from typing import NamedTuple

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import payment_reference, time_ordered_id
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.statement_file import StatementProblem
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk import comparison
from orderdesk.web.pages.desk.comparison import PARTS_MAX, UNPACKED_BYTES_MAX
from orderdesk.web.pages.desk.comparison_texts import StatementTexts
from orderdesk.web.pages.texts import Language
from tests.support.orders import NAMED, desk_order
from tests.support.statement_samples import (
    DAY,
    ICBC,
    PAYER,
    REMARK,
    WECHAT,
    cells_of,
    samples,
    text_of,
    workbook_of,
)
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE, Answer
from tests.support.world import World

STATEMENT = "/trader/statement"
KIND = {"Content-Type": "multipart/form-data; boundary=----x"}
HEAD = "交易时间,对方户名,收入金额,附言"


def send(trader: TraderVisit, content: bytes, **headers: str) -> Answer:
    """Send the page's form with a file, as a browser does."""
    frame = b'------x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
    body = frame + b"Content-Type: text/csv\r\n\r\n" + content + b"\r\n------x--\r\n"
    whole = {**OWN_PAGE, **KIND, **headers}
    return trader.send("POST", STATEMENT, query={"lang": "zh"}, headers=whole, body=body)


class Said(NamedTuple):
    """The counts that the page shows below its form."""

    sure: int = 0
    doubtful: int = 0
    unmatched: int = 0
    unread: int = 0
    others: int = 0
    wrong: int = 0


def counts_of(page: Answer) -> Said:
    """Return the page's counts, which add up to the rows of the file."""
    assert page["statusCode"] == 200
    [result] = re.findall(r'<h1 id="result">共 (.*)</h1>', page["body"])
    count, sure, doubtful, wrong, *kinds = map(int, re.findall("[0-9]+", result))
    assert count == sure + doubtful + wrong + sum(kinds)
    return Said(sure, doubtful, *kinds)._replace(wrong=wrong)


def csv_of(*rows: str) -> bytes:
    return "\r\n".join((HEAD, *rows)).encode("gb18030")


def test_a_part_without_a_files_name_is_read(trader: TraderVisit) -> None:
    row, headers = csv_of("2026-11-21 10:00,王小明,1000.00,"), {**OWN_PAGE, **KIND}
    body = b'------x\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + row
    body += b"\r\n------x--\r\n"
    page = trader.send("POST", STATEMENT, query={"lang": "zh"}, headers=headers, body=body)
    assert counts_of(page) == counts_of(send(trader, row))


def test_rows_stand_beside_their_orders_and_one_tap_confirms(
    trader: TraderVisit, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = trader.buy(), trader.buy(cny_amount="500")
    assert 'href="statement"' in trader.get("/trader/orders")["body"]
    form = trader.get(STATEMENT, lang="zh")["body"]
    assert 'enctype="multipart/form-data"' in form
    remark = payment_reference(first.order_no)
    content = csv_of(
        f"2099-11-25 09:02:03,赵钱孙,1000.37,{remark}",
        "2099-11-25 09:02:04,周吴郑,500.00,",
        "2099-11-25 09:02:05,冯陈褚,7.00,888888",
    )
    page = send(trader, content)
    assert page["statusCode"] == 200
    assert counts_of(page) == Said(sure=1, doubtful=1, unmatched=1)
    assert re.findall(r'action="(orders/\w+/confirm)\?only=1&amp;lang=zh"', page["body"]) == [
        f"orders/{first.order_no}/confirm"
    ]
    assert "付款人和备注均无法核对" in page["body"]
    assert f'href="orders/{second.order_no}?lang=zh"' in page["body"]
    assert "付款人：冯陈褚 · 备注：888888" in page["body"]
    assert trader.order(first.order_no).version == 1, "nothing confirms itself"
    assert trader.move(first.order_no, "confirm") == 303
    said = capsys.readouterr()
    names = (world.tables.orders, world.tables.guards, world.tables.traders, world.tables.audit)
    kept = json.dumps([world.items(name) for name in names], ensure_ascii=False, default=str)
    for text in ("赵钱孙", "周吴郑", "冯陈褚", "888888"):
        assert text not in said.out + said.err
        assert text not in kept


def test_the_days_volume_and_margin_are_on_the_page(trader: TraderVisit, world: World) -> None:
    """The margin is that of the USDT that was both sold and bought today."""
    page = trader.get(STATEMENT, lang="en")["body"]
    assert "Completed today" in page
    assert "Margin" not in page
    now, own = int(time.time()), {"trader_id": trader.trader.trader_id}
    for number, (side, fen, micro) in enumerate(
        [(OrderType.BUY, 1500_00, 200_000_000), (OrderType.SELL, 700_00, 100_000_000)]
    ):
        order = desk_order(side, OrderStatus.COMPLETED, now, fen=fen, **own)
        quote = replace(order.quote, trader_micro=micro)
        order_id = time_ordered_id(now * 1000, number)
        world.put("Orders", order_item(replace(order, order_id=order_id, quote=quote)))
    for page in (trader.get(STATEMENT)["body"], send(trader, csv_of())["body"]):
        text = re.sub(r"\s|<[^>]*>", "", page)
        for figure in ("1×¥1,500.00", "1×¥700.00", "¥50.00"):
            assert f"{figure}" in text


def test_a_match_without_the_orders_remark_is_confirmed_on_its_page_only(
    trader: TraderVisit, world: World
) -> None:
    order = replace(trader.buy(), identity=NAMED)
    world.put("Orders", order_item(order))
    page = send(trader, csv_of("2099-11-25 09:02:03,张三,1000.37,"))
    assert counts_of(page) == Said(sure=1)
    assert "/confirm" not in page["body"], "the payer's earlier, equal payment looks the same"
    assert f'href="orders/{order.order_no}?lang=zh">查看并核对' in page["body"]


COLUMNS = "记账日期,记账时间,收/支,金额(元),币种,对方户名,备注,当前状态"
FITS = "2099-11-25,09:02:03,收入,¥1000.37,人民币,甲,{remark},已收钱"
SURE, DOUBTFUL, NONE, UNREAD, OTHER, WRONG = (Said(*(n == at for n in range(6))) for at in range(6))


@pytest.mark.parametrize(
    ("part", "instead", "counts", "why"),
    [
        ("", "", SURE, ""),
        ("{remark}", "ref {full width}", SURE, ""),
        ("已收钱", "处理中", DOUBTFUL, "流水未表明款项已到账"),
        ("09:02:03", "", DOUBTFUL, "无法识别付款时间"),
        ("2099", "2020", DOUBTFUL, "付款时间早于订单创建时间"),
        ("{remark}", "999999", DOUBTFUL, "备注中的数字不符"),
        ("¥1000.37", "¥1000.00", WRONG, "备注与此订单一致，金额不符："),
        ("¥1000.37", "¥1000.38", WRONG, "多 ¥0.01"),
        ("¥1000.37,人民币,甲,{remark}", "¥999.50,人民币,甲,", NONE, "少 ¥0.87"),
        ("¥1000.37", "¥1.00,{remark},已收钱", UNREAD, "列数与表头不一致"),
        ("甲", "甲\ufffd", UNREAD, "含无法识别的字符"),
        ("收入", "收回", UNREAD, "无法判断是否为入账"),
        ("人民币", "USD", UNREAD, "币种不是人民币"),
        ("¥1000.37", "¥1000.370", UNREAD, "无法识别金额"),
        ("¥1000.37", "-1000.37", UNREAD, "冲销了一笔已入账的款项"),
        ("收入", "支出", OTHER, ""),
    ],
)
def test_one_change_to_a_row_that_fits(
    trader: TraderVisit, part: str, instead: str, counts: Said, why: str
) -> None:
    """Only what is understood as the payment of the order can be confirmed here."""
    remark = payment_reference(trader.buy().order_no)
    wide = remark.translate({ord(digit): 0xFEE0 + ord(digit) for digit in remark})
    row = FITS.replace(part, instead, 1) if part else FITS
    row = row.replace("{remark}", remark).replace("{full width}", wide)
    page = send(trader, f"{COLUMNS}\r\n{row}\r\n".encode())
    assert counts_of(page) == counts
    assert ("/confirm" in page["body"]) is (counts == SURE)
    assert why in page["body"]


def test_the_nearest_order_is_named(trader: TraderVisit) -> None:
    """By its remark, its verified payer, or an amount that differs by at most ¥1.00."""
    order = trader.buy(cny_amount="10099.50")
    remark = payment_reference(order.order_no)
    page = send(
        trader,
        csv_of(
            "2099-11-25 09:02:03,李雷,7.00,",
            "2099-11-25 09:02:03,李雷,10099.00,",
            f"2099-11-25 09:02:03,李雷,1009.90,{remark}",
        ),
    )
    assert counts_of(page) == Said(wrong=1, unmatched=2)
    assert re.findall("[多少] ¥[0-9,.]+", page["body"]) == ["少 ¥9,089.60", "少 ¥0.50"]
    assert page["body"].index("备注与此订单一致，金额不符") < page["body"].index("与此订单金额接近")
    assert page["body"].count(f'href="orders/{order.order_no}?lang=zh"') == 2


def test_the_first_unread_rows_are_shown(trader: TraderVisit) -> None:
    page = send(trader, "\r\n".join([COLUMNS, *[f"{FITS},\u202e<b>"] * 21]).encode())
    assert counts_of(page) == Said(unread=21)
    assert "无法识别（21 行）" in page["body"]
    assert page["body"].count("列数与表头不一致") == 20
    assert "\ufffd&lt;b&gt;" in page["body"]


def test_another_traders_orders_are_not_compared(trader: TraderVisit, world: World) -> None:
    order = trader.buy()
    other = TraderVisit.of_new_trader(world, online=False)
    remark = payment_reference(order.order_no)
    page = send(other, csv_of(f"2099-11-25 09:02:03,张三,1000.37,{remark}"))
    assert counts_of(page) == Said(unmatched=1)
    assert order.order_no not in page["body"]


def test_other_files_and_forms_are_refused(trader: TraderVisit) -> None:
    t = StatementTexts(Language.ZH).problems
    for content, problem in (
        (b"", StatementProblem.MISSING),
        (b"%PDF-1.7", StatementProblem.NO_HEAD),
    ):
        refused = send(trader, content)
        assert refused["statusCode"] == 422
        assert t[problem] in refused["body"]
    large = send(trader, HEAD.encode() + b"\n" * (2 * 1024 * 1024))
    assert large["statusCode"] == 422
    assert send(trader, b"x", **{"Content-Type": "text/csv"})["statusCode"] == 400
    other = {"Content-Type": "multipart/form-data; boundary=other"}
    assert send(trader, b"x", **other)["statusCode"] == 400
    long_head = b"\r\n------x\r\n" + b"content-disposition:" * 16_000 + b"\r\n\r\nx"
    assert send(trader, HEAD.encode() + long_head)["statusCode"] == 400
    kind = "multipart/form-data"
    for header in (kind, f"{kind}; boundary=", f"{kind}; boundary=é"):
        assert send(trader, b"x", **{"Content-Type": header})["statusCode"] == 400
    foreign = send(trader, b"x", **{"Sec-Fetch-Site": "cross-site"})
    assert foreign["statusCode"] == 403


SAMPLES = samples()


def own(trader: TraderVisit, text: str) -> str:
    """Return a sample as the payment of a new order of its amount."""
    return text.replace(DAY, "2099").replace(REMARK, payment_reference(trader.buy().order_no))


@pytest.mark.parametrize("source", SAMPLES)
def test_each_listed_sample_is_read(trader: TraderVisit, source: str) -> None:
    page = send(trader, own(trader, SAMPLES[source]).encode("gb18030"))
    counts = counts_of(page)
    assert (counts.sure, counts.doubtful) == ((0, 1) if source == ICBC else (1, 0))
    assert (counts.unmatched, counts.unread) == (0, 0)
    assert ("/confirm" in page["body"]) is (source != ICBC)
    assert ("无法识别付款时间" in page["body"]) is (source == ICBC)


def with_tabs(text: str) -> bytes:
    """Return what Excel saves as "Unicode text"."""
    return text_of(cells_of(text)).replace(",", "\t").encode("utf-16")


def with_a_broken_row(text: str) -> bytes:
    """Return a file whose last row, a stranger's, has half a character."""
    row = text.splitlines()[-1].replace(PAYER, "李?四")
    return f"{text.rstrip()}\n{row}\n".encode("gb18030").replace(b"?", b"\xff")


def as_workbook(text: str) -> bytes:
    """Return WeChat's workbook, which has amounts and times as such."""
    *above, row = cells_of(text)
    time = datetime.fromisoformat(row[0])
    return workbook_of([*above, [time, *row[1:5], float(row[5].removeprefix("¥")), *row[6:]]])


@pytest.mark.parametrize(
    ("source", "form", "counts"),
    [
        (WECHAT, with_tabs, Said(sure=1)),
        (WECHAT, with_a_broken_row, Said(sure=1, unread=1)),
        (WECHAT, as_workbook, Said(sure=1)),
        (WECHAT, lambda text: workbook_of(cells_of(text)), Said(sure=1)),
        (WECHAT, lambda text: text.replace("¥1000.37", "1000.37元").encode(), Said(sure=1)),
        (WECHAT, lambda text: text.replace("1000.37", "1,000.37").encode(), Said(unread=1)),
        (ICBC, lambda text: workbook_of(cells_of(text)), Said(doubtful=1)),
    ],
)
def test_other_formats_of_a_sample(
    trader: TraderVisit, source: str, form: Callable[[str], bytes], counts: Said
) -> None:
    assert counts_of(send(trader, form(own(trader, SAMPLES[source])))) == counts


def test_a_workbook_is_read_strictly_and_whole(trader: TraderVisit) -> None:
    """More cells than the head, a formula without a stored value, and rows of further sheets."""
    *above, row = cells_of(own(trader, SAMPLES[WECHAT]))
    rows = [*above, [*row, "x"], [*row[:5], "=1000.37", *row[6:]]]
    assert counts_of(send(trader, workbook_of(rows))) == Said(unread=2)


def packed(
    name: str, content: bytes, *, copies: int = 1, kind: int = zipfile.ZIP_DEFLATED
) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w", kind) as archive:
        for number in range(copies):
            archive.writestr(f"{name}{number}", content)
    return written.getvalue()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (packed("x", b"0" * (UNPACKED_BYTES_MAX + 1)), "文件过大"),
        (packed("x", b"", copies=PARTS_MAX + 1), "文件过大"),
        (workbook_of([["金额", "时间"]], far=20_001), "文件过大"),
        (packed("x", b"0", kind=zipfile.ZIP_BZIP2), "无法读取文件"),
        (packed("流水.csv", b"0"), "无法读取文件"),
        (b"PK\x03\x04", "无法读取文件"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "无法读取文件"),
        (workbook_of([["a", "b"]]), "未找到表头"),
    ],
)
def test_other_workbooks_are_refused(trader: TraderVisit, content: bytes, problem: str) -> None:
    refused = send(trader, content)
    assert refused["statusCode"] == 422
    assert problem in refused["body"]


def test_the_cells_of_a_workbook_are_bounded(
    trader: TraderVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = workbook_of(cells_of(SAMPLES[WECHAT]))
    for most, status in ((23, 200), (22, 422)):
        monkeypatch.setattr(comparison, "CELLS_MAX", most)
        assert send(trader, content)["statusCode"] == status
