"""Between plain Python values and DynamoDB's typed attributes.

boto3's own serializer would cost its import on the hot path (10 to 16 ms cold) and knows types that
nothing here stores: every number is an int.
"""

import base64
from collections.abc import Mapping
from typing import Any

type Value = str | int | bool | bytes | list[Value] | dict[str, Value] | None
type Item = dict[str, Value]
type WireItem = dict[str, Any]


def to_attribute(value: Value) -> dict[str, Any]:
    """Type one value. Raises: TypeError for what is never stored, a float above all."""
    match value:
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case int():
            return {"N": str(value)}
        case bytes():
            return {"B": value}
        case list():
            return {"L": [to_attribute(inner) for inner in value]}
        case dict():
            return {"M": to_item(value)}
        case _:
            raise TypeError(f"not storable: {type(value).__name__}")


def to_item(values: Mapping[str, Value]) -> WireItem:
    """Type an item's attributes; None means that the attribute is absent."""
    return {name: to_attribute(value) for name, value in values.items() if value is not None}


def from_attribute(attribute: Mapping[str, Any]) -> Value:
    """Read one typed attribute."""
    [(kind, value)] = attribute.items()
    match kind:
        case "N":
            return int(value)
        case "L":
            return [from_attribute(inner) for inner in value]
        case "M":
            return from_item(value)
        case "S" | "BOOL":
            return value  # type: ignore[no-any-return]
        case "B":
            # Base64 where nothing between the wire and here has decoded it.
            return base64.b64decode(value) if isinstance(value, str) else value
        case _:
            raise TypeError(f"unknown attribute type {kind}")


def from_item(item: Mapping[str, Any]) -> Item:
    """Read an item's attributes."""
    return {name: from_attribute(attribute) for name, attribute in item.items()}
