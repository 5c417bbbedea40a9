"""Draw a receipt's pages as pictures: `python draw.py TYPE < file > pictures.json`.

With `python draw.py TYPE code` read the payment code that a picture shows: `{"text": …}`.

Decoders are large C libraries and the file is untrusted, so this runs in a separate process, which
limits its own CPU time and memory before it reads the file. Exceeding a limit ends only this
process.

Standard output is JSON: `pages` and `preview`, each picture as base64 of a WebP. Output of the
libraries goes to standard error. The pictures contain only pixels: no metadata, no animation, no
active content. The exit status is 0, or one of those below.
"""

import base64
import io
import json
import math
import os
import resource
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

CPU_SECONDS_MAX = 6
MEMORY_BYTES_MAX = 1024**3

DAMAGED = 10
BEYOND_BOUNDS = 11
NO_CODE = 12
SEVERAL_CODES = 13
BLANK = 14

PAGES_MAX = 5
# A phone's largest photograph has 50 million pixels.
HEADER_PIXELS_MAX = 52_000_000
PAGE_PIXELS_MAX = 4_000_000
SIDE_PIXELS_MAX = 16_000
DOCUMENT_SCALE = 150 / 72  # a PDF's unit is 1/72 inch: 150 pixels an inch
PREVIEW_SIDE = 320
PAGE_QUALITY, PREVIEW_QUALITY = 80, 75
# A screenshot takes as long as a JPEG does, and has 40 % of its size. A higher method takes longer.
METHOD = 2

DOCUMENT = "application/pdf"
# Lambda has no fonts, and Chinese documents often rely on the viewer's.
FONTS = Path(__file__).with_name("fonts")
PNG_START = 8
# The chunks of a PNG that are drawn. Others may hold megabytes of text or of a colour profile.
PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"eXIf"}
# A page is blank if fewer than 1 in 10,000 pixels differ clearly from the most frequent brightness.
CONTRAST_MIN = 24
BLANK_SHARE = 10_000
FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}


def bound() -> None:
    """Set CPU, memory and file-size rlimits; no file may be written."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep_output() -> int:
    """Redirect standard output to standard error; return a descriptor of the original."""
    output = os.dup(1)
    os.dup2(2, 1)
    return output


if __name__ == "__main__":
    bound()
    OUTPUT = keep_output()

from PIL import Image, ImageOps  # noqa: E402 - only after `bound`

Image.MAX_IMAGE_PIXELS = None  # HEADER_PIXELS_MAX is used instead


class BeyondBounds(Exception):
    """The header declares more pixels than are drawn."""


class NoCode(Exception):
    """The picture shows no QR code."""


class SeveralCodes(Exception):
    """The picture shows different QR codes."""


class Blank(Exception):
    """No page shows anything."""


STATUSES: dict[type[Exception], int] = {
    BeyondBounds: BEYOND_BOUNDS,
    MemoryError: BEYOND_BOUNDS,
    NoCode: NO_CODE,
    SeveralCodes: SEVERAL_CODES,
    Blank: BLANK,
}


def main(output: int, media_type: str, purpose: str = "pages") -> int:
    """Decode standard input, write the result to a file descriptor; return the exit status."""
    decoded = code_of if purpose == "code" else drawn
    try:
        answer = decoded(sys.stdin.buffer.read(), media_type)
    except Exception as problem:  # noqa: BLE001 - decoders do not document their exceptions
        return STATUSES.get(type(problem), DAMAGED)
    with os.fdopen(output, "w") as answers:
        answers.write(answer)
    return 0


def drawn(content: bytes, media_type: str) -> str:
    """Return the JSON for a file. Raises: BeyondBounds, Blank, any exception of the decoders."""
    pages = list(pages_of(content, media_type))
    if pages and all(map(is_blank, pages)):
        raise Blank
    encoded = [webp(page, PAGE_QUALITY) for page in pages]
    return json.dumps({"pages": encoded, "preview": preview(pages[0])})


def code_of(content: bytes, media_type: str) -> str:
    """Return the JSON for a picture's code. Raises: NoCode, SeveralCodes, as `drawn`."""
    import zxingcpp  # noqa: PLC0415 - most files are receipts

    image = picture(content, FORMATS[media_type]).convert("L")
    only_qr = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
    found = zxingcpp.read_barcodes(image, formats=only_qr)
    texts = {code.text for code in found}
    if len(texts) > 1:
        raise SeveralCodes
    if not texts:
        raise NoCode
    return json.dumps({"text": texts.pop()})


