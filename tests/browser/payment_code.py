"""A picture that looks like a payment code; no scanner can read it."""

import hashlib
import struct
import zlib
from functools import cache

_MODULES = 29
_SCALE = 8
_EYE = 7


@cache
def payment_code_png() -> bytes:
    """Return the code as a greyscale PNG."""
    rows = b"".join(
        (b"\0" + b"".join(_shade(x, y) * _SCALE for x in range(_MODULES))) * _SCALE
        for y in range(_MODULES)
    )
    side = _MODULES * _SCALE
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _shade(x: int, y: int) -> bytes:
    return b"\0" if _is_dark(x, y) else b"\xff"


def _is_dark(x: int, y: int) -> bool:
    far = _MODULES - _EYE
    for left, top in ((0, 0), (far, 0), (0, far)):
        across, down = x - left, y - top
        if -1 <= across <= _EYE and -1 <= down <= _EYE:
            ring = max(abs(across - _EYE // 2), abs(down - _EYE // 2))
            return ring in {0, 1, 3}
    return hashlib.sha256(bytes((x, y))).digest()[0] < 120


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
