"""Each row of the threat model names a test, or the decision that accepts it without one.

test_documents.py checks that the tests exist.
"""

import re

import pytest

from tests.infra.markdown import Row, code_spans, read_document, tables
from tests.support.template import ROOT

THREATS = read_document("docs/threat-model.md")
HEADS = (("Who attacks", "What", "What stops it"), ("What fails", "What", "What stops it"))
ROWS = [row for heads in HEADS for rows in tables(THREATS, *heads) for row in rows]
TEST = re.compile(r"test_\w+|tests/[\w/]+(\.py)?")
ACCEPTED = re.compile(r"none: .*accepted \(decision (\d+)\)")


def shown_by(rows: list[Row]) -> dict[str, str]:
    """Return the last cell of each row; "the same" is that of the row above."""
    shown: dict[str, str] = {}
    last = ""
    for row in rows:
        last = last if row[-1] == "the same" else row[-1]
        shown[" | ".join(row[:2])] = last
    return shown


@pytest.mark.parametrize(("threat", "shown"), shown_by(ROWS).items())
def test_each_row_names_a_test_or_the_decision_that_accepts_it(threat: str, shown: str) -> None:
    if accepted := ACCEPTED.fullmatch(shown):
        assert list((ROOT / "docs" / "decisions").glob(f"{int(accepted[1]):04}-*.md"))
    else:
        assert any(TEST.fullmatch(span) for span in code_spans(shown)), threat
