"""Convert an upload to the pictures that everybody but operators sees, or read its payment code.

Decoding a file is the most expensive work that somebody outside can request, so it is bounded
before it begins: by uploader and order, by merchant (domain/receipts/shares.py), and to once for
each file.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Protocol

from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.payment_methods import is_code_text
from orderdesk.domain.receipts.files import (
    MAX_BYTES,
    ReceiptProblem,
    ReceiptType,
    UnfitReceipt,
    receipt_type,
)
from orderdesk.domain.receipts.places import (
    PICTURE_TYPE,
    drawings_of,
    kept_key,
    original_key,
    page_key,
    preview_key,
)
from orderdesk.domain.receipts.shares import Place, places_to_try
from orderdesk.services.orders.receipts import Rendering, Upload
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, until_committed

DRAWINGS_MAX = 10
"""Files of one uploader of an order that are decoded, refused ones included."""

_DIGEST_LENGTH = 32

type Answer = Mapping[str, str | int]
"""What a function found out about a file: the rendering, the code's text, or the `problem`."""


class DrawingBusy(OrderdeskError):
    """The file is being decoded, or no place for it was free; soon it can be asked again."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """A receipt's first pages, and a small version of the first; each is a whole picture file."""

    pages: tuple[bytes, ...] = field(repr=False)
    preview: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class DrawingTask:
    """One file to decode.

    `counted_for` is whose files it counts among, `owner` whose place it takes, and `file`
    identifies the file's content. `max_rps` is the owner's rate of calls, 0 for no merchant.
    """

    counted_for: str
    owner: str
    file: str
    max_rps: int = 0


@dataclass(frozen=True, slots=True)
class DrawingClaim:
    """The right to decode a task's file: a place, until a time (Unix ms)."""

    task: DrawingTask
    place: Place
    until_ms: int


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file to store."""

    key: str
    content: bytes = field(repr=False)
    content_type: str


class Drawing(Protocol):
    """Decodes a file within limits of time and memory."""

    def draw(self, content: bytes, kind: ReceiptType) -> Pictures:
        """Return the pages' pictures. Raises: UnfitReceipt."""

    def read_code(self, content: bytes, kind: ReceiptType) -> str:
        """Return the text of the one QR code that a picture shows. Raises: UnfitReceipt."""


class Drawings(Protocol):
    """Stores which files are being decoded, and what was found out."""

    def claim(
        self, task: DrawingTask, places: Sequence[Place], most: int, now_ms: int, token: str
    ) -> DrawingClaim | Answer:
        """Claim a file and the first free place; return the earlier answer if there is one.

        Raises: DrawingBusy; UnfitReceipt if `most` files were counted; Contended, Throttled,
        TryAgain.
        """

    def finish(self, claim: DrawingClaim, answer: Answer | None, token: str) -> None:
        """Store the answer, if any, and return the place. Raises: Contended, Throttled, TryAgain.

        A claim that has run out changes nothing.
        """


@dataclass(frozen=True, slots=True)
class ClaimPorts:
    """The ports of bounded decoding; `now_ms` returns Unix milliseconds.

    `concurrency` is how many files the stack decodes at the same time.
    """

    drawings: Drawings
    concurrency: int
    chance: Chance
    now_ms: Callable[[], int]
    pause_ms: PauseMs


@dataclass(frozen=True, slots=True)
class RenderPorts:
    """The ports of rendering. Those of files raise TryAgain.

    `read` returns an upload's first bytes (at most one more than the size in bytes), or None
    without a file. `keep` stores files at the same time; existing ones are not overwritten. `fetch`
    returns the file of a public address; None if there is none within the limits.
    """

    read: Callable[[str, int], Upload | None]
    keep: Callable[[Sequence[KeptFile]], None]
    drawing: Drawing
    fetch: Callable[[str], bytes | None]
    claims: ClaimPorts


def render_receipt(upload: str, merchant_id: str, max_rps: int, ports: RenderPorts) -> Answer:
    """Draw an upload, store the pictures and the file itself; return the rendering.

    Raises: UnfitReceipt, DrawingBusy, TryAgain.
    """
    file = _file_of(upload, ports)
    task = _task_of(upload, file, merchant_id, max_rps)
    return once(task, lambda: _render(upload, file.content, ports), ports.claims)


