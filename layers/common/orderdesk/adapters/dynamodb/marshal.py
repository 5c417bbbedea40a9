"""Conversion between plain Python values and DynamoDB's typed attributes.

Importing boto3's serializer would add 10 to 16 ms to a cold start. It also handles types that are
not stored here: every number is an int.
"""

import base64
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, astuple, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin

type Value = str | int | bool | bytes | frozenset[str] | list[Value] | dict[str, Value] | None
type Item = dict[str, Value]
type WireItem = dict[str, Any]


def to_attribute(value: Value) -> dict[str, Any]:  # noqa: PLR0911 - one for each
    """Return a typed attribute. Raises: TypeError for an unsupported type, such as float."""
    match value:
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int():
            return {"N": str(value)}
        case bytes():
            return {"B": value}
        case frozenset():
            assert value, "DynamoDB has no empty sets"
            return {"SS": sorted(value)}
        case list():
            return {"L": [to_attribute(inner) for inner in value]}
        case dict():
            return {"M": to_item(value)}
        case _:
            raise TypeError(f"not storable: {type(value).__name__}")


def to_item(values: Mapping[str, Value]) -> WireItem:
    """Return an item's typed attributes, without None values."""
    return {name: to_attribute(value) for name, value in values.items() if value is not None}


def from_attribute(attribute: Mapping[str, Any]) -> Value:
    """Return the value of a typed attribute. Raises: TypeError for an unknown type."""
    [(kind, value)] = attribute.items()
    match kind:
        case "N":
            return int(value)
        case "L":
            return [from_attribute(inner) for inner in value]
        case "M":
            return from_item(value)
        case "SS":
            return frozenset(value)
        case "S" | "BOOL":
            return value  # type: ignore[no-any-return]
        case "B":
            # Base64 text if botocore's parser has not decoded it (see `client`).
            return base64.b64decode(value) if isinstance(value, str) else value
        case _:
            raise TypeError(f"unknown attribute type {kind}")


def from_item(item: Mapping[str, Any]) -> Item:
    """Return the values of an item's attributes."""
    return {name: from_attribute(attribute) for name, attribute in item.items()}


def attributes_of(of: object, *names: str) -> Item:
    """Return fields as attributes of their names, which a `Stored` reads again."""
    return {name: value_of(getattr(of, name)) for name in " ".join(names).split()}


def value_of(of: object) -> Value:
    """Return a dataclass as a map of its fields, a tuple as a list, an enum member as its value."""
    match of:
        case Enum():
            return cast("Value", of.value)
        case str() | int() | bytes() | frozenset() | None:
            return of
        case tuple() | list():
            return [value_of(each) for each in of]
        case Mapping():
            return {name: value_of(each) for name, each in of.items()}
        case _ if is_dataclass(of):
            return attributes_of(of, *of.__dataclass_fields__)
        case _:
            raise TypeError(f"not storable: {type(of).__name__}")


class Stored[T]:
    """How the values of a dataclass are stored: each field in an attribute of its name.

    The fields of `beside` are stored in another way. One of `usual` is only stored if its value is
    not the default. One of `later` may be missing in older items, and has its default then. One of
    `rows` has dataclasses, each of which is stored as the list of its values.
    """

    def __init__(
        self, kind: type[T], *, beside: str = "", usual: str = "", later: str = "", rows: str = ""
    ) -> None:
        own = [each for each in fields(cast("Any", kind)) if each.name not in beside.split()]
        nullable = {each.name for each in own if NoneType in get_args(each.type)}
        self._kind = kind
        self._readers = {each.name: _reader_of(each.type) for each in own}
        self._rows = frozenset(rows.split())
        self._usual = {each.name: _default(each) for each in own if each.name in usual.split()}
        self._optional = {*usual.split(), *later.split(), *nullable}
        self._none = {f.name: None for f in own if f.name in nullable and _default(f) is MISSING}

    def item(self, of: T) -> Item:
        """Return the attributes of a value; None for one that is not stored."""
        usual, values = self._usual, ((name, getattr(of, name)) for name in self._readers)
        return {
            name: None if name in usual and value == usual[name] else self._written(name, value)
            for name, value in values
        }

    def _written(self, name: str, value: Any) -> Value:
        return [list(astuple(each)) for each in value] if name in self._rows else value_of(value)

    def of(self, row: Mapping[str, Any], **beside: Any) -> T:
        """Return the value of a row; `beside` are the fields that have no attribute.

        Raises: KeyError with the name of an attribute that is missing.
        """
        values: dict[str, Any] = {}
        for name, read in self._readers.items():
            if (value := row.get(name)) is not None:
                values[name] = read(value)
            elif name not in self._optional:
                raise KeyError(name)
        return self._kind(**self._none | values, **beside)

    def part(self, stored: Any) -> T:
        """Return the value of an attribute: a map of its fields, or a list of them."""
        if isinstance(stored, list):
            return self._kind(*stored)
        values = {name: self._readers[name](value) for name, value in stored.items()}
        return self._kind(**self._none | values)


def _default(field: Field[Any]) -> object:
    """Return a field's default, MISSING if it has none."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def _reader_of(hint: Any) -> Callable[[Any], Any]:
    """Return how a value of a type is read from an attribute."""
    if isinstance(hint, UnionType):
        return _reader_of(next(each for each in get_args(hint) if each is not NoneType))
    if get_origin(hint) is tuple:
        each = _reader_of(get_args(hint)[0])
        return lambda values: tuple(map(each, values))
    if is_dataclass(hint):
        return Stored(cast("type[Any]", hint)).part
    return hint if isinstance(hint, type) and issubclass(hint, Enum) else lambda value: value


_MARK = re.compile(r"#\w+")


def expressed(
    values: Mapping[str, Value], *expressions: str, names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the names and values of a request's expressions.

    A mark `#name` is the attribute `name`, unless `names` has another one for it.
    """
    found = {mark: mark[1:] for mark in _MARK.findall(" ".join(expressions))} | dict(names or {})
    return {
        **({"ExpressionAttributeNames": found} if found else {}),
        **({"ExpressionAttributeValues": to_item(values)} if values else {}),
    }


UNREADABLE = (
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    zlib.error,
)
"""What a parser raises for a malformed item."""


def readable[T](parse: Callable[[Item], T], items: Iterable[Mapping[str, Any]]) -> Iterator[T]:
    """Parse a list's items on demand; leave out malformed ones, as `readable_rows` does."""
    return readable_rows(lambda item: parse(from_item(item)), items)


def readable_rows[R, T](
    parse: Callable[[R], T], rows: Iterable[R], report: Callable[[Exception], None] | None = None
) -> Iterator[T]:
    """Parse the rows of a list on demand; leave out malformed ones.

    The ledger check names those of its tables. Errors of other tables go to `report`.
    """
    for row in rows:
        try:
            parsed = parse(row)
        except UNREADABLE as error:
            if report is not None:
                report(error)
            continue
        yield parsed
