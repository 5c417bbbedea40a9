"""Values that break parsers: text, numbers, nesting, bytes, header values, form bodies."""

import unicodedata
from urllib.parse import quote_plus

from hypothesis import strategies as st

from tests.support.merchant_client import Raw

# The start of a tag, which a page must escape.
TAG = "<zq7"


def _marks() -> str:
    """Return one combining mark of each class, last class first: the slowest to normalise."""
    by_class = {unicodedata.combining(chr(code)): chr(code) for code in range(0x300, 0x700)}
    return "".join(by_class[rank] for rank in sorted(by_class, reverse=True) if rank)


MARKS = _marks()

TRICKY = (
    "",
    " ",
    "\x00",
    "\n",
    "\r\nSet-Cookie: a=b\r\n\r\n",
    "\x1b[31mred",
    "\x7f",
    "\x85",
    "\u00a0",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\ufffd",
    "\ud800",
    "\udfff\ud800",
    "e\u0301",
    "İ",
    "ﬀ",
    "ſ",
    "１２３",
    "١٢٣",
    "😀",
    "𝟙",
    MARKS,
    f'{TAG} onload="x">\'&',
    '"',
    "'",
    "&",
    "</script>",
    "{{7*7}}{% x %}",
    "${jndi:ldap://x}",
    "%s%n%00",
    "%",
    "%zz",
    "../../etc/passwd",
    "..",
    "/",
    "\\",
    "#",
    "?lang=zh",
    "a=b\nc=d",
    "null",
    "true",
    "NaN",
    "-0",
    "0x10",
    "1e999",
    "1_000",
    "+1",
    "=1+1",
    "' OR 1=1 --",
    "javascript:alert(1)",
    "//evil.example",
    "http://[::1]/",
    "http://[",
    "http://a@127.0.0.1/",
    "https://" + "a." * 120 + "com",
    "https://xn--" + "a" * 60,
    "uploads/../refusals",
    "$self",
    "__proto__",
)
ANYTHING = st.characters(codec=None, exclude_categories=())
# Around the contract's bounds (128, 255, 8 KiB) and the maximum of a body or a header.
LENGTHS = (64, 128, 129, 255, 256, 1_000, 4_000, 8_000, 8_190, 30_000, 65_000)

short_texts = st.sampled_from(TRICKY) | st.text(ANYTHING, max_size=24)
_units = st.sampled_from(TRICKY[1:]) | st.text(ANYTHING, min_size=1, max_size=4)


def long_texts(longest: int = LENGTHS[-1]) -> st.SearchStrategy[str]:
    """Draw a unit that is repeated up to one of LENGTHS, as a whole or each character."""
    lengths = st.sampled_from([length for length in LENGTHS if length <= longest])
    return st.builds(_repeated, _units, lengths, st.booleans())


def _repeated(unit: str, length: int, each: bool) -> str:  # noqa: FBT001 - drawn
    if each:
        return "".join(character * (length // len(unit)) for character in unit)
    return (unit * (length // len(unit) + 1))[:length]


texts = short_texts | short_texts | long_texts()
# Texts of a header or a path: a gateway accepts 10,240 bytes of both together.
line_texts = short_texts | short_texts | long_texts(8_000)

numbers = st.one_of(
    st.sampled_from(
        [
            Raw(text)
            for text in (
                "0",
                "-0",
                "-1",
                "1.10",
                "1.005",
                "1e2",
                "1e-2",
                "1e400",
                "-1e-400",
                "1E+99999999999999999999",
                "700000.99999999999999999999999",
                "9" * 15,
                "9" * 18,
                "9" * 19,
                "9" * 32,
                "9" * 33,
                "9" * 5_000,
                "0." + "0" * 400 + "1",
                "01",
                "NaN",
                "-Infinity",
            )
        ]
    ),
    st.integers().map(str).map(Raw),
    st.floats().map(repr).map(Raw),
)

leaves = short_texts | numbers | st.booleans() | st.none()
_small_trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(short_texts, inner, max_size=4),
    max_leaves=12,
)


def _deep(opening: str, depth: int, closing: str) -> Raw:
    return Raw(opening * depth + '"x"' + closing * depth)


_deep_trees = st.builds(
    _deep,
    st.just("["),
    st.sampled_from([5, 31, 32, 33, 100, 5_000, 30_000]),
    st.sampled_from(["]", ""]),
) | st.builds(
    _deep,
    st.just('{"a":'),
    st.sampled_from([5, 31, 32, 33, 100, 5_000]),
    st.sampled_from(["}", ""]),
)


def _wide(leaf: str, count: int, around: int) -> Raw:
    """Return a list of equal leaves below some levels of long names."""
    wide = "[" + ",".join([leaf] * count) + "]"
    for level in range(around):
        wide = '{"' + chr(97 + level) * 500 + '":' + wide + "}"
    return Raw(wide)


def _many_names(count: int) -> Raw:
    return Raw("{" + ",".join(f'"N{number}":1' for number in range(count)) + "}")


_large_trees = st.one_of(
    st.builds(
        _wide,
        st.sampled_from(['"x"', "1", "null", "[]", "{}", '{"b":1}', '""']),
        st.sampled_from([50, 1_000, 10_000]),
        st.sampled_from([0, 1, 5, 25]),
    ),
    st.builds(_many_names, st.sampled_from([21, 1_000, 5_000])),
)

trees = _small_trees | _small_trees | _deep_trees | _large_trees
values = st.one_of(texts, texts, numbers, trees, st.booleans(), st.none())

content_types = st.one_of(
    st.sampled_from(
        [
            "application/json",
            "Application/JSON ; charset=utf-16",
            "application/json;application/json",
            "application/json,text/plain",
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded; charset=latin-1",
            "multipart/form-data; boundary=x",
            "text/plain",
            ";",
            "",
        ]
    ),
    line_texts,
)

languages = st.one_of(
    st.sampled_from(
        [
            "zh",
            "zh-CN,zh;q=0.9,en;q=0.8",
            "en;q=nan,zh;q=inf",
            "zh;q=1e999999999",
            "zh;q=-1,en;q=--",
            "zh;q=" + "9" * 5_000,
            ",".join(["zh;q=0.5"] * 900),
            ";;;,,,===",
            "*",
        ]
    ),
    line_texts,
)

origins = st.one_of(
    st.sampled_from(["null", "", "https://pay.example.com", "https://evil.example", "http://["]),
    line_texts,
)


def _percent(text: str, how: str) -> str:
    """Encode a text for a form: correctly, or as broken clients do."""
    if how == "raw":
        return text
    escaped = quote_plus(text, errors="surrogatepass")
    return {"right": escaped, "twice": escaped.replace("%", "%25"), "cut": escaped[:-1]}[how]


escapings = st.sampled_from(["right", "right", "raw", "twice", "cut"])


def form_of(fields: list[tuple[str, str, str]], separator: str) -> str:
    """Return a form's body; each field has a name, a value and an encoding of both."""
    written = (f"{_percent(name, how)}={_percent(value, how)}" for name, value, how in fields)
    return separator.join(written)
