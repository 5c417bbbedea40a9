"""Small receipts of every type, and files that attack the software that opens them."""

import io
import struct
import zlib

from PIL import Image

from orderdesk.domain.receipts.files import ReceiptType

NORTH, EAST = "N", "E"
MAKER = "a-telling-maker"


def png(
    width: int = 2,
    height: int = 1,
    *,
    pixels: bytes | None = None,
    bits: int = 8,
    extra: bytes = b"",
) -> bytes:
    """Return a picture of grey stripes; its header may announce more pixels than it has."""
    header = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    stripes = b"".join((b"\x80" if place % 2 else b"\x20") * (bits // 8) for place in range(width))
    rows = (b"\0" + stripes) * height if pixels is None else pixels
    parts = [chunk(b"IHDR", header), extra, chunk(b"IDAT", zlib.compress(rows))]
    parts.append(chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


LONG_TEXT = chunk(b"iTXt", b"a\0\1\0\0\0" + zlib.compress(b"x" * 2_000_000))
LONG_PROFILE = chunk(b"iCCP", b"a\0\0" + zlib.compress(b"x" * 2_000_000))


def drawn(form: str, width: int = 40, height: int = 30, **options: object) -> bytes:
    """Return a picture that is black on the left and white on the right."""
    image = Image.new("RGB", (width, height), "white")
    image.paste("black", (0, 0, width // 2, height))
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def photograph() -> bytes:
    """Return an upright phone's photograph: rotated by its metadata, which has the place too."""
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: rotate clockwise
    exif[0x010F] = MAKER
    place = exif.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = NORTH, (31.0, 14.0, 3.0), EAST, (121.0, 28.0, 9.0)
    return drawn("JPEG", exif=exif, comment=MAKER)


def animation() -> bytes:
    second = Image.new("RGB", (40, 30), "red")
    return drawn("WEBP", save_all=True, append_images=[second], duration=100)


def pdf(
    pages: int = 1, *, catalog: bytes = b"", extra: bytes = b"", size: tuple[int, int] = (200, 200)
) -> bytes:
    """Return a document of half black pages, with extra catalog entries and objects."""
    kids = b" ".join(b"%d 0 R" % (3 + n) for n in range(pages))
    objects = [
        b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>\nendobj\n",
        b"2 0 obj\n<< /Type /Pages /Kids [" + kids + b"] /Count %d >>\nendobj\n" % pages,
    ]
    for number in range(pages):
        page = b"<< /Type /Page /Parent 2 0 R /Contents 90 0 R /MediaBox [0 0 %d %d] >>" % size
        objects.append(b"%d 0 obj\n%s\nendobj\n" % (3 + number, page))
    half = b"0 0 %d %d re f" % (size[0], size[1] // 2)
    drawing = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(half), half)
    objects.append(b"90 0 obj\n%s\nendobj\n" % drawing)
    return b"%PDF-1.7\n" + b"".join(objects) + extra + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def pdf_that_inflates(streams: int = 13) -> bytes:
    """Return some KB of PDF whose object streams inflate to MB of escaped names."""
    packed = zlib.compress(b"#41" * 349_000, 9)
    extra = b"".join(
        b"%d 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n"
        % (100 + number, len(packed))
        + packed
        + b"\nendstream\nendobj\n"
        for number in range(streams)
    )
    return pdf(extra=extra)


def pdf_with_hidden_script() -> bytes:
    """Return a PDF with a script in an object stream behind two filters."""
    script = b"10 0 << /S /JavaScript /JS (app.alert\\(1\\)) >>"
    packed = zlib.compress(script).hex().encode() + b">"
    extra = (
        b"9 0 obj\n<< /Type /ObjStm /N 1 /First 5 /Filter [/ASCIIHexDecode /FlateDecode] "
        b"/Length %d >>\nstream\n" % len(packed) + packed + b"\nendstream\nendobj\n"
    )
    return pdf(catalog=b"/OpenAction 10 0 R", extra=extra)


def pdf_that_never_ends() -> bytes:
    """Return a PDF whose page takes minutes: each form draws the next one ten times."""
    levels = 9
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 200 200] /Length %d %s >>\nstream\n"
    extra = b""
    for level in range(levels):
        is_last = level == levels - 1
        drawing = b"0 0 200 200 re f\n" * 50 if is_last else b"/F Do\n" * 10
        resources = b"" if is_last else b"/Resources << /XObject << /F %d 0 R >> >>" % (21 + level)
        extra += b"%d 0 obj\n" % (20 + level) + form % (len(drawing), resources)
        extra += drawing + b"\nendstream\nendobj\n"
    extra += b"40 0 obj\n<< /Length 6 >>\nstream\n/F Do\n\nendstream\nendobj\n"
    page = b"/MediaBox [0 0 200 200] /Contents 40 0 R /Resources << /XObject << /F 20 0 R >> >>"
    plain = b"/Contents 90 0 R /MediaBox [0 0 200 200]"
    return pdf(extra=extra).replace(plain, page)


BLANK_PDF = pdf().replace(b"re f", b"re n")


def pdf_without_its_font(text: str, encoding: bytes = b"UniGB-UCS2-H") -> bytes:
    """Return a document with Chinese text whose font the viewer has to have."""
    shown = text.encode("gbk" if encoding.startswith(b"GBK") else "utf-16-be").hex().encode()
    drawing = b"BT /F 24 Tf 10 100 Td <%s> Tj ET" % shown
    name = b"/BaseFont /STSong-Light /Type /Font"
    extra = (
        b"40 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (len(drawing), drawing)
        + b"41 0 obj\n<< %s /Subtype /Type0 /Encoding /%s /DescendantFonts [42 0 R] >>\nendobj\n"
        % (name, encoding)
        + b"42 0 obj\n<< %s /Subtype /CIDFontType0 /CIDSystemInfo << /Registry (Adobe)" % name
        + b" /Ordering (GB1) /Supplement 4 >> /FontDescriptor 43 0 R >>\nendobj\n"
        b"43 0 obj\n<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /Ascent 880"
        b" /Descent -120 /CapHeight 880 /StemV 93 /ItalicAngle 0"
        b" /FontBBox [-25 -254 1000 880] >>\nendobj\n"
    )
    fonts = b"/Contents 40 0 R /Resources << /Font << /F 41 0 R >> >>"
    return pdf(extra=extra).replace(b"/Contents 90 0 R", fonts)


def pdf_with_field(kind: bytes) -> bytes:
    """Return an empty page with a field of a kind (`Tx`, `Sig`) whose appearance is black."""
    extra = (
        b"50 0 obj\n<< /Type /Annot /Subtype /Widget /FT /%s /T (a) /F 4 /Rect [20 20 180 180]"
        b" /P 3 0 R /AP << /N 51 0 R >> >>\nendobj\n"
        % kind
        + b"51 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 160 160] /Length 18 >>\nstream\n"
        b"0 0 160 160 re f  \nendstream\nendobj\n"
    )
    document = pdf(catalog=b"/AcroForm << /Fields [50 0 R] >>", extra=extra)
    return document.replace(b"/Contents 90 0 R", b"/Annots [50 0 R]")


RECEIPTS = {
    ReceiptType.PNG: png(),
    ReceiptType.JPEG: drawn("JPEG"),
    ReceiptType.WEBP: drawn("WEBP"),
    ReceiptType.PDF: pdf(),
}
HTML = b"<!doctype html><html><script>alert(1)</script></html>"
