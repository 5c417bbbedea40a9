"""What a page of the console is made of: sections with facts, tables, pictures and actions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orderdesk_cli.console.charts import Chart

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of a fact or a row; `chip` is the look of a status, `is_number` aligns it right."""

    text: str
    link: str = ""
    chip: str = ""
    is_number: bool = False


type Cells = Sequence[Cell | str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns; without rows its section says `empty`."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Cells]
    empty: str

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows, every cell as a Cell."""
        return [[cell(each) for each in row] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Fact:
    """A named value."""

    name: str
    value: Cell


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a payer or trader sent; `original` downloads the file as it came."""

    label: str
    source: str
    original: str


@dataclass(frozen=True, slots=True)
class Field:
    """What an operator fills in: a text, or one of `choices`; `kind` is the input's type."""

    name: str
    label: str
    value: str = ""
    choices: Sequence[str] = ()
    hint: str = ""
    required: bool = False
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Action:
    """A link to a question; `look` is a class of the shared style: soft, wrong or nothing."""

    text: str
    link: str
    look: str = "soft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a page."""

    heading: str
    note: str = ""
    facts: Sequence[Fact] = ()
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    charts: Sequence[Chart] = ()
    actions: Sequence[Action] = field(default=())


def cell(value: Cell | str) -> Cell:
    """Give a text as a cell."""
    return value if isinstance(value, Cell) else Cell(value)


def number(text: str) -> Cell:
    """Give an amount or a count."""
    return Cell(text, is_number=True)


def facts(**values: Cell | str) -> list[Fact]:
    """Give named values in their order, without the empty ones; `_` in a name is a space."""
    told = {name.replace("_", " "): cell(value) for name, value in values.items()}
    return [Fact(name, value) for name, value in told.items() if value.text]
