"""Texts that are safe to show: no control characters and no bidirectional controls.

Such characters move a terminal's cursor, run its commands, or reverse the visible text. A
merchant's endpoint, an order's remark or a trader's name could contain them. Every value of a page
goes through `printable` (`web/pages/templates.py`), and every cell of a CSV file.
"""

import re
import unicodedata

from orderdesk.domain.errors import FieldProblem

NAME_LENGTH_MAX = 64
REMARK_LENGTH_MAX = 255
_NORMALISED_LENGTH_MAX = 1_020
_FOLDED_LENGTH_MAX = 256
_VARIATION_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_REVERSED = "\N{RIGHT-TO-LEFT OVERRIDE}"
MIDDLE_DOT = "·"
# Keyboards and other systems write these instead of a name's middle dot, U+00B7. NFKC has made the
# full-width forms the usual ones. A dot after an initial has a space behind it and stays.
_DOT = re.compile(r"(?<=\w)(?<![0-9_])(?:\.| *[∙⋅•‧・·] *)(?=\w)(?![0-9_])")
_SPACE_IN_HAN = re.compile(
    r"(?<=[\u3007\u3400-\u9fff\U00020000-\U0003ffff]) +"
    r"(?=[\u3007\u3400-\u9fff\U00020000-\U0003ffff])"
)
# Systems that follow GBK still write 80 rare characters of GB 18030 in Unicode's private area.
_PRIVATE = re.compile("[\ue815-\ue864]")
_FIRST_PRIVATE = 0xE815
_PRIVATE_TRAILS = (*range(0x50, 0x7F), *range(0x80, 0xA1))
# Those that got their characters with Unicode 4.1, after the edition that Python's codec has.
_PRIVATE_OF_4_1 = dict(
    zip("\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864", "龴龵龶龷龸龹龺龻", strict=True)
)
SHOWN_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, *, kept: str = "") -> str:
    """Replace all characters of Unicode's categories C (control, format, …) but those in `kept`."""
    if text.isprintable():
        return text
    return "".join(
        SHOWN_INSTEAD if is_control(letter) and letter not in kept else letter for letter in text
    )


def unmarked(text: str) -> str:
    """Return a text in Unicode's NFKC, without invisible characters and direction marks.

    Clipboards and input methods bring these, full-width letters, and radicals that look like
    characters. A longer text than any field's is returned as it is: sorting its combining marks
    would take quadratic time.
    """
    if text.isascii() or len(text) > _NORMALISED_LENGTH_MAX:
        return text
    shown = (letter for letter in text if not _is_invisible(letter))
    return unicodedata.normalize("NFKC", "".join(shown))


def plain_line(text: str) -> str:
    """Return the plain form of one line that a person typed: `unmarked`, without outer spaces."""
    return unmarked(text).strip()


def folded(name: str) -> str:
    """Return what names have in common that people take for one: no case, and single spaces.

    It has at most 256 characters: a ligature of NFKC may become 18.
    """
    return " ".join(plain_line(name).casefold().split())[:_FOLDED_LENGTH_MAX]


def plain_name(name: str) -> str:
    """Return a typed name's plain form.

    Its parts are joined by U+00B7, Han characters have no spaces between, and those of Unicode's
    private area are the assigned ones.
    """
    plain = _PRIVATE.sub(_assigned, plain_line(name))
    return _SPACE_IN_HAN.sub("", _DOT.sub(MIDDLE_DOT, plain))


def _assigned(private: re.Match[str]) -> str:
    """Return the assigned character of one in the private area."""
    letter = private[0]
    trail = _PRIVATE_TRAILS[ord(letter) - _FIRST_PRIVATE]
    return _PRIVATE_OF_4_1.get(letter) or bytes((0xFE, trail)).decode("gb18030")


def _is_invisible(letter: str) -> bool:
    """Return whether a letter is to be removed; what reverses a text stays, and is refused."""
    if letter == _REVERSED:
        return False
    return unicodedata.category(letter) == "Cf" or letter in _VARIATION_SELECTORS


def is_control(letter: str) -> bool:
    """Return whether a character is of Unicode's categories C."""
    return unicodedata.category(letter)[0] == "C"


def text_problems(field: str, text: str, length_max: int = REMARK_LENGTH_MAX) -> list[FieldProblem]:
    """List what is wrong with a text that may be empty; lengths are in characters."""
    problems = []
    if len(text) > length_max:
        problems.append(FieldProblem(field, f"at most {length_max} characters"))
    # Includes format characters, surrogates (bytes that were not UTF-8) and unassigned ones.
    if any(is_control(letter) for letter in text):
        problems.append(FieldProblem(field, "must not hold control characters"))
    return problems


def ascii_host(host: str) -> str:
    """Convert a host name to lower-case ASCII; full-width letters and dots are mapped, too.

    Python's own codec is IDNA 2003, which makes another owner's name of some: `faß.de` was fass.de.
    Raises: UnicodeError for a name that is not allowed.
    """
    if host.isascii():
        return host.lower()
    # Few names need its tables.
    import idna  # noqa: PLC0415

    return idna.encode(host, uts46=True).decode("ascii")


def mask(text: str, *, head: int, tail: int) -> str:
    """Replace the middle with stars; mask a text completely if it is too short to have a middle."""
    hidden = len(text) - head - tail
    if hidden < 1:
        return "*" * len(text)
    return text[:head] + "*" * hidden + text[head + hidden :]
