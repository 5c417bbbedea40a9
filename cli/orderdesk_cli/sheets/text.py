"""Draws the blocks of a sheet on a terminal, with Rich."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from orderdesk_cli.plain_text import printable
from orderdesk_cli.sheets.layout import Block, Cell, Column
from orderdesk_cli.sheets.sheet import UNFOLDED, Kind

GAP = 2
_TEXT_WIDTH_MIN = 8  # a column of free text folds down to this before others are left out
_WIDE_TEXT_WIDTH_MIN = 24  # a wide one is rather left out itself
_HEADING = "bold cyan"


def drawn(title: str, blocks: Iterable[Block], width: int) -> RenderableType:
    """Draw a sheet for a terminal of so many columns."""
    parts: list[RenderableType] = [Text(printable(title), "table.title")] if title else []
    for number, block in enumerate(blocks):
        if number:
            parts.append(Text())
        parts += _block(block, width)
    return Group(*parts)


def _block(block: Block, width: int) -> Iterator[RenderableType]:
    if block.heading:
        yield Text(block.heading, _HEADING)
    if block.facts:
        yield _facts(block.facts)
    elif block.rows:
        yield table_of(block, fitting(block, width))
    elif block.empty:
        yield Text(block.empty)


def _facts(facts: Sequence[tuple[str, Cell]]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, GAP, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, cell in facts:
        table.add_row(name, Text(printable(cell_text(cell))))
    return table


def cell_text(cell: Cell) -> str:
    """Write a cell; a name is followed by the id behind it."""
    if cell.kind in {Kind.MERCHANT, Kind.TRADER} and cell.text != cell.value:
        return f"{cell.text} ({cell.value})"
    return cell.text


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


def table_of(block: Block, indexes: Sequence[int]) -> Table:
    """Draw some columns of a block's rows."""
    table = Table(box=None, header_style="bold", padding=(0, GAP, 0, 0), pad_edge=False)
    for index in indexes:
        column = block.columns[index]
        is_number = column.kind is Kind.NUMBER
        table.add_column(
            column.name,
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=column.kind in UNFOLDED,
        )
    for row in block.rows:
        table.add_row(*(Text(printable(row[index].text)) for index in indexes))
    return table


def _needed(block: Block, index: int, column: Column) -> int:
    texts = [column.name, *(row[index].text for row in block.rows)]
    widest = max(Text(text).cell_len for text in texts)
    if column.kind in UNFOLDED:
        return widest
    return min(widest, _WIDE_TEXT_WIDTH_MIN if column.wide else _TEXT_WIDTH_MIN)


def _is_bare(block: Block, index: int) -> bool:
    """Return whether a column has no value at all; it is left out then."""
    return block.columns[index].wide and not any(row[index].text for row in block.rows)