def pages_of(content: bytes, media_type: str) -> Iterator[Image.Image]:
    """Yield the pages of a file, upright, on white. Raises: as `drawn`."""
    if media_type == DOCUMENT:
        yield from document_pages(content)
    else:
        yield picture(content, FORMATS[media_type])


def document_pages(content: bytes) -> Iterator[Image.Image]:
    """Draw the first pages of a PDF, with the values of forms and the seals of signatures.

    The library is built without a script engine.
    """
    import pypdfium2  # noqa: PLC0415 - slow to import, and most receipts are pictures

    use_fonts()
    document = pypdfium2.PdfDocument(content)
    document.init_forms()
    for number in range(min(len(document), PAGES_MAX)):
        page = document[number]
        scale = min(DOCUMENT_SCALE, fitting(*page.get_size()))
        # The library rounds sides up, which may add a row of pixels.
        yield fitted(page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB"))


def use_fonts() -> None:
    """Start the PDF library anew, with our fonts in place of the system's."""
    import ctypes  # noqa: PLC0415 - only documents need it

    from pypdfium2 import _library_scope as scope  # noqa: PLC0415
    from pypdfium2 import raw  # noqa: PLC0415

    scope.destroy_lib()
    folder = ctypes.create_string_buffer(os.fsencode(FONTS))
    text = ctypes.POINTER(ctypes.c_char)
    paths = (text * 2)()  # ends with NULL
    paths[0] = ctypes.cast(folder, text)
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=paths))
    scope.bases.LIBRARY_AVAILABLE = True


def picture(content: bytes, form: str) -> Image.Image:
    """Return a picture's first frame, upright and no larger than a page."""
    bare = bare_png(content) if form == "PNG" else content
    image: Image.Image = Image.open(io.BytesIO(bare), formats=[form])
    width, height = image.size
    if width * height > HEADER_PIXELS_MAX:
        raise BeyondBounds
    scale = min(1.0, fitting(width, height))
    image.draft("RGB", (round(width * scale), round(height * scale)))  # decodes a JPEG smaller
    ImageOps.exif_transpose(image, in_place=True)
    return fitted(on_white(in_bytes(image)))


def bare_png(content: bytes) -> bytes:
    """Return a PNG without the chunks that are not drawn."""
    kept, place = [content[:PNG_START]], PNG_START
    while place + 8 <= len(content):
        size, kind = struct.unpack_from(">I4s", content, place)
        end = place + 12 + size
        if kind in PNG_CHUNKS:
            kept.append(content[place:end])
        place = end
    return b"".join(kept)


def in_bytes(image: Image.Image) -> Image.Image:
    """Return a picture of 16-bit grey with 8 bits; a conversion would cut values, to white."""
    if not image.mode.startswith("I"):
        return image
    grey = image.convert("I").point(lambda value: value * (1 / 256))
    grey.info.pop("transparency", None)
    return grey.convert("L")


def is_blank(page: Image.Image) -> bool:
    """Return whether a page has nearly one brightness."""
    counts: list[int] = page.convert("L").histogram()
    usual = max(range(len(counts)), key=counts.__getitem__)
    others = counts[: max(0, usual - CONTRAST_MIN)] + counts[usual + CONTRAST_MIN + 1 :]
    return sum(others) * BLANK_SHARE < sum(counts)


def on_white(image: Image.Image) -> Image.Image:
    """Return a picture without transparency."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    opaque = Image.new("RGB", image.size, "white")
    layered = image.convert("RGBA")
    opaque.paste(layered, mask=layered)
    return opaque


def fitted(page: Image.Image) -> Image.Image:
    """Return a page within the limits of its pixels and sides."""
    scale = min(1.0, fitting(*page.size))
    size = max(1, math.floor(page.width * scale)), max(1, math.floor(page.height * scale))
    return page.resize(size, reducing_gap=2.0)


def fitting(width: float, height: float) -> float:
    """Return the largest permitted scale factor of a page."""
    return min(math.sqrt(PAGE_PIXELS_MAX / (width * height)), SIDE_PIXELS_MAX / max(width, height))


def preview(page: Image.Image) -> str:
    """Return the WebP of a small copy of a page."""
    small = page.copy()
    small.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    return webp(small, PREVIEW_QUALITY)


def webp(page: Image.Image, quality: int) -> str:
    """Return a WebP of the pixels without metadata."""
    bare = Image.new("RGB", page.size)
    bare.paste(page)
    encoded = io.BytesIO()
    bare.save(encoded, "WEBP", quality=quality, method=METHOD)
    return base64.b64encode(encoded.getvalue()).decode("ascii")


if __name__ == "__main__":
    sys.exit(main(OUTPUT, *sys.argv[1:]))
