"""Item sizes and capacity units, by the rules of DynamoDB's developer guide."""

from collections.abc import Mapping
from typing import Any

WRITE_UNIT_BYTES = 1024
READ_UNIT_BYTES = 4096
_DOCUMENT_BYTES = 3  # of every list and map
_ELEMENT_BYTES = 1  # of each element in it


def item_bytes(item: Mapping[str, Any]) -> int:
    """Return the billed size of an item: names and values."""
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def write_units(size_bytes: int) -> int:
    """Return the units of one write of an item; a transaction writes each item twice."""
    return max(1, -(-size_bytes // WRITE_UNIT_BYTES))


def read_units(size_bytes: int, *, consistent: bool) -> float:
    """Return the units of reading an item, or a query's page, whose sizes are added first."""
    units = max(1, -(-size_bytes // READ_UNIT_BYTES))
    return units if consistent else units / 2


def _value_bytes(attribute: Mapping[str, Any]) -> int:  # noqa: PLR0911 - one for each
    [(kind, value)] = attribute.items()
    match kind:
        case "S":
            return len(value.encode())
        case "N":
            return _number_bytes(value)
        case "B":
            return len(value)
        case "BOOL" | "NULL":
            return 1
        case "SS":
            return sum(len(element.encode()) for element in value)
        case "L":
            elements = sum(_value_bytes(inner) + _ELEMENT_BYTES for inner in value)
            return _DOCUMENT_BYTES + elements
        case "M":
            return _DOCUMENT_BYTES + item_bytes(value) + _ELEMENT_BYTES * len(value)
        case _:
            raise NotImplementedError(f"the size of a {kind}")


def _number_bytes(text: str) -> int:
    """Return about one byte for two significant digits, plus one, plus one for a sign."""
    digits = text.lstrip("-").replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")
