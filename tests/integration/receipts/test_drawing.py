"""A drawn receipt is upright and of bounded size, whatever the file contains."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from orderdesk.adapters.drawing import DrawingProcess
from orderdesk.domain.receipts.files import ReceiptProblem, ReceiptType, UnfitReceipt, receipt_type
from orderdesk.web.pages.values import code_picture
from tests.support import receipt_samples as samples
from tests.support.depth import examples
from tests.support.template import ROOT

DRAWING = DrawingProcess(ROOT / "functions" / "render_receipt" / "draw.py")
METADATA = (
    b"Exif",
    samples.MAKER.encode(),
    b"GPS",
    b"ICC_PROFILE",
    b"/JS",
    b"JavaScript",
    b"script",
)


def opened(picture: bytes) -> Image.Image:
    assert not any(mark in picture for mark in METADATA)
    image = Image.open(io.BytesIO(picture), formats=["WEBP"])
    assert not image.getexif()
    image.load()
    return image


def drawn(content: bytes) -> tuple[list[Image.Image], Image.Image]:
    pictures = DRAWING.draw(content, receipt_type(content))
    return [opened(page) for page in pictures.pages], opened(pictures.preview)


def problem_of(content: bytes) -> ReceiptProblem | None:
    try:
        drawn(content)
    except UnfitReceipt as unfit:
        return unfit.problem
    return None


@pytest.mark.parametrize("kind", ReceiptType)
def test_each_type_becomes_pixels(kind: ReceiptType) -> None:
    pages, preview = drawn(samples.RECEIPTS[kind])
    assert len(pages) == 1
    assert max(preview.size) <= 320


def test_a_photograph_is_upright_and_tells_no_place() -> None:
    content = samples.photograph()
    assert b"Exif" in content
    assert samples.MAKER.encode() in content
    ([page], preview) = drawn(content)
    assert (page.size, preview.size) == ((30, 40), (30, 40))
    top, bottom = page.getpixel((15, 5)), page.getpixel((15, 35))
    assert (top, bottom) == ((0, 0, 0), (255, 255, 255)), "its left side is its top"


def test_transparency_is_drawn_on_white() -> None:
    file = io.BytesIO()
    image = Image.new("RGBA", (10, 10), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 3, 3))
    image.save(file, "PNG")
    ([page], _) = drawn(file.getvalue())
    assert page.getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize(
    "content",
    [
        samples.png(40, 30, bits=16),
        samples.png(extra=samples.LONG_TEXT + samples.LONG_PROFILE),
        samples.pdf_without_its_font("付款成功"),
        samples.pdf_without_its_font("付款成功", b"GBK-EUC-H"),
        samples.pdf_with_field(b"Tx"),
        samples.pdf_with_field(b"Sig"),
        b"\r\n" * 509 + samples.pdf(),
    ],
    ids=["16 bits", "chunks", "font", "gbk font", "field", "seal", "bytes before"],
)
def test_what_the_payers_viewer_shows_is_drawn(content: bytes) -> None:
    """Each has dark and light parts; none of them came out as they are."""
    ([page], _) = drawn(content)
    greys = page.convert("L").tobytes()
    assert min(greys) < 64
    assert max(greys) > 96


def test_sixteen_bits_are_the_same_greys_as_eight() -> None:
    (([eight], _), ([sixteen], _)) = (drawn(samples.png(40, 30, bits=bits)) for bits in (8, 16))
    assert eight.tobytes() == sixteen.tobytes()


@pytest.mark.parametrize(
    "content",
    [
        samples.BLANK_PDF,
        samples.png(40, 30, pixels=(b"\0" + b"\x80" * 40) * 30),
        samples.png(400, 300, pixels=(b"\0" + b"\x80" * 399 + b"\x90") * 300),
    ],
    ids=["document", "grey", "nearly grey"],
)
def test_a_blank_picture_is_refused(content: bytes) -> None:
    assert problem_of(content) is ReceiptProblem.BLANK


def test_an_animation_is_its_first_frame() -> None:
    ([page], _) = drawn(samples.animation())
    assert not getattr(page, "is_animated", False)
    assert page.getpixel((35, 15)) != (254, 0, 0)


@pytest.mark.parametrize("size", [(7000, 7000), (30000, 100), (10, 40000)])
def test_a_large_picture_is_drawn_smaller(size: tuple[int, int]) -> None:
    ([page], preview) = drawn(samples.drawn("PNG", *size))
    assert page.width * page.height <= 4_000_000
    assert max(page.size) <= 16_000
    assert max(preview.size) <= 320


def test_only_the_first_pages_of_a_document_are_drawn() -> None:
    pages, _ = drawn(samples.pdf(7))
    assert len(pages) == 5


@pytest.mark.parametrize("size", [(10**9, 10**9), (10_000, 10_001), (100, 8_000_007)])
def test_a_huge_page_is_drawn_small(size: tuple[int, int]) -> None:
    ([page], _) = drawn(samples.pdf(size=size))
    assert page.width * page.height <= 4_000_000
    assert max(page.size) <= 16_000


@pytest.mark.parametrize(
    "content", [samples.pdf_with_hidden_script(), samples.png() + samples.HTML]
)
def test_a_hidden_script_is_not_in_the_picture(content: bytes) -> None:
    pages, _ = drawn(content)
    assert len(pages) == 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (samples.png(20, 20)[:-30], ReceiptProblem.DAMAGED),
        (samples.png(7000, 7000, pixels=b"\0"), ReceiptProblem.DAMAGED),
        (samples.drawn("JPEG")[:-200], ReceiptProblem.DAMAGED),
        (b"%PDF-1.7 and no more", ReceiptProblem.DAMAGED),
        (samples.pdf(0), ReceiptProblem.DAMAGED),
        (samples.png(30_000, 30_000, pixels=b""), ReceiptProblem.TOO_COMPLEX),
        (samples.pdf_that_never_ends(), ReceiptProblem.TOO_COMPLEX),
    ],
    ids=["cut off", "lies", "cut jpeg", "no pdf", "no page", "bomb", "endless"],
)
def test_what_cannot_be_drawn_is_refused(content: bytes, problem: ReceiptProblem) -> None:
    assert problem_of(content) is problem


@settings(
    max_examples=examples(full=20), suppress_health_check=[HealthCheck.too_slow], deadline=None
)
@given(kind=st.sampled_from(ReceiptType), at=st.integers(0, 5000), new=st.binary(max_size=8))
def test_any_bytes_are_drawn_or_refused(kind: ReceiptType, at: int, new: bytes) -> None:
    content = samples.RECEIPTS[kind]
    at %= len(content)
    changed = content[:at] + new + content[at + len(new) :]
    try:
        kind = receipt_type(changed)
    except UnfitReceipt:
        return
    assert problem_of(changed) in {
        *(None, ReceiptProblem.BLANK),
        *(ReceiptProblem.DAMAGED, ReceiptProblem.TOO_COMPLEX),
    }


def code_in(content: bytes) -> str:
    return DRAWING.read_code(content, receipt_type(content))


def picture_of(*texts: str) -> bytes:
    codes = [Image.open(io.BytesIO(code_picture(text))).convert("L") for text in texts]
    whole = Image.new("L", (sum(code.width for code in codes), codes[0].height), 255)
    for at, code in enumerate(codes):
        whole.paste(code, (at * code.width, 0))
    file = io.BytesIO()
    whole.save(file, "JPEG", quality=60)
    return file.getvalue()


@pytest.mark.parametrize("text", ["wxp://f2f0abc", "https://qr.alipay.com/fkx1", "收款 00020101"])
def test_the_code_of_a_picture_is_read(text: str) -> None:
    assert code_in(picture_of(text)) == text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (samples.png(40, 40), ReceiptProblem.NO_CODE),
        (picture_of("wxp://one", "wxp://two"), ReceiptProblem.SEVERAL_CODES),
        (picture_of("wxp://one")[:-300], ReceiptProblem.DAMAGED),
        (samples.png(30_000, 30_000, pixels=b""), ReceiptProblem.TOO_COMPLEX),
    ],
    ids=["none", "two", "cut off", "bomb"],
)
def test_a_picture_without_one_code_is_refused(content: bytes, problem: ReceiptProblem) -> None:
    with pytest.raises(UnfitReceipt) as refused:
        code_in(content)
    assert refused.value.problem is problem
