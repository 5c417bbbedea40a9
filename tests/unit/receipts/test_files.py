"""What counts as a receipt: whole pictures and documents, and nothing that is more than that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.receipts.files import (
    MAX_BYTES,
    ReceiptProblem,
    ReceiptType,
    UnfitReceipt,
    receipt_type,
)
from tests.support import receipt_samples as samples

KINDS = st.sampled_from(list(ReceiptType))


def problem_of(content: bytes) -> ReceiptProblem | None:
    try:
        receipt_type(content)
    except UnfitReceipt as unfit:
        return unfit.problem
    return None


@pytest.mark.parametrize("kind", ReceiptType)
def test_each_type_is_known_by_its_bytes(kind: ReceiptType) -> None:
    assert receipt_type(samples.RECEIPTS[kind]) is kind


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", ReceiptProblem.EMPTY),
        (b"GIF89a", ReceiptProblem.WRONG_TYPE),
        (samples.HTML, ReceiptProblem.WRONG_TYPE),
        (samples.archive(), ReceiptProblem.WRONG_TYPE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", ReceiptProblem.WRONG_TYPE),
        (b"\n" + samples.pdf(), ReceiptProblem.WRONG_TYPE),
        (b"\x89PNG\r\n\x1a\n", ReceiptProblem.DAMAGED),
        (b"\xff\xd8\xff", ReceiptProblem.DAMAGED),
        (b"RIFF\x04\0\0\0WAVE", ReceiptProblem.DAMAGED),
        (b"RIFF\x04\0\0\0WEBP", ReceiptProblem.DAMAGED),
        (b"%PDF-9.9\n%%EOF", ReceiptProblem.DAMAGED),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MAX_BYTES, ReceiptProblem.TOO_LARGE),
    ],
)
def test_what_is_none_of_them(content: bytes, problem: ReceiptProblem) -> None:
    assert problem_of(content) is problem


@pytest.mark.parametrize(
    "content",
    [
        samples.png(samples.chunk(b"tEXt", b"Comment\0" + samples.HTML)),
        samples.png(data=b"<SCRIPT >alert(1)"),
        samples.jpeg(samples.segment(0xFE, b"<?php system('id'); ?>")),
        samples.jpeg(scan=b"<!DOCTYPE   html>"),
        samples.webp(b"<iframe src=x>"),
        samples.png(samples.chunk(b"tEXt", samples.archive())),
        samples.jpeg(samples.segment(0xFE, samples.archive())),
        samples.jpeg(after=samples.archive() + b"SEFT"),
        samples.pdf(b"/OpenAction << /S /JavaScript /JS (app.alert(1)) >>"),
        samples.pdf(b"/AA << /O << /S /J#61vaScript >> >>"),
        samples.pdf(b"/A << /S /Launch /F (calc.exe) >>"),
        samples.pdf(b"/Names << /EmbeddedFiles 3 0 R >>"),
        samples.pdf(b"/AcroForm << /XFA 4 0 R >>"),
        samples.pdf(extra=samples.objects_stream(b"3 0 << /S /JavaScript /JS (x) >>")),
        samples.pdf(extra=samples.objects_stream(b"a" * (2 * 1024 * 1024))),
        samples.pdf(extra=b"2 0 obj\n(" + samples.HTML + b")\nendobj\n"),
    ],
)
def test_what_is_a_receipt_and_something_else_too(content: bytes) -> None:
    assert problem_of(content) is ReceiptProblem.UNSAFE


@pytest.mark.parametrize("after", [samples.HTML, samples.archive(), b"x"])
@pytest.mark.parametrize("kind", ReceiptType)
def test_nothing_may_follow_the_end(kind: ReceiptType, after: bytes) -> None:
    assert problem_of(samples.RECEIPTS[kind] + after) is ReceiptProblem.DAMAGED


@pytest.mark.parametrize(
    "content",
    [
        samples.jpeg(after=b"\0" * 32),
        samples.jpeg(after=b"\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1700000000000SEFHl\0\0\0SEFT"),
        samples.jpeg(scan=b"\x01", after=samples.jpeg()),
        samples.jpeg(samples.segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>")),
        samples.png(samples.chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>")),
        samples.pdf(b"/Type /Catalog /OpenAction [1 0 R /Fit] /JSFont 1", after=b"\r\n\r\n"),
        samples.pdf(extra=samples.objects_stream(b"3 0 << /Type /Page >>")),
        samples.pdf(
            extra=b"2 0 obj\n<< /Length 9 >>\nstream\n/JS /XFA \nendstream\nendobj\n",
        ),
    ],
)
def test_what_phones_and_banks_really_write_passes(content: bytes) -> None:
    assert problem_of(content) is None


@given(KINDS, st.data())
def test_no_part_of_a_receipt_is_one(kind: ReceiptType, data: st.DataObject) -> None:
    whole = samples.RECEIPTS[kind]
    kept = data.draw(st.integers(0, len(whole) - 2))
    assert problem_of(whole[:kept]) is not None


@given(st.binary(max_size=400), KINDS)
def test_any_bytes_have_an_answer(content: bytes, kind: ReceiptType) -> None:
    whole = samples.RECEIPTS[kind]
    for tried in (content, whole[:8] + content, whole + content, whole[:-8] + content + whole[-8:]):
        assert problem_of(tried) is None or problem_of(tried) in ReceiptProblem


@given(st.binary(min_size=1, max_size=200), st.integers(0, 2**32))
def test_a_png_with_any_byte_changed_is_damaged(noise: bytes, at: int) -> None:
    whole = bytearray(samples.png(samples.chunk(b"tEXt", noise)))
    at = 8 + at % (len(whole) - 8)
    whole[at] ^= 0x01
    assert problem_of(bytes(whole)) is not None


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_no_page_hides_in_a_picture(before: bytes, after: bytes) -> None:
    hidden = before + b"<html><body>" + after
    assert problem_of(samples.png(samples.chunk(b"tEXt", hidden))) is ReceiptProblem.UNSAFE
    assert problem_of(samples.jpeg(samples.segment(0xFE, hidden))) is ReceiptProblem.UNSAFE


def test_the_largest_pictures_are_looked_at_quickly() -> None:
    filler = bytes(range(256)) * (MAX_BYTES // 256 - 8)
    assert problem_of(samples.png(data=filler)) is None
    assert problem_of(samples.jpeg(scan=filler.replace(b"\xff", b"\0"))) is None


@pytest.mark.parametrize(
    "part",
    [
        b"<<",
        b">>",
        b"stream\n",
        b"<< /A (",
        b">>stream\n",
        b">>stream\nendstream",
        b"/ObjStm>>stream\nendstream",
        b"/J",
        b"%%EOF",
        b"#4",
        b"#41",
        b"<!doctype ",
    ],
)
def test_no_document_makes_the_check_slow(part: bytes) -> None:
    filler = part * ((MAX_BYTES - 100) // len(part))
    problem_of(samples.pdf(extra=filler))
