"""Draws the blocks of a sheet as text for a terminal or a pipe.

A library would draw the same, but importing one takes longer than all the rest of a listing.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import zip_longest

from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.layout import Block, Cell, Column
from orderdesk_cli.sheets.sheet import UNFOLDED, Kind

GAP = 2
_TEXT_WIDTH_MIN = 8  # a column of free text folds down to this before others are left out
_TEXT_WIDTH_LEAST = 2  # a Chinese letter, if there are no others to leave out
_BELOW_MAX = 2  # lines below a row, for values of columns that did not fit
_WIDE_TEXT_WIDTH_MIN = 24  # a wide one is rather left out itself
_BOLD, _CYAN, _HEADING = "1", "36", "1;36"


def drawn(title: str, blocks: Iterable[Block], width: int, *, is_styled: bool = False) -> str:
    """Draw a sheet in so many columns; `is_styled` with a terminal's bold and colour."""
    lines = [(printable(title), _BOLD)] if title else []
    for number, block in enumerate(blocks):
        lines += [("", "")] if number else []
        lines += _block(block, width)
    return "".join(
        f"\x1b[{style}m{line}\x1b[0m\n" if is_styled and style else f"{line}\n"
        for line, style in lines
    )


def _block(block: Block, width: int) -> Iterator[tuple[str, str]]:
    """Yield lines, each with its style."""
    if block.heading:
        yield block.heading, _HEADING
    if block.facts:
        yield from _facts(block.facts, width)
    elif block.rows:
        yield from _table(block, width)
    elif block.empty:
        yield block.empty, ""


def _facts(facts: Sequence[tuple[str, Cell]], width: int) -> Iterator[tuple[str, str]]:
    rows = []
    for name, cell in facts:
        is_named = cell.kind in {Kind.MERCHANT, Kind.TRADER} and cell.text != cell.value
        text = f"{cell.text} ({cell.value})" if is_named else cell.text
        rows.append((name, printable(text), cell.kind in UNFOLDED))
    names = max(width_of(name) for name, *_ in rows)
    values = max(width - names - GAP, _TEXT_WIDTH_MIN)
    for name, text, is_whole in rows:
        columns = [names, width_of(text) if is_whole else values]
        for line in _lines([name, text], columns, [False, False]):
            yield line, ""


def fitting(block: Block, width: int) -> list[int]:
    """Return the indexes of the columns to draw: without wide ones, the last first, until they fit.

    Free text counts with a few letters only, because it folds.
    """
    needed = [_needed(block, index, column) for index, column in enumerate(block.columns)]
    drawn_columns = [index for index in range(len(needed)) if not _is_bare(block, index)]
    for index in reversed(range(len(needed))):
        if sum(needed[i] + GAP for i in drawn_columns) - GAP <= width:
            break
        if block.columns[index].wide and index in drawn_columns:
            drawn_columns.remove(index)
    return drawn_columns


def _table(block: Block, width: int) -> Iterator[tuple[str, str]]:
    indexes = fitting(block, width)
    columns = [block.columns[index] for index in indexes]
    heading = [column.name for column in columns]
    rows = [[printable(row[index].text) for index in indexes] for row in block.rows]
    widths = [max(map(width_of, texts)) for texts in zip(heading, *rows, strict=True)]
    folding = [number for number, each in enumerate(columns) if each.kind not in UNFOLDED]
    while folding and sum(widths) + GAP * (len(widths) - 1) > width:
        widest = max(folding, key=widths.__getitem__)
        if widths[widest] <= _TEXT_WIDTH_LEAST:
            break
        widths[widest] -= 1
    are_numbers = [column.kind is Kind.NUMBER for column in columns]
    left_out = [n for n in range(len(block.columns)) if n not in indexes and not _is_bare(block, n)]
    for line in _lines(heading, widths, are_numbers):
        yield line, _BOLD
    for cells, row in zip(block.rows, rows, strict=True):
        for line in _lines(row, widths, are_numbers):
            yield line, ""
        for line in _below([(block.columns[n].name, cells[n]) for n in left_out], width):
            yield line, ""


def _below(cells: Iterable[tuple[str, Cell]], width: int) -> list[str]:
    """Write what did not fit into a row's columns in lines below it, as much as has place."""
    lines: list[str] = []
    for name, cell in cells:
        value = printable(cell.text)
        part = f"{name} {value}" if value else ""
        joined = f"{lines[-1]} · {part}" if lines else ""
        if part and joined and width_of(joined) <= width:
            lines[-1] = joined
        elif part and len(lines) < _BELOW_MAX and width_of(part) + GAP <= width:
            lines.append(f"{'':{GAP}}{part}")
    return lines


def _lines(row: Sequence[str], widths: Sequence[int], are_numbers: Sequence[bool]) -> Iterator[str]:
    """Yield the lines of a row; numbers are aligned to the right."""
    cells = [folded(text, width) for text, width in zip(row, widths, strict=True)]
    for texts in zip_longest(*cells, fillvalue=""):
        parts = []
        for text, width, is_number in zip(texts, widths, are_numbers, strict=True):
            space = " " * (width - width_of(text))
            parts.append(space + text if is_number else text + space)
        yield (" " * GAP).join(parts).rstrip()


def folded(text: str, width: int) -> list[str]:
    """Break a text into lines between its words, and a word that is too long anywhere.

    A link stays whole, so that it can be copied.
    """
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(joined) <= width:
            lines[-1] = joined
            continue
        lines += [""] if lines[-1] else []
        if "://" in word:
            lines[-1] = word
            continue
        for letter in word:
            if lines[-1] and width_of(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


@cache
def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def _needed(block: Block, index: int, column: Column) -> int:
    widest = max(map(width_of, [column.name, *(row[index].text for row in block.rows)]))
    if column.kind in UNFOLDED:
        return widest
    return min(widest, _WIDE_TEXT_WIDTH_MIN if column.wide else _TEXT_WIDTH_MIN)


def _is_bare(block: Block, index: int) -> bool:
    """Return whether a column has no value at all; it is left out then."""
    return block.columns[index].wide and not any(row[index].text for row in block.rows)
