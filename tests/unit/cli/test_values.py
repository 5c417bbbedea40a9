"""Values on the command line."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk_cli.options import cny, moment_us, rate, since, until, usdt


@given(st.integers(min_value=0, max_value=10**15 - 1), st.integers(min_value=0, max_value=99))
def test_amounts_are_sent_as_written(whole: int, part: int) -> None:
    text = f"{whole}.{part:02}"
    assert cny(text) == usdt(text) == rate(text) == text


@pytest.mark.parametrize("text", ["", "1.", ".5", "-1", "+1", "1e3", "1,000", "٣", " 1", "1.001"])
def test_other_amounts_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        cny(text)


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
