"""Values on the command line, masking, and output."""

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.payment_methods import masked_account
from orderdesk_cli.masking import masked_method, masked_name
from orderdesk_cli.values import cny, point_in_time, rate, usdt
from tests.support.seed import ALL_METHODS


@given(st.integers(min_value=0, max_value=10**17 - 1))
def test_amounts_are_read_back_exactly(fen: int) -> None:
    assert cny(format_cny(fen)) == fen
    assert usdt(format_usdt(fen)) == fen


def test_rates_have_four_decimals() -> None:
    assert rate("7.2360") == 72_360


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1767225600", 1_767_225_600),
        ("2026-01-01", 1_767_225_600),
        ("2026-01-01T00:00:00Z", 1_767_225_600),
        ("2026-01-01T08:00:00+08:00", 1_767_225_600),
        ("2026-01-01 00:00:01", 1_767_225_601),
    ],
)
def test_times_are_unix_seconds_or_iso(text: str, seconds: int) -> None:
    assert point_in_time(text).at_us(now_us=7) == seconds * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-13-01",
        "9" * 40,
        "-1",
        "٣",
        "h",
        "-7d",
        "1.5h",
        "9999999d",
        "٣d",
        "7d\n",
    ],
)
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        point_in_time(text)


@pytest.mark.parametrize(
    ("text", "seconds"), [("24h", 86_400), ("7d", 604_800), ("2w", 1_209_600), ("90m", 5400)]
)
def test_a_span_is_back_from_now(text: str, seconds: int) -> None:
    now_us = 1_767_225_600_000_000
    assert point_in_time(text).at_us(now_us) == now_us - seconds * 1_000_000


def test_personal_data_is_masked() -> None:
    for method in ALL_METHODS:
        masked = repr(masked_method(method))
        for private in (method.real_name, method.card_number, method.account, method.qr_code):
            assert not private or private not in masked
    assert masked_name("王小明") == "王**"
    assert masked_name("") == ""
    assert masked_account("13800000001") == "13*******01"
    assert masked_account("abcd") == "****"
