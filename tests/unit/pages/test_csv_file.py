"""CSV of the desk and the portal: a spreadsheet runs no cell and changes no text."""

import csv
from io import StringIO

import pytest

from orderdesk.web.pages.csv_file import csv_file
from tests.support.csv_cells import CELLS


@pytest.mark.parametrize(("text", "as_text", "as_value"), CELLS)
def test_a_spreadsheet_keeps_a_text(text: str, as_text: str, as_value: str) -> None:
    file = csv_file("x.csv", [(text, text)], {1})
    assert next(csv.reader(StringIO(file.text.removeprefix("\ufeff")))) == [as_text, as_value]
