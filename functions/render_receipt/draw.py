"""Draw a receipt's pages as pictures: `python draw.py TYPE < file > pictures.json`.

With `python draw.py TYPE code` read the payment code that a picture shows: `{"text": …}`.

Decoders are large C libraries and the file is untrusted, so this runs in a separate process, which
limits its own CPU time and memory before it reads the file. Exceeding a limit ends only this
process.

Standard output is JSON: `pages` and `preview`, each picture as base64 of a WebP. Output of the
libraries goes to standard error. The pictures contain only pixels: no metadata, no animation, no
active content. The exit status is 0, or one of the three below.
"""

import base64
import io
import json
import math
import os
import resource
import sys
from collections.abc import Iterator

CPU_SECONDS_MAX = 6
MEMORY_BYTES_MAX = 1024**3

DAMAGED = 10
BEYOND_BOUNDS = 11
NO_CODE = 12

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
    """The picture shows no QR code, or several different ones."""


def main(output: int, media_type: str, purpose: str = "pages") -> int:
    """Decode standard input, write the result to a file descriptor; return the exit status."""
    decoded = code_of if purpose == "code" else drawn
    try:
        answer = decoded(sys.stdin.buffer.read(), media_type)
    except (BeyondBounds, MemoryError):
        return BEYOND_BOUNDS
    except NoCode:
        return NO_CODE
    except Exception:  # noqa: BLE001 - decoders do not document their exceptions
        return DAMAGED
    with os.fdopen(output, "w") as answers:
        answers.write(answer)
    return 0


def drawn(content: bytes, media_type: str) -> str:
    """Return the JSON for a file. Raises: BeyondBounds, any exception of the decoders."""
    pages = list(pages_of(content, media_type))
    encoded = [webp(page, PAGE_QUALITY) for page in pages]
    return json.dumps({"pages": encoded, "preview": preview(pages[0])})


def code_of(content: bytes, media_type: str) -> str:
    """Return the JSON for a picture's code. Raises: NoCode, as `drawn`."""
    import zxingcpp  # noqa: PLC0415 - most files are receipts

    image = picture(content, FORMATS[media_type]).convert("L")
    only_qr = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
    found = zxingcpp.read_barcodes(image, formats=only_qr)
    texts = {code.text for code in found}
    if len(texts) != 1:
        raise NoCode
    return json.dumps({"text": texts.pop()})


def pages_of(content: bytes, media_type: str) -> Iterator[Image.Image]:
    """Yield the pages of a file, upright, on white. Raises: as `drawn`."""
    if media_type == DOCUMENT:
        yield from document_pages(content)
    else:
        yield picture(content, FORMATS[media_type])


def document_pages(content: bytes) -> Iterator[Image.Image]:
    """Draw the first pages of a PDF.

    Forms are not initialized, and the library is built without a script engine.
    """
    import pypdfium2  # noqa: PLC0415 - slow to import, and most receipts are pictures

    document = pypdfium2.PdfDocument(content)
    for number in range(min(len(document), PAGES_MAX)):
        page = document[number]
        scale = min(DOCUMENT_SCALE, fitting(*page.get_size()))
        # The library rounds sides up, which may add a row of pixels.
        yield fitted(page.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB"))


def picture(content: bytes, form: str) -> Image.Image:
    """Return a picture's first frame, upright and no larger than a page."""
    image: Image.Image = Image.open(io.BytesIO(content), formats=[form])
    width, height = image.size
    if width * height > HEADER_PIXELS_MAX:
        raise BeyondBounds
    scale = min(1.0, fitting(width, height))
    image.draft("RGB", (round(width * scale), round(height * scale)))  # decodes a JPEG smaller
    ImageOps.exif_transpose(image, in_place=True)
    return fitted(on_white(image))


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
