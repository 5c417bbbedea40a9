"""Draws a receipt's pages as pictures: `python draw.py TYPE < file > pictures.json`.

It runs in a process of its own, because decoders are large C libraries and the file comes from a
stranger. The process bounds its own CPU time and memory before it reads a byte. What goes beyond
them ends this process only.

Standard output is JSON: `pages` and `preview`, each picture as base64 of a JPEG. What a library
prints goes to standard error. The pictures are made of pixels alone: no metadata, no animation,
nothing active. The exit status is 0, or one of the two below.
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

PAGES_MAX = 5
# A phone's largest photograph has 50 million pixels.
HEADER_PIXELS_MAX = 52_000_000
PAGE_PIXELS_MAX = 4_000_000
SIDE_PIXELS_MAX = 16_000
DOCUMENT_SCALE = 150 / 72  # a PDF's unit is 1/72 inch: 150 pixels an inch
PREVIEW_SIDE = 320
PAGE_QUALITY, PREVIEW_QUALITY = 85, 75

DOCUMENT = "application/pdf"
FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}


def bound() -> None:
    """Let the system end this process where it takes too much; it writes no file."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep_output() -> int:
    """Let what is printed go to standard error from now on; give the descriptor of the answer."""
    output = os.dup(1)
    os.dup2(2, 1)
    return output


if __name__ == "__main__":
    bound()
    OUTPUT = keep_output()

from PIL import Image, ImageOps  # noqa: E402 - only in a bounded process

Image.MAX_IMAGE_PIXELS = None  # HEADER_PIXELS_MAX is the bound here


class BeyondBounds(Exception):
    """The header promises more than is drawn."""


def main(media_type: str, output: int) -> int:
    """Draw standard input on a file descriptor; give the exit status."""
    try:
        answer = drawn(sys.stdin.buffer.read(), media_type)
    except (BeyondBounds, MemoryError):
        return BEYOND_BOUNDS
    except Exception:  # noqa: BLE001 - what decoders raise on a stranger's bytes is documented nowhere
        return DAMAGED
    with os.fdopen(output, "w") as answers:
        answers.write(answer)
    return 0


def drawn(content: bytes, media_type: str) -> str:
    """Give the answer for a file. Raises what the decoders do; BeyondBounds."""
    pages = list(pages_of(content, media_type))
    encoded = [jpeg(page, PAGE_QUALITY) for page in pages]
    return json.dumps({"pages": encoded, "preview": preview(pages[0])})


def pages_of(content: bytes, media_type: str) -> Iterator[Image.Image]:
    """Give the pages of a file, upright, on white. Raises what the decoders do; BeyondBounds."""
    if media_type == DOCUMENT:
        yield from document_pages(content)
    else:
        yield picture(content, FORMATS[media_type])


def document_pages(content: bytes) -> Iterator[Image.Image]:
    """Draw the first pages of a PDF.

    Its forms are never started. Scripts would need an engine that the library is built without.
    """
    import pypdfium2  # noqa: PLC0415 - most receipts are pictures, and it takes as long as Pillow

    document = pypdfium2.PdfDocument(content)
    for number in range(min(len(document), PAGES_MAX)):
        page = document[number]
        scale = min(DOCUMENT_SCALE, fitting(*page.get_size()))
        # The library rounds a side up, which may be a row of pixels too many.
        yield fitted(page.render(scale=scale, may_draw_forms=False).to_pil().convert("RGB"))


def picture(content: bytes, form: str) -> Image.Image:
    """Decode a picture's first frame, turn it upright, and make it no larger than a page."""
    image: Image.Image = Image.open(io.BytesIO(content), formats=[form])
    width, height = image.size
    if width * height > HEADER_PIXELS_MAX:
        raise BeyondBounds
    scale = min(1.0, fitting(width, height))
    image.draft("RGB", (round(width * scale), round(height * scale)))  # decodes a JPEG smaller
    ImageOps.exif_transpose(image, in_place=True)
    return fitted(on_white(image))


def on_white(image: Image.Image) -> Image.Image:
    """Give a picture without transparency."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    opaque = Image.new("RGB", image.size, "white")
    layered = image.convert("RGBA")
    opaque.paste(layered, mask=layered)
    return opaque


def fitted(page: Image.Image) -> Image.Image:
    """Make a page no larger than a page may be."""
    scale = min(1.0, fitting(*page.size))
    size = max(1, math.floor(page.width * scale)), max(1, math.floor(page.height * scale))
    return page.resize(size, reducing_gap=2.0)


def fitting(width: float, height: float) -> float:
    """Give the largest factor by which a page may be scaled."""
    return min(math.sqrt(PAGE_PIXELS_MAX / (width * height)), SIDE_PIXELS_MAX / max(width, height))


def preview(page: Image.Image) -> str:
    """Draw a page small."""
    small = page.copy()
    small.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    return jpeg(small, PREVIEW_QUALITY)


def jpeg(page: Image.Image, quality: int) -> str:
    """Encode pixels, and nothing else that came with them; optimized, a fifth smaller."""
    bare = Image.new("RGB", page.size)
    bare.paste(page)
    encoded = io.BytesIO()
    bare.save(encoded, "JPEG", quality=quality, subsampling=0, optimize=True, progressive=True)
    return base64.b64encode(encoded.getvalue()).decode("ascii")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], OUTPUT))
