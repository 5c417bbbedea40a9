"""Listings are shown while they are read, and do not collect rows (contract section 9)."""

import csv
import io
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.csv_cells import csv_lines
from orderdesk.domain.errors import TryAgain
from orderdesk_cli import listings
from orderdesk_cli.listings import ROWS_A_PAGE, Listed, show_listed


def listed(items: Iterator[int]) -> Listed[int]:
    return Listed(
        items,
        data=lambda item: {"number": item},
        columns=["number"],
        row=lambda item: [str(item)],
        empty="None.",
    )


def test_a_page_is_shown_before_the_next_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    def things() -> Iterator[int]:
        for number in range(2 * ROWS_A_PAGE):
            if number == ROWS_A_PAGE:
                shown.append(capsys.readouterr().out)
            yield number

    show_listed(listed(things()), as_json=False)
    assert shown[0].count("\n") == ROWS_A_PAGE + 1


def test_what_fails_at_once_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def things() -> Iterator[int]:
        raise TryAgain
        yield 0

    for as_json in (False, True):
        with pytest.raises(TryAgain):
            show_listed(listed(things()), as_json=as_json)
    assert capsys.readouterr().out == ""


def test_at_a_terminal_more_than_a_page_goes_to_the_pager_as_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = tmp_path / "seen"
    script = tmp_path / "pager"
    script.write_text(f"#!/bin/sh\nhead -n 3 > {seen}\n")
    script.chmod(0o700)
    monkeypatch.setenv("PAGER", str(script))
    monkeypatch.setattr(listings, "is_at_terminal", lambda: True)
    read: list[int] = []

    def things(many: int) -> Iterator[int]:
        for number in range(many):
            read.append(number)
            yield number

    show_listed(listed(things(10**6)), as_json=False)
    assert [line.strip() for line in seen.read_text().splitlines()] == ["number", "0", "1"]
    assert len(read) < 10**6
    assert capsys.readouterr().out == ""
    show_listed(listed(things(3)), as_json=False)
    assert "2" in capsys.readouterr().out


@given(st.lists(st.lists(st.text(), min_size=1), min_size=1))
def test_no_cell_is_a_formula_or_holds_control_characters(rows: list[list[str]]) -> None:
    written = csv_lines(rows)
    assert not {c for c in written if unicodedata.category(c)[0] == "C"} - {"\n"}
    read = list(csv.reader(io.StringIO(written)))
    assert [len(row) for row in read] == [len(row) for row in rows]
    assert not [cell for row in read for cell in row if cell.lstrip().startswith(tuple("=+-@"))]
