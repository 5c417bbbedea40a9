"""Listings are shown while they are read, and do not collect rows (contract section 9)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orderdesk_cli.answering import ROWS_A_PAGE, Form, Items, show
from orderdesk_cli.api import NoAnswer
from orderdesk_cli.sheets.sheet import Field, Sheet, Table

NUMBERS = Sheet([Table([Field("number", ("number", "编号"))], ("None.", "无。"))])


def listed(items: Iterator[int]) -> Items:
    return Items(({"number": item} for item in items), NUMBERS)


@pytest.mark.parametrize("form", Form)
def test_a_page_is_shown_before_the_next_is_read(
    capsys: pytest.CaptureFixture[str], form: Form
) -> None:
    shown: list[int] = []

    def things() -> Iterator[int]:
        for number in range(10 * ROWS_A_PAGE):
            if number % ROWS_A_PAGE == 0:
                shown.append(len(re.findall(r"\b1[0-9]{3}\b", capsys.readouterr().out)))
            yield 1000 + number

    show(listed(things()), form)
    assert shown == [0, *[ROWS_A_PAGE] * 9]


def test_what_fails_at_once_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def things() -> Iterator[int]:
        raise NoAnswer
        yield 0

    for form in Form:
        with pytest.raises(NoAnswer):
            show(listed(things()), form)
    assert capsys.readouterr().out == ""


def test_at_a_terminal_more_than_a_page_goes_to_the_pager_as_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = tmp_path / "seen"
    script = tmp_path / "pager"
    script.write_text(f"#!/bin/sh\nhead -n 3 > {seen}\n")
    script.chmod(0o700)
    monkeypatch.setenv("PAGER", str(script))
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    read: list[int] = []

    def things(many: int) -> Iterator[int]:
        for number in range(many):
            read.append(number)
            yield number

    show(listed(things(10**6)), Form.TEXT)
    assert [line.strip() for line in seen.read_text().splitlines()] == ["number", "0", "1"]
    assert len(read) < 10**6
    assert capsys.readouterr().out == ""
    show(listed(things(3)), Form.TEXT)
    assert "2" in capsys.readouterr().out
