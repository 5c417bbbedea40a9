"""Whether a picture's bytes are one complete structure, with nothing after its end."""

import zlib
from collections.abc import Callable, Iterator

type IsWhole = Callable[[bytes], bool]

_PNG_HEAD = 8
_PNG_AROUND = 12  # length, type, checksum
_WEBP_HEAD = 12
_WEBP_CHUNK_HEAD = 8
_WEBP_FIRST = frozenset({b"VP8 ", b"VP8L", b"VP8X"})

_JPEG_MARK = 0xFF
_JPEG_SCAN = 0xDA
_JPEG_LENGTH = 2  # a segment's length counts itself
_JPEG_END = b"\xff\xd9"
# Screenshots of some phones have the maker's data after the picture; it ends with this mark.
_MAKERS_MARK = b"SEFT"
_MAKERS_MOST = 64 * 1024


def is_whole_png(content: bytes) -> bool:
    """Tell whether the bytes are a PNG's chunks with right checksums, from IHDR to IEND."""
    kinds: list[bytes] = []
    at = _PNG_HEAD
    while at < len(content):
        length = int.from_bytes(content[at : at + 4])
        end = at + _PNG_AROUND + length
        if end > len(content):
            return False
        if zlib.crc32(content[at + 4 : end - 4]) != int.from_bytes(content[end - 4 : end]):
            return False
        kinds.append(content[at + 4 : at + 8])
        at = end
    return (
        kinds[:1] == [b"IHDR"]
        and kinds[-1:] == [b"IEND"]
        and kinds.count(b"IEND") == 1
        and b"IDAT" in kinds
    )


def is_whole_webp(content: bytes) -> bool:
    """Tell whether a RIFF container has its stated length and holds a WebP's chunks."""
    if len(content) < _WEBP_HEAD or content[8:12] != b"WEBP":
        return False
    if int.from_bytes(content[4:8], "little") + 8 != len(content):
        return False
    kinds: list[bytes] = []
    at = _WEBP_HEAD
    while at < len(content):
        length = int.from_bytes(content[at + 4 : at + 8], "little")
        kinds.append(content[at : at + 4])
        at += _WEBP_CHUNK_HEAD + length + length % 2
    return at == len(content) and bool(kinds) and kinds[0] in _WEBP_FIRST


def is_whole_jpeg(content: bytes) -> bool:
    """Tell whether segments lead to a scan, and the file ends with the picture's end.

    Phones store further pictures between the two; these are allowed. After the end, only data that
    phones are known to write is allowed.
    """
    end = content.rfind(_JPEG_END)
    if end < 0 or not any(kind == _JPEG_SCAN for kind in _segments(content[:end])):
        return False
    rest = content[end + len(_JPEG_END) :]
    return not rest.strip(b"\0") or (rest.endswith(_MAKERS_MARK) and len(rest) <= _MAKERS_MOST)


def _segments(content: bytes) -> Iterator[int]:
    """Give the segments' markers up to the first scan; stop early if a segment is cut off."""
    at = 2
    while at + 4 <= len(content) and content[at] == _JPEG_MARK:
        kind = content[at + 1]
        if kind == _JPEG_MARK:  # padding
            at += 1
            continue
        length = int.from_bytes(content[at + 2 : at + 4])
        if length < _JPEG_LENGTH or at + 2 + length > len(content):
            return
        yield kind
        if kind == _JPEG_SCAN:
            return
        at += 2 + length
