"""What a sheet is: the facts and columns of an API answer, declared once.

A sheet is rendered as text for terminals, CSV for spreadsheets and HTML for the console. JSON is
the answer itself. Labels are pairs: English, Chinese.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

type Json = bool | int | str | Sequence[Json] | Mapping[str, Json] | None
type Label = tuple[str, str]


class Kind(Enum):
    """What a value is; it decides how the value is written, aligned and linked."""

    TEXT = auto()
    ASIDE = auto()  # text that pages write below a row
    WORD = auto()  # one of a few values, such as a status: translated, a chip on pages
    FLAG = auto()  # shown only if it is true
    NUMBER = auto()  # aligned to the right; amounts are strings in the answer already
    TIME = auto()  # Unix seconds, written as Beijing time
    DURATION = auto()  # seconds
    CODE = auto()  # an identifier: never folded, to be copied
    ORDER = auto()  # the number of an order or draft
    CALLBACK = auto()
    PROPOSAL = auto()
    MERCHANT = auto()  # an id; people see the name where it is known
    TRADER = auto()
    PERSON = auto()  # an operator
    SUBJECT = auto()  # the id of whatever an operator worked on
    DECISION = auto()  # what a proposal or request does, written as a sentence


UNFOLDED = frozenset(Kind) - {Kind.TEXT, Kind.ASIDE, Kind.SUBJECT, Kind.DECISION}
"""Kinds that stay on one line; a table omits other columns first."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of an answer: its path with dots, its label, its kind.

    A table leaves out `wide` columns, the last first, where the terminal is too narrow.
    """

    path: str
    label: Label
    kind: Kind = Kind.TEXT
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Values of one thing, name by name; empty ones are left out."""

    fields: Sequence[Field]
    at: str = ""
    heading: Label = ("", "")


@dataclass(frozen=True, slots=True)
class Table:
    """Things of a kind, a row each.

    `at` is the path of a list, or of an object whose keys become each row's value `key`. With
    `each` a row shows one item of a list that the things have, such as a callback's attempts.
    """

    columns: Sequence[Field]
    empty: Label = ("", "")
    at: str = ""
    heading: Label = ("", "")
    key: str = "key"
    each: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a change makes of each value: two objects in the answer, a row for each name."""

    before: str = "before"
    after: str = "after"
    heading: Label = ("Change", "变更")


type Part = Facts | Table | Changes


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer's parts in order; `title` may name values of the answer, as `{order_no}`.

    A part whose path is not in the answer is left out.
    """

    parts: Sequence[Part]
    title: Label = ("", "")


def without(sheet: Sheet, *paths: str) -> Sheet:
    """Return a list's sheet without some columns, where a page shows their values otherwise."""
    [table] = sheet.parts
    assert isinstance(table, Table)
    kept = [column for column in table.columns if column.path not in paths]
    return Sheet([replace(table, columns=kept)], sheet.title)


def value_at(data: Json, path: str) -> Json:
    """Return the value at a path with dots; None where there is none."""
    for name in path.split(".") if path else ():
        if not isinstance(data, Mapping):
            return None
        data = data.get(name)
    return data


def members(value: Json) -> Sequence[Json]:
    """Return the members of a list; none if the value is something else."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def objects(value: Json) -> list[Mapping[str, Json]]:
    """Return the objects of a list; none if the value is something else."""
    return [each for each in members(value) if isinstance(each, Mapping)]
