"""Damaged receipts: changed bytes, wrong parts with valid checksums, two files in one."""

import io
import re
import struct

from hypothesis import strategies as st
from PIL import Image

from tests.support import receipt_samples as samples


def _other_pictures() -> list[bytes]:
    """Return a picture of each kind for which the decoders have separate code."""
    return [
        samples.drawn("PNG", interlace=1),
        _converted("PNG", "P"),
        _converted("PNG", "I;16"),
        _converted("PNG", "LA"),
        _converted("PNG", "1"),
        samples.drawn("JPEG", progressive=True),
        _converted("JPEG", "CMYK"),
        _converted("JPEG", "L"),
        samples.drawn("WEBP", lossless=True),
        _converted("WEBP", "RGBA"),
    ]


def _converted(form: str, mode: str) -> bytes:
    image: Image.Image = Image.open(io.BytesIO(samples.drawn("PNG", 12, 9)))
    file = io.BytesIO()
    if mode == "I;16":  # the whole range of 16 bits, or it would be nearly black
        image = image.convert("L").convert("I").point(lambda value: value * 257)
    image.convert(mode).save(file, form)
    return file.getvalue()


def _written_pdf() -> bytes:
    """Return a document with a picture and a cross-reference table."""
    file = io.BytesIO()
    Image.open(io.BytesIO(samples.drawn("PNG"))).convert("RGB").save(file, "PDF")
    return file.getvalue()


WHOLE = [
    *samples.RECEIPTS.values(),
    *_other_pictures(),
    samples.photograph(),
    samples.animation(),
    samples.pdf(3),
    samples.pdf_with_hidden_script(),
    _written_pdf(),
]
# The bytes of the type stay unchanged; otherwise the file is refused before it is drawn.
_KEPT = 8
_SPECIAL = [b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xff"]
_NUMBERS = [b"0", b"-1", b"1e9", b"2147483648", b"99999999999999999999", b"0.0000001", b"null"]
_NUMBER = re.compile(rb"\d+")
_PNG_CHUNKS = [b"IHDR", b"PLTE", b"IDAT", b"tRNS", b"iCCP", b"zTXt", b"eXIf", b"acTL", b"fdAT"]

_wholes = st.sampled_from(WHOLE)


@st.composite
def _with_bytes_changed(draw: st.DrawFn) -> bytes:
    content = bytearray(draw(_wholes))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(min(_KEPT, len(content)), len(content)))
        new = draw(st.binary(max_size=6) | st.sampled_from(_SPECIAL))
        kept = at + draw(st.sampled_from([0, len(new), len(new), 1, 16, 400]))
        content[at:kept] = new
    return bytes(content)


@st.composite
def _two_in_one(draw: st.DrawFn) -> bytes:
    first, second = draw(_wholes), draw(_wholes)
    return (
        first[: draw(st.integers(_KEPT, len(first)))] + second[draw(st.integers(0, len(second))) :]
    )


@st.composite
def _png_of_wrong_chunks(draw: st.DrawFn) -> bytes:
    """Draw chunks with valid checksums."""
    width, height = (draw(st.sampled_from([0, 1, 7, 40, 5_000, 52_001, 2**31 - 1])) for _ in "wh")
    depth, colour = draw(st.sampled_from([1, 2, 8, 16, 3])), draw(st.integers(0, 7))
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, draw(st.integers(0, 2)))
    chunks = [samples.chunk(b"IHDR", header)]
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(_PNG_CHUNKS))
        chunks.append(samples.chunk(kind, draw(st.binary(max_size=60))))
    pixels = samples.png(40, 30)[8 + 25 :]  # after the signature and the header
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + draw(st.sampled_from([pixels, b""]))


@st.composite
def _pdf_of_wrong_numbers(draw: st.DrawFn) -> bytes:
    content = draw(
        st.sampled_from([samples.pdf(2), samples.pdf_with_hidden_script(), _written_pdf()])
    )
    for _ in range(draw(st.integers(1, 4))):
        places = [match.span() for match in _NUMBER.finditer(content, _KEPT)]
        start, end = draw(st.sampled_from(places))
        content = content[:start] + draw(st.sampled_from(_NUMBERS)) + content[end:]
    return content


damaged_files = st.one_of(
    _with_bytes_changed(), _two_in_one(), _png_of_wrong_chunks(), _pdf_of_wrong_numbers()
)
