"""Amounts are integers: exact, never rounded, never floats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain import money
from orderdesk.domain.money import format_cny, format_usdt, parse_fixed
from tests.support.typed_amounts import PLAIN, SIGNED, UNFIT


@pytest.mark.parametrize(
    ("text", "fen"),
    [("0.1", 10), ("1.10", 110), ("12345678901.23", 1234567890123), ("1000", 100000), ("00.5", 50)],
)
def test_cny_is_read_exactly(text: str, fen: int) -> None:
    assert parse_fixed(text, 2) == fen


NO_DECIMALS = ["", " 1", "1 ", "-1", "+1", "1e3", "1.", ".5", "1,000", "NaN", "Infinity", "０"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        *((text, money.NotAnAmount) for text in (*NO_DECIMALS, "1\n", "0x1")),
        ("1.100", money.TooManyDecimals),
        ("9" * 400, money.TooLarge),
    ],
)
def test_what_is_no_plain_decimal_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse_fixed(text, 2)


@pytest.mark.parametrize(("text", "plain"), (PLAIN | SIGNED).items())
def test_a_typed_amount_is_read_as_its_plain_form(text: str, plain: str) -> None:
    assert money.parse_typed_cny(text) == parse_fixed(plain, 2)
    if text in PLAIN:
        assert money.parse_typed_usdt(text) == money.parse_usdt(plain)


@pytest.mark.parametrize("text", UNFIT)
def test_what_could_be_another_amount_is_refused(text: str) -> None:
    for parse in (money.parse_typed_cny, money.parse_typed_usdt):
        with pytest.raises(ValueError, match=r"\A\Z"):
            parse(text)


@pytest.mark.parametrize("text", SIGNED)
def test_usdt_has_no_sign_of_cny(text: str) -> None:
    with pytest.raises(money.NotAnAmount):
        money.parse_typed_usdt(text)


@given(st.integers(min_value=0, max_value=10**17), st.integers(min_value=1, max_value=8))
def test_format_and_parse_are_inverse(value: int, decimals: int) -> None:
    text = money.format_fixed(value, decimals)
    assert len(text.split(".")[1]) == decimals
    if len(text.split(".")[0]) <= money.MAX_INTEGER_DIGITS:
        assert parse_fixed(text, decimals) == value


def test_negative_amounts_format_with_one_sign() -> None:
    assert format_usdt(-1) == "-0.000001"
    assert format_cny(-12345) == "-123.45"


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("100.50", 10050),
        ("1e3", 100000),
        ("1E+3", 100000),
        ("100000e-4", 1000),
        ("1.10", 110),
        ("0.01", 1),
        ("12345678901.23", 1234567890123),
        ("999999999999999.99", 99999999999999999),
    ],
)
def test_a_json_number_is_read_exactly(text: str, fen: int) -> None:
    assert money.parse_json_number(text, money.CNY_DECIMALS) == fen


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("700000.99999999999999999999999999999e0", money.TooManyDecimals),
        ("1.001", money.TooManyDecimals),
        ("1.000", money.TooManyDecimals),
        ("1e-3", money.TooManyDecimals),
        ("1e1000000", money.TooLarge),
        ("1e99999999999999999999999999", money.TooLarge),
        ("1e-99999999999999999999999999", money.TooManyDecimals),
        ("1000000000000000", money.TooLarge),
        ("0", money.NotAnAmount),
        ("0e999999999", money.NotAnAmount),
        ("-1", money.NotAnAmount),
        ("-0.00", money.NotAnAmount),
    ],
)
def test_a_json_number_is_never_rounded(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        money.parse_json_number(text, money.CNY_DECIMALS)


@given(st.integers(1, 10**17 - 1), st.integers(0, 20))
def test_an_exponent_changes_the_writing_only(fen: int, zeros: int) -> None:
    written = f"{fen}{'0' * zeros}e{-money.CNY_DECIMALS - zeros}"
    assert money.parse_json_number(written, money.CNY_DECIMALS) == fen
