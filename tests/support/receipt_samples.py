"""Small receipts of every type, and files that only look like one."""

import io
import struct
import zipfile
import zlib

from orderdesk.domain.receipts.files import ReceiptType


def png(*chunks: bytes, data: bytes | None = None) -> bytes:
    """Give a grey pixel, with further chunks before its end."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0\x80") if data is None else data
    parts = [chunk(b"IHDR", header), *chunks, chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Give a PNG chunk with its checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def segment(kind: int, data: bytes) -> bytes:
    """Give a JPEG segment with its length."""
    return bytes([0xFF, kind]) + struct.pack(">H", len(data) + 2) + data


def jpeg(*segments: bytes, scan: bytes = b"\x12\x34", after: bytes = b"") -> bytes:
    """Give the skeleton of a JPEG, with further segments, and what follows its end."""
    head = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0") + b"".join(segments)
    return b"\xff\xd8" + head + segment(0xDA, b"\x01\x01\0\0?\0") + scan + b"\xff\xd9" + after


def webp(data: bytes = b"\x2f\0\0\0\0\0\0") -> bytes:
    """Give the skeleton of a lossless WebP."""
    body = b"WEBP" + b"VP8L" + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pdf(catalog: bytes = b"/Type /Catalog", *, extra: bytes = b"", after: bytes = b"") -> bytes:
    """Give a document of one object, with further ones, and what follows its end."""
    first = b"1 0 obj\n<< " + catalog + b" >>\nendobj\n"
    return b"%PDF-1.7\n" + first + extra + b"trailer << /Root 1 0 R >>\n%%EOF\n" + after


def objects_stream(names: bytes) -> bytes:
    """Give a PDF's compressed stream of objects."""
    packed = zlib.compress(names)
    head = b"2 0 obj\n<< /Type /ObjStm /Filter /FlateDecode /Length %d >>\nstream\n" % len(packed)
    return head + packed + b"\nendstream\nendobj\n"


def archive() -> bytes:
    """Give a ZIP archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writer:
        writer.writestr("index.html", "<p>")
    return file.getvalue()


RECEIPTS = {
    ReceiptType.PNG: png(),
    ReceiptType.JPEG: jpeg(),
    ReceiptType.WEBP: webp(),
    ReceiptType.PDF: pdf(),
}
HTML = b"<!doctype html><html><script>alert(1)</script></html>"
