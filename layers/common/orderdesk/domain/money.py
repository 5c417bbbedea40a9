"""Amounts as integers: CNY in fen (1/100), USDT in micro (1/1 000 000), rates in 1/10 000.

Floats and Decimal contexts are not used. Amounts are stored, added and compared as integers. On the
wire they are strings with fixed decimals (contract section 1).
"""

import re

CNY_DECIMALS = 2
USDT_DECIMALS = 6
RATE_DECIMALS = 4

# Far above any order, while every product of two amounts still fits DynamoDB's 38 digits.
MAX_INTEGER_DIGITS = 15

# No sign, because an amount is positive. The body's parser refuses leading zeros, which JSON
# forbids.
_JSON_NUMBER = re.compile(
    r"(?P<whole>[0-9]+)(?:\.(?P<fraction>[0-9]+))?(?:[eE](?P<exponent>[+-]?[0-9]+))?\Z"
)
_PLAIN = re.compile(r"(?P<whole>[0-9]+)(?:\.(?P<fraction>[0-9]+))?\Z")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?\Z")
# Input methods for Chinese write digits and marks in full width.
_FULL_WIDTH = {0xFF01 + nth: chr(0x21 + nth) for nth in range(94)} | {0xFFE5: "¥"}


class NotAnAmount(ValueError):
    """The text is not a plain non-negative decimal number."""


class TooManyDecimals(ValueError):
    """The text has more decimals than the unit. Amounts are never rounded."""


class TooLarge(ValueError):
    """The number has more integer digits than an amount may have."""


def parse_fixed(text: str, decimals: int) -> int:
    """Parse a plain decimal ("100.5") to an integer in units of 10^-decimals.

    Raises: NotAnAmount, TooManyDecimals, TooLarge.
    """
    match = _PLAIN.match(text)
    if match is None:
        raise NotAnAmount
    fraction = match["fraction"] or ""
    if len(fraction) > decimals:
        raise TooManyDecimals
    whole = match["whole"].lstrip("0")
    if len(whole) > MAX_INTEGER_DIGITS:
        raise TooLarge
    return int((whole or "0") + fraction.ljust(decimals, "0"))


def parse_typed(text: str, decimals: int, sign: str = "") -> int:
    """Parse an amount that a person typed: `1234.5`, `1,234.50`, in full width, with a sign before.

    A comma is only read where it groups three digits: `10,5` is no amount, never 105. The command
    line reads the same forms (`cli/orderdesk_cli/options.py`); both have one table of tests.
    Raises: see `parse_fixed`.
    """
    plain = text.translate(_FULL_WIDTH).strip().removeprefix(sign).lstrip()
    return parse_fixed(plain.replace(",", "") if _GROUPED.match(plain) else plain, decimals)


def parse_json_number(text: str, decimals: int) -> int:
    """Parse a JSON number, which may have an exponent, to an integer in units of 10^-decimals.

    `1e3` is 1000. With an exponent only the value counts, not the written decimals: `100000e-4` is
    10. The number is never rounded, whatever its length.
    Raises: NotAnAmount (also for zero and negative numbers), TooManyDecimals, TooLarge.
    """
    match = _JSON_NUMBER.match(text)
    if match is None:
        raise NotAnAmount
    fraction, exponent = match["fraction"] or "", match["exponent"]
    digits = (match["whole"] + fraction).lstrip("0")
    places = len(fraction)
    if not digits:
        raise NotAnAmount
    if exponent is not None:
        significant = digits.rstrip("0")
        places -= len(digits) - len(significant) + int(exponent)
        digits = significant
    if places > decimals:
        raise TooManyDecimals
    if len(digits) - places > MAX_INTEGER_DIGITS:
        raise TooLarge
    return int(digits + "0" * (decimals - places))


def format_fixed(value: int, decimals: int) -> str:
    """Format an integer in units of 10^-decimals with exactly that many decimals."""
    sign = "-" if value < 0 else ""
    whole, fraction = divmod(abs(value), 10**decimals)
    return f"{sign}{whole}.{fraction:0{decimals}d}"


def parse_typed_cny(text: str) -> int:
    """Parse CNY that a person typed, to fen. Raises: see `parse_fixed`."""
    return parse_typed(text, CNY_DECIMALS, "¥")


def parse_typed_usdt(text: str) -> int:
    """Parse USDT that a person typed, to micro-USDT. Raises: see `parse_fixed`."""
    return parse_typed(text, USDT_DECIMALS)


def parse_usdt(text: str) -> int:
    """Parse USDT to micro-USDT. Raises: see `parse_fixed`."""
    return parse_fixed(text, USDT_DECIMALS)


def format_cny(fen: int) -> str:
    """Format fen as CNY with 2 decimals."""
    return format_fixed(fen, CNY_DECIMALS)


def format_usdt(micro: int) -> str:
    """Format micro-USDT as USDT with 6 decimals."""
    return format_fixed(micro, USDT_DECIMALS)


def format_rate(rate_e4: int) -> str:
    """Format a rate in units of 1/10 000 with 4 decimals."""
    return format_fixed(rate_e4, RATE_DECIMALS)
