"""What a command prints: page by page, without control characters, and what it asks (section 9)."""

import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orderdesk_cli.answering import (
    ROWS_A_PAGE,
    Answer,
    Declined,
    Form,
    complain,
    confirm,
    printable_json,
    show,
)
from orderdesk_cli.api import NoAnswer
from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.sheet import Facts, Field, Json, Sheet, Table

# CSI as one character, an escape sequence, a right-to-left override, isolates, a bell, a new line.
HOSTILE = "\x9b31mred\x1b]0;title\x07 \u202egnp.exe\u2066x\u2069\nforged line\u2028\u2029\rx\ud800"


def controls_in(text: str) -> set[str]:
    return {letter for letter in text if unicodedata.category(letter)[0] == "C"} - {"\n"}


ANSWER = Field("answer", ("answer", "应答"))
LIST = Sheet([Table([ANSWER], ("None.", "无。"))])


@pytest.mark.parametrize("form", Form)
def test_an_answer_holds_no_control_character(
    capsys: pytest.CaptureFixture[str], form: Form
) -> None:
    sheet = LIST if form is Form.CSV else Sheet([Facts([ANSWER])], ("{answer}", "{answer}"))
    data: Json = {"answer": HOSTILE}
    answer = Answer(
        [data] if form is Form.CSV else data, sheet, complaints=[HOSTILE], warning=HOSTILE
    )
    show(answer, form)
    out, err = capsys.readouterr()
    assert controls_in(out) == controls_in(err) == set()
    assert "red" in out
    if form is Form.JSON:
        assert json.loads(out) == {"answer": HOSTILE}


def test_a_cell_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show(Answer([{"answer": HOSTILE}], LIST), Form.TEXT)
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("first\nsecond\x9b2J")
    assert capsys.readouterr().err == "first second\ufffd2J\n"


@pytest.mark.parametrize("piped", ["stdin", "stdout", ""])
def test_only_whoever_has_a_terminal_on_both_sides_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], piped: str
) -> None:
    for name in ("stdin", "stdout"):
        typed = io.StringIO("n\n") if name == "stdin" else io.StringIO()
        monkeypatch.setattr(typed, "isatty", lambda name=name: name != piped, raising=False)
        monkeypatch.setattr(sys, name, typed)
    with nullcontext() if piped else pytest.raises(Declined):
        confirm(lambda: ({}, Sheet([], ("what will happen", ""))), is_agreed=False)
    asked = "" if piped else "what will happen\nDo it? [y/N]: "
    assert capsys.readouterr().err == asked


@given(st.text())
def test_printable_text_has_the_same_length_and_no_controls(text: str) -> None:
    assert len(printable(text)) == len(text)
    assert not controls_in(printable(text))
    assert "\n" not in printable(text)


@example("\x7f")
@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_says_the_same(value: object) -> None:
    text = printable_json(value, ensure_ascii=False, indent=2)
    assert json.loads(text) == value
    assert not controls_in(text)


NUMBERS = Sheet([Table([Field("number", ("number", "编号"))], ("None.", "无。"))])


def listed(items: Iterator[int]) -> Answer:
    return Answer(({"number": item} for item in items), NUMBERS)


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
