"""The files that docs/traders.md lists, in the encodings and formats that people send."""

import zipfile
from collections.abc import Callable
from datetime import datetime
from io import BytesIO

import pytest

from orderdesk.domain.ids import payment_reference
from orderdesk.web.pages.desk import comparison
from orderdesk.web.pages.desk.comparison import PARTS_MAX, UNPACKED_BYTES_MAX
from tests.integration.pages.desk.test_statement import Said, counts_of, send
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
