"""Each uploaded file is drawn or refused within the bounds of `draw.py` (contract section 8)."""

import base64
import io
import json
from collections.abc import Iterator

import pytest
from hypothesis import assume, event, given
from PIL import Image

from orderdesk.domain.receipts.files import ReceiptType, UnfitReceipt, receipt_type
from tests.fuzz.budget import fuzzing
from tests.fuzz.drawing import Drawer, Drawn, open_drawer
from tests.fuzz.files import WHOLE, damaged_files
from tests.fuzz.target import Target

# The constants of draw.py, which cannot be imported here: it loads the decoders.
DRAWN, DAMAGED, BEYOND_BOUNDS, BLANK = 0, 10, 11, 14
CPU_SECONDS_MAX, PAGES_MAX, PAGE_PIXELS_MAX, PREVIEW_SIDE = 6, 5, 4_000_000, 320
PROBLEMS = {"damaged", "too_complex", "blank"}


@pytest.fixture(scope="module")
def drawer() -> Iterator[Drawer]:
    """Yield the program that draws files."""
    with open_drawer() as opened:
        yield opened


def kind_of(content: bytes) -> ReceiptType:
    """Return the type of a file; a file without one is refused earlier."""
    try:
        return receipt_type(content)
    except UnfitReceipt:
        assume(False)
        raise


def require_small_pictures(drawn: Drawn) -> None:
    """Check the bounds of the drawn pages."""
    answer = json.loads(drawn.answer)
    assert 1 <= len(answer["pages"]) <= PAGES_MAX
    for page in answer["pages"]:
        width, height = size_of(page)
        assert width * height <= PAGE_PIXELS_MAX
    assert max(size_of(answer["preview"])) <= PREVIEW_SIDE


def size_of(picture: str) -> tuple[int, int]:
    """Return the size in a picture's header."""
    return Image.open(io.BytesIO(base64.b64decode(picture)), formats=["WEBP"]).size


@fuzzing(full=400)
@given(content=damaged_files)
def test_a_file_is_drawn_or_refused(drawer: Drawer, content: bytes) -> None:
    kind = kind_of(content)
    drawn = drawer.draw(content, kind.value)
    event(f"{kind.value}: {drawn.status}")
    # Below 0: a signal ended the process, which is a refusal (adapters/drawing.py).
    assert drawn.status in {DRAWN, DAMAGED, BEYOND_BOUNDS, BLANK} or drawn.status < 0, drawn
    assert drawn.cpu_seconds <= CPU_SECONDS_MAX + 1
    if drawn.status == DRAWN:
        require_small_pictures(drawn)


@pytest.mark.parametrize("content", WHOLE, ids=range(len(WHOLE)))
def test_without_damage_it_is_drawn(drawer: Drawer, content: bytes) -> None:
    drawn = drawer.draw(content, receipt_type(content).value)
    assert drawn.status == DRAWN, drawn
    require_small_pictures(drawn)


@fuzzing(full=30)
@given(content=damaged_files)
def test_the_function_answers(fuzzed: Target, content: bytes) -> None:
    kind_of(content)
    seen = fuzzed.draw(content)
    assert seen.error is None, seen.error
    assert seen.answer.get("problem") in PROBLEMS or 1 <= seen.answer["pages"] <= PAGES_MAX
    assert seen.log.count("\n") == 1
