"""The types of the clients as source code of each language."""

import re
from collections.abc import Iterator
from pathlib import Path

from tools.openapi.clients.fields import UNIONS, Field, Types, docs
from tools.templates import templates

NOTE = "Written by `make openapi` from docs/openapi.yaml."
_TEMPLATES = templates(Path(__file__).with_name("templates"))
# Whole numbers that are neither a time nor an id.
SMALL = {"limit", "http_status", "latency_ms", "sequence", "max_rps"}
SMALL |= {"service_bps", "deposit_bps", "spread_bps"}
SMALL |= {"max_open_buys", "open_buys", "max_open_sells", "open_sells"}
# Long lists of values that have a name.
VALUES = {
    "TimelineEntry.status": "OrderStatus",
    "Order.status": "OrderOrDraftStatus",
    "Draft.status": "DraftStatus",
    "OrderEvent.type": "OrderEventType",
    "Delivery.type": "CallbackType",
    "Delivery.status": "DeliveryStatus",
}


def named_values(answers: Types) -> dict[tuple[str | int, ...], str]:
    """Return the names of lists of values."""
    return {
        field.values: VALUES[f"{name}.{field.name}"]
        for name, fields in answers.items()
        for field in fields
        if f"{name}.{field.name}" in VALUES
    }


def unions_after(name: str) -> list[str]:
    """Return the unions whose last member is a type."""
    return [union for union, members in UNIONS.items() if members[-1] == name]


def _of_other_members(name: str, answers: Types) -> list[str]:
    """Return the fields that only other members of a type's unions have."""
    others = {member for members in UNIONS.values() if name in members for member in members}
    own = {field.name for field in answers.get(name, ())}
    found = dict.fromkeys(
        field.name for other in answers if other in others for field in answers[other]
    )
    return [field for field in found if field not in own]


def written(language: str, requests: Types, answers: Types) -> str:
    """Return the types in a language, by the template of that name."""
    return _TEMPLATES.get_template(f"{language}.jinja").render(
        note=NOTE,
        docs=docs(),
        unions=UNIONS,
        named=named_values(answers),
        requests=requests,
        answers=answers,
        is_long=_is_long,
        camel=_camel,
        unions_after=unions_after,
        of_other_members=_of_other_members,
        go_structs=_go_structs,
    )


def _is_long(field: Field) -> bool:
    """Return whether a whole number can be large: a time or an id."""
    return not field.values and field.name not in SMALL


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


_INITIALS = {"id": "ID", "url": "URL", "usdt": "USDT", "cny": "CNY", "http": "HTTP", "qr": "QR"}
_GO = {"createtime": "CreateTime", "updatetime": "UpdateTime"}


def _go_structs(requests: Types, answers: Types) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each type with its rows: name, type and key, as wide as gofmt makes the columns.

    A zero value is an absent parameter, and an absent or null answer.
    """
    for name, fields in {**requests, **answers}.items():
        names = [_go_name(each.name) for each in fields]
        kinds = [_go(each, is_answer=name not in requests) for each in fields]
        columns = [[text.ljust(max(map(len, each))) for text in each] for each in (names, kinds)]
        yield name, [list(row) for row in zip(*columns, (f.name for f in fields), strict=True)]


def _go_name(name: str) -> str:
    return _GO.get(name) or "".join(
        _INITIALS.get(word, word.capitalize()) for word in name.split("_")
    )


def _go(field: Field, *, is_answer: bool) -> str:
    whole = "int64" if _is_long(field) else "int"
    flag = "*bool" if field.is_nullable else "bool"
    known = {"string": "string", "integer": whole, "boolean": flag, "object": "map[string]string"}
    base = known.get(field.base, field.base)
    if field.base[0].isupper() and not field.is_list:
        base = f"*{base}"
    if not is_answer and 0 in field.values:
        base = f"*{base}"  # 0 is a value: live orders only
    return f"[]{base}" if field.is_list else base
