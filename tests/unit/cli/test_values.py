"""Values on the command line."""

from pathlib import Path

import click
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from orderdesk_cli.options import cny, code_text, moment_us, rate, since, until, usdt
from tests.support.typed_amounts import PLAIN, SIGNED, UNFIT


@given(st.integers(min_value=0, max_value=10**15 - 1), st.integers(min_value=0, max_value=99))
def test_amounts_are_sent_as_written(whole: int, part: int) -> None:
    text = f"{whole}.{part:02}"
    assert cny(text) == usdt(text) == rate(text) == text


@pytest.mark.parametrize(("text", "plain"), (PLAIN | SIGNED).items())
def test_a_typed_amount_is_sent_in_its_plain_form(text: str, plain: str) -> None:
    assert cny(text) == plain
    if text in PLAIN:
        assert usdt(text) == rate(text) == plain


@pytest.mark.parametrize("text", [*UNFIT, "1.00001"])
def test_other_amounts_are_refused(text: str) -> None:
    for parse in (cny, rate):
        with pytest.raises(click.BadParameter):
            parse(text)


@pytest.mark.parametrize("text", SIGNED)
def test_usdt_has_no_sign_of_cny(text: str) -> None:
    with pytest.raises(click.BadParameter):
        usdt(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1767225600", 1_767_225_600),
        ("2026-01-01", 1_767_196_800),
        ("2026-01-01T00:00:00Z", 1_767_225_600),
        ("2026-01-01T08:00:00+08:00", 1_767_225_600),
        ("2026-01-01 00:00:01", 1_767_196_801),
    ],
)
def test_times_are_unix_seconds_or_iso_in_beijing_time(text: str, seconds: int) -> None:
    assert moment_us(text, 7) == seconds * 1_000_000


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
    with pytest.raises(click.BadParameter):
        moment_us(text, 7)


@pytest.mark.parametrize(
    ("text", "seconds"), [("24h", 86_400), ("7d", 604_800), ("2w", 1_209_600), ("90m", 5400)]
)
def test_a_span_is_back_from_now(text: str, seconds: int) -> None:
    now_us = 1_767_225_600_000_000
    assert moment_us(text, now_us) == now_us - seconds * 1_000_000


def test_bounds_between_two_seconds_leave_the_seconds_outside_out() -> None:
    between = "2026-01-01T00:00:00.5Z"
    assert (since(between), until(between)) == (1_767_225_601, 1_767_225_600)


@pytest.mark.parametrize("text", ["", "wxp://f2f0", "https://img.example.com/1.png", "other://x"])
def test_a_payment_codes_text_is_sent_as_written(text: str) -> None:
    assert code_text(text) == text


def test_a_payment_codes_picture_is_sent_as_its_text(tmp_path: Path) -> None:
    file = tmp_path / "code.png"
    segno.make("wxp://f2f0").save(str(file), scale=4)
    assert code_text(str(file)) == "wxp://f2f0"


def test_a_file_without_a_payment_code_is_refused(tmp_path: Path) -> None:
    for name, content in (("none.png", None), ("text.png", b"no picture")):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(click.BadParameter):
            code_text(str(file))