def read_code(upload: str, trader_id: str, ports: RenderPorts) -> Answer:
    """Read the payment code of a trader's uploaded picture; return its `text`.

    Raises: UnfitReceipt, DrawingBusy, TryAgain.
    """
    file = _file_of(upload, ports)
    task = _task_of(upload, file, trader_id, 0)
    return once(task, lambda: _code_in(file.content, ports.drawing), ports.claims)


def fetch_code(order_no: str, owner: str, max_rps: int, url: str, ports: RenderPorts) -> Answer:
    """Fetch the picture of an order's payment code, once; return the code's `text`.

    A failure is an answer too, so that the address is not fetched again.
    Raises: UnfitReceipt, DrawingBusy, TryAgain.
    """
    task = DrawingTask(f"{order_no}#code", owner, url, max_rps)
    return once(task, lambda: _code_in(ports.fetch(url), ports.drawing), ports.claims)


def _code_in(content: bytes | None, drawing: Drawing) -> Answer:
    if content is None:
        raise UnfitReceipt(ReceiptProblem.MISSING)
    kind = receipt_type(content)
    if kind is ReceiptType.PDF:
        raise UnfitReceipt(ReceiptProblem.WRONG_TYPE)
    text = drawing.read_code(content, kind)
    if not is_code_text(text):
        raise UnfitReceipt(ReceiptProblem.NO_CODE)
    return {"text": text}


def _file_of(upload: str, ports: RenderPorts) -> Upload:
    """Read an upload. A missing file, or one of a wrong size, is refused without a count."""
    file = ports.read(upload, MAX_BYTES)
    if file is None:
        raise UnfitReceipt(ReceiptProblem.MISSING)
    if file.size_bytes == 0:
        raise UnfitReceipt(ReceiptProblem.EMPTY)
    if file.size_bytes > MAX_BYTES:
        raise UnfitReceipt(ReceiptProblem.TOO_LARGE)
    return file


def _task_of(upload: str, file: Upload, owner: str, max_rps: int) -> DrawingTask:
    """Return the task of an upload's file."""
    return DrawingTask(drawings_of(upload), owner, f"{upload}#{file.version}", max_rps)


def once(task: DrawingTask, work: Callable[[], Answer], ports: ClaimPorts) -> Answer:
    """Decode a file unless it was decoded before; a refusal is an answer too.

    If the process ends without an answer, the claim runs out and the file can be asked again.
    Raises: UnfitReceipt, DrawingBusy, TryAgain.
    """
    chance = ports.chance
    places = places_to_try(task.owner, task.max_rps, ports.concurrency, chance.below)
    claim = until_committed(
        lambda: ports.drawings.claim(task, places, DRAWINGS_MAX, ports.now_ms(), chance.token()),
        ports,
    )
    if not isinstance(claim, DrawingClaim):
        return _accepted(claim)
    answer: Answer | None = None
    try:
        answer = work()
    except UnfitReceipt as unfit:
        answer = {"problem": unfit.problem.value}
    finally:
        _finish(claim, answer, ports)
    return _accepted(answer)


def _accepted(answer: Answer) -> Answer:
    """Return an answer. Raises: UnfitReceipt if it is a refusal."""
    if "problem" in answer:
        raise UnfitReceipt(ReceiptProblem(str(answer["problem"])))
    return answer


def _finish(claim: DrawingClaim, answer: Answer | None, ports: ClaimPorts) -> None:
    """Store an answer; if that fails, the claim runs out, and the file may be decoded again."""
    with suppress(TryAgain):
        until_committed(lambda: ports.drawings.finish(claim, answer, ports.chance.token()), ports)


def _render(upload: str, content: bytes, ports: RenderPorts) -> Answer:
    kind = receipt_type(content)
    pictures = ports.drawing.draw(content, kind)
    key = kept_key(upload, sha256(content).hexdigest()[:_DIGEST_LENGTH])
    ports.keep(_files(key, content, kind, pictures))
    return asdict(Rendering(key, kind.value, len(content), len(pictures.pages)))


def _files(key: str, content: bytes, kind: ReceiptType, pictures: Pictures) -> list[KeptFile]:
    pages = enumerate(pictures.pages, start=1)
    files = [KeptFile(page_key(key, number), page, PICTURE_TYPE) for number, page in pages]
    files.append(KeptFile(original_key(key), content, kind.value))
    files.append(KeptFile(preview_key(key), pictures.preview, PICTURE_TYPE))
    return files
