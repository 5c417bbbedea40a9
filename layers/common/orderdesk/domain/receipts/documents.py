"""PDF receipts: complete, and without scripts, actions or embedded files."""

import re
import zlib
from collections.abc import Iterator

_END = b"%%EOF"
_VERSION = re.compile(rb"%PDF-[12]\.\d")
_STREAM = re.compile(rb">>\s{0,32}stream\r?\n")
_STREAM_END = b"endstream"
_MOST_HEAD = 2048
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_NAME_ENDS = rb"(?=[\s/<>\[\](){}%]|$)"
# These names are too long to occur by chance in compressed data, so the whole file is searched.
_ACTIVE = re.compile(
    rb"/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|SubmitForm|ImportData)" + _NAME_ENDS
)
# Short names are searched only where PDF names stand. "/JS" matches, "/JSFont" does not.
_ACTIVE_NAME = re.compile(rb"/(?:JS|XFA|GoToE)" + _NAME_ENDS)
_OBJECTS = b"/ObjStm"
_MOST_INFLATED = 1024 * 1024


def is_whole_pdf(content: bytes) -> bool:
    """Tell whether a document has a PDF's start and end, and nothing after its end."""
    if _VERSION.match(content) is None:
        return False
    end = content.rfind(_END)
    return end > 0 and not content[end + len(_END) :].strip(b"\0\t\n\f\r ")


def is_active_pdf(content: bytes) -> bool:
    """Tell whether a document has scripts, actions that open something else, or embedded files.

    Short names are searched only between the streams and in object streams. An object stream that
    cannot be read within bounds counts as active.
    """
    return _ACTIVE.search(_unescaped(content)) is not None or any(
        _ACTIVE.search(names) or _ACTIVE_NAME.search(names)
        for names in map(_unescaped, _named_parts(content))
    )


def _named_parts(content: bytes) -> Iterator[bytes]:
    at = 0
    while stream := _STREAM.search(content, at):
        end = content.find(_STREAM_END, stream.end())
        if end < 0:
            break
        yield content[at : stream.start()]
        head = content[max(at, stream.start() - _MOST_HEAD) : stream.start()]
        if _OBJECTS in _unescaped(head):
            yield _inflated(content[stream.end() : end])
        at = end
    yield content[at:]


def _inflated(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        objects = unpacker.decompress(data, _MOST_INFLATED)
    except zlib.error:
        return data if data.lstrip()[:1].isdigit() else b"/JS"
    return objects if not unpacker.unconsumed_tail else b"/JS"


def _unescaped(names: bytes) -> bytes:
    """Undo the escapes that a PDF name may contain: /J#53 is /JS."""
    return _ESCAPE.sub(lambda escape: bytes([int(escape[1], 16)]), names)
