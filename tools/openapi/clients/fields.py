"""The fields of the clients' types, from the schemas of docs/openapi.yaml.

Answers of a method that have several schemas are a union in Python and TypeScript. In Java and Go
they are one type, whose fields are optional unless each schema requires them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tools.openapi.texts import Schema, texts

# Arguments of createBuy and createSell: they are not in the optional parameters.
ARGUMENTS = {"order_type", "cny_amount", "merchant_order_no", "payment_method"}

# The subjects of callbacks. Each has a schema of its data, and types of callbacks.
SUBJECTS = {
    "Order": "an order",
    "Draft": "a draft that has ended without an order",
    "Endpoint": "one of the addresses of callbacks",
    "Account": "a change of an endpoint, a person or a key",
}
# The unions. A field with literal values distinguishes their members.
UNIONS: Mapping[str, tuple[str, ...]] = {
    "CreatedBuy": ("MatchedBuy", "HeldDraft"),
    "Order": ("BuyOrder", "SellOrder"),
    "OrderOrDraft": ("BuyOrder", "SellOrder", "Draft"),
    "EventData": tuple(f"{subject}EventData" for subject in SUBJECTS),
    "Event": tuple(f"{subject}Event" for subject in SUBJECTS),
    "ListedEvent": tuple(f"Listed{subject}Event" for subject in SUBJECTS),
}


def docs() -> Mapping[str, str]:
    """Return the description of each type. Raises: TextMissing."""
    types, about = texts()["types"], SUBJECTS.items()
    return {
        **{name: said for of in ("parameters", "answers") for name, (_, said) in types[of].items()},
        **types["others"],
        **{f"{name}EventData": f"The data of a callback about {of}." for name, of in about},
        **{f"{name}Event": f"A callback about {of}." for name, of in about},
        **{f"Listed{name}Event": f"A listed callback about {of}." for name, of in about},
    }


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its base type (`string`, `integer`, `boolean` or the name of a type), and its form.

    `values` are all possible values if the document lists them.
    """

    name: str
    base: str
    is_required: bool
    is_list: bool = False
    is_nullable: bool = False
    values: tuple[str | int, ...] = ()


type Types = Mapping[str, list[Field]]
type Schemas = Mapping[str, Schema]

EVENT = [
    Field("type", "string", is_required=True),
    Field("timestamp", "integer", is_required=True),
    Field("data", "EventData", is_required=True),
]


def _sources(of: str) -> Mapping[str, list[str]]:
    """Return the names of the schemas that each type of parameters or answers joins."""
    return {name: sources.split() for name, (sources, _) in texts()["types"][of].items()}


def parameters(schemas: Schemas) -> Types:
    """Return the fields of each type of parameters."""
    return {
        name: _fields([schemas[source] for source in sources], {}, _left_out(name))
        for name, sources in _sources("parameters").items()
    }


def _left_out(name: str) -> set[str]:
    return {*COMMON_PARAMETERS, *(ARGUMENTS if name.endswith("Options") else ())}


def joined(schemas: Schemas) -> Types:
    """Return the fields of each type of answers, with one type for a union."""
    answers = _sources("answers")
    names = {part: name for name, parts in answers.items() for part in parts}
    found = {
        name: _fields([schemas[source] for source in sources], names)
        for name, sources in answers.items()
    }
    return {**found, "Event": EVENT}


def split(schemas: Schemas) -> Types:
    """Return the fields of each type of answers, with a type for each member of a union."""
    renamed = {
        "CreatedBuy": "MatchedBuy",
        **{f"{each}Event": f"{each}EventData" for each in SUBJECTS},
    }
    answers = _sources("answers")
    names = {part: renamed.get(part, part) for parts in answers.values() for part in parts}
    of_rows = {**names, **dict.fromkeys(UNIONS["Order"], "Order")}
    found: dict[str, list[Field]] = {}
    for name, parts in answers.items():
        if name == "ListedEvent":
            found |= _events(schemas, of_rows)
        else:
            found |= {names[part]: _fields([schemas[part]], of_rows) for part in parts}
    return found


def _events(schemas: Schemas, names: Mapping[str, str]) -> Types:
    events = {
        f"{subject}Event": _fields(
            [each for each in schemas.values() if _data_of(each) == f"{subject}Event"], names
        )
        for subject in SUBJECTS
    }
    event_id = Field("event_id", "string", is_required=True)
    return {**events, **{f"Listed{name}": [event_id, *fields] for name, fields in events.items()}}


def _data_of(schema: Schema) -> str:
    """Return the name of the schema of a callback's data, "" if this is no callback's schema."""
    data = schema.get("properties", {}).get("data", {})
    return str(data.get("$ref", "")).rpartition("/")[2]


def _fields(
    parts: list[Schema], names: Mapping[str, str], left_out: Collection[str] = ()
) -> list[Field]:
    found = dict.fromkeys(chain(*(part["properties"] for part in parts)))
    return [_field(field, parts, names) for field in found if field not in left_out]


def _field(name: str, parts: list[Schema], names: Mapping[str, str]) -> Field:
    found = [part["properties"][name] for part in parts if name in part["properties"]]
    is_required = all(name in part.get("required", ()) for part in parts)
    items = [each.get("items", each) for each in found]
    choices = [choice for each in items for choice in _choices(each)]
    refs = [choice["$ref"] for choice in choices if "$ref" in choice]
    if refs:
        [base] = {names[ref.rpartition("/")[2]] for ref in refs}
        return Field(name, base, is_required, is_list="items" in found[0])
    kinds = {kind for each in items for kind in _listed(each["type"])}
    [base] = kinds - {"null"}
    values = [_listed(each.get("enum", each.get("const", []))) for each in items]
    known = tuple(dict.fromkeys(chain(*values))) if all(values) else ()
    return Field(name, base, is_required, "items" in found[0], "null" in kinds, known)


def _choices(schema: Schema) -> list[Schema]:
    found: list[Schema] = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
