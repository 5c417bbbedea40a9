"""Listings are shown while they are read, and do not collect rows (contract section 9)."""

import csv
import io
import json
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


class Kept:
    """Count how many instances exist, now and at most."""

    alive = most = 0

    def __init__(self, number: int) -> None:
        self.number = number
        Kept.alive += 1
        Kept.most = max(Kept.most, Kept.alive)

    def __del__(self) -> None:
        Kept.alive -= 1


def listed(items: Iterator[Kept], *, as_csv: bool = False) -> Listed[Kept]:
    return Listed(
        items,
        data=lambda item: {"number": item.number},
        columns=["number"],
        row=lambda item: [str(item.number)],
        empty="None.",
        csv_columns=["number"],
        csv_row=(lambda item: [str(item.number)]) if as_csv else None,
    )


@pytest.fixture(autouse=True)
def nobody() -> None:
    Kept.alive = Kept.most = 0


@pytest.mark.parametrize("form", ["json", "csv", "people"])
def test_ten_thousand_are_shown_without_keeping_them(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    things = (Kept(number) for number in range(10_000))
    show_listed(listed(things, as_csv=form == "csv"), as_json=form == "json")
    out = capsys.readouterr().out
    assert Kept.most <= 3 * ROWS_A_PAGE
    match form:
        case "json":
            assert json.loads(out) == [{"number": number} for number in range(10_000)]
        case "csv":
            assert [row["number"] for row in csv.DictReader(io.StringIO(out))][-1] == "9999"
        case _:
            assert [line.strip() for line in out.splitlines()][:3] == ["number", "0", "1"]


def test_a_page_is_shown_before_the_next_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    def things() -> Iterator[Kept]:
        for number in range(2 * ROWS_A_PAGE):
            if number == ROWS_A_PAGE:
                shown.append(capsys.readouterr().out)
            yield Kept(number)

    show_listed(listed(things()), as_json=False)
    assert shown[0].count("\n") == ROWS_A_PAGE + 1


def test_what_fails_at_once_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def things() -> Iterator[Kept]:
        raise TryAgain
        yield Kept(0)

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

    def things(many: int) -> Iterator[Kept]:
        for number in range(many):
            read.append(number)
            yield Kept(number)

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
