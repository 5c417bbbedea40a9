"""Sections, tables and code spans of the Markdown documents."""

import re
from pathlib import Path

from tests.support.template import ROOT

type Row = list[str]


def read_document(name: str) -> str:
    """Read a document by its path in the repository."""
    return (ROOT / name).read_text("utf-8")


def sections(text: str) -> dict[int, str]:
    """Return a document's sections by the number in their headings ("## 3. Codes")."""
    parts = re.split(r"^## (\d+)\. .*$", text, flags=re.MULTILINE)
    return {int(number): body for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def table(text: str, *columns: str) -> list[Row]:
    """Return the rows of the first table with these first columns."""
    rows = tables(text, *columns)
    assert rows, f"no table with the columns {columns}"
    return rows[0]


def tables(text: str, *columns: str) -> list[list[Row]]:
    """Return the rows of every table with these first columns."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    read = [[_cells(line) for line in block.splitlines()] for block in blocks]
    return [rows[2:] for rows in read if tuple(rows[0][: len(columns)]) == columns]


def _cells(line: str) -> Row:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def code_spans(text: str) -> list[str]:
    """Return everything in single backticks, outside code blocks."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", prose)


def documents() -> list[Path]:
    """Return every document: those of docs/ and of clients/, and those at the root."""
    patterns = ("*.md", "docs/*.md", "docs/decisions/*.md", "clients/**/README.md")
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))
