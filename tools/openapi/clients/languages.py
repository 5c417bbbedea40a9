"""The types of the clients as source code of each language."""

import re
from collections.abc import Mapping

from tools.openapi.clients.fields import DOCS, UNIONS, Field, Types

NOTE = "Written by `make openapi` from docs/openapi.yaml."
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


# Python


def python(requests: Types, answers: Types) -> str:
    """Return orderdesk_client/types.py."""
    named = named_values(answers)
    values = [
        f"{name} = Literal[\n" + "".join(f'    "{each}",\n' for each in of) + "]"
        for of, name in named.items()
    ]
    parts = [
        f'# SPDX-License-Identifier: Apache-2.0\n"""Parameters and answers. {NOTE}"""\n\n'
        "from decimal import Decimal\n"
        "from typing import Literal, NotRequired, TypedDict, final\n\n" + "\n".join(values)
    ]
    for name, fields in requests.items():
        lines = [f"    {each.name}: {_python(each, named)}" for each in fields]
        parts.append(_python_class(f"{name}(TypedDict, total=False)", DOCS[name], lines))
    for name, fields in answers.items():
        lines = [
            f"    {each.name}: "
            + (_python(each, named) if each.is_required else f"NotRequired[{_python(each, named)}]")
            for each in fields
        ]
        parts.append("@final\n" + _python_class(f"{name}(TypedDict)", DOCS[name], lines))
        parts += [_python_union(union) for union in unions_after(name)]
    text = "\n\n\n".join(parts) + "\n"
    return text.replace("max_discount: str", "max_discount: str | Decimal")


def _python_class(head: str, doc: str, lines: list[str]) -> str:
    return f'class {head}:\n    """{doc}"""\n\n' + "\n".join(lines)


def _python_union(name: str) -> str:
    return f'{name} = {" | ".join(UNIONS[name])}\n"""{DOCS[name]}"""'


def _python(field: Field, named: Mapping[tuple[str | int, ...], str]) -> str:
    known = {"string": "str", "integer": "int", "boolean": "bool", "object": "dict[str, str]"}
    base = known.get(field.base, field.base)
    if field.values:
        base = named.get(field.values) or f"Literal[{', '.join(map(_quoted, field.values))}]"
    base = f"list[{base}]" if field.is_list else base
    return f"{base} | None" if field.is_nullable else base


def _quoted(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


# TypeScript


def typescript(requests: Types, answers: Types) -> str:
    """Return types.d.mts."""
    named = named_values(answers)
    parts = [f"// SPDX-License-Identifier: Apache-2.0\n// {NOTE}"]
    for values, name in named.items():
        rows = "".join(f"\n  | {_quoted(each)}" for each in values)
        parts.append(f"export type {name} ={rows};")
    for name, fields in {**requests, **answers}.items():
        lines = [
            f"  {each.name}{'' if each.is_required else '?'}: {_typescript(each, named)};"
            for each in fields
        ]
        head = f"/** {DOCS[name]} */\nexport interface {name} {{"
        absent = [f"  {each}?: undefined;" for each in _of_other_members(name, answers)]
        parts.append("\n".join([head, *lines, *absent, "}"]))
        for union in unions_after(name):
            declared = f"export type {union} = {' | '.join(UNIONS[union])};"
            parts.append(f"/** {DOCS[union]} */\n{declared}")
    return "\n\n".join(parts) + "\n"


def _of_other_members(name: str, answers: Types) -> list[str]:
    """Return the fields that only other members of a type's unions have."""
    others = {member for members in UNIONS.values() if name in members for member in members}
    own = {field.name for field in answers.get(name, ())}
    found = dict.fromkeys(
        field.name for other in answers if other in others for field in answers[other]
    )
    return [field for field in found if field not in own]


def _typescript(field: Field, named: Mapping[tuple[str | int, ...], str]) -> str:
    known = {"integer": "number", "object": "Record<string, string>"}
    base = known.get(field.base, field.base)
    if field.values:
        base = named.get(field.values) or " | ".join(map(_quoted, field.values))
    base = f"{base}[]" if field.is_list else base
    return f"{base} | null" if field.is_nullable else base


# Java


def java(requests: Types, answers: Types) -> str:
    """Return Api.java: records of answers, and parameters with a method for each field."""
    parts = [
        f"// SPDX-License-Identifier: Apache-2.0\n// {NOTE}\npackage orderdesk;",
        "import java.util.List;\nimport java.util.Map;",
        "/** Parameters and answers. An absent value is null, or 0 for a whole number. */",
        "public final class Api {\n    private Api() {}",
    ]
    for name, fields in requests.items():
        head = f"    /** {DOCS[name]} */\n"
        head += f"    public static final class {name} extends Parameters {{"
        methods = [
            f"        public {name} {_camel(each.name)}({_java(each)} value) {{\n"
            f'            put("{each.name}", value);\n            return this;\n        }}'
            for each in fields
        ]
        parts.append(head + "\n" + "\n\n".join(methods) + "\n    }")
    for name, fields in answers.items():
        rows = ",\n".join(f"        {_java(each)} {_camel(each.name)}" for each in fields)
        parts.append(f"    /** {DOCS[name]} */\n    public record {name}(\n{rows}) {{}}")
    return "\n\n".join(parts).replace("*/\n\n", "*/\n") + "\n}\n"


def _java(field: Field) -> str:
    whole = "long" if _is_long(field) else "int"
    flag = "Boolean" if field.is_nullable else "boolean"
    known = {"string": "String", "integer": whole, "boolean": flag, "object": "Map<String, String>"}
    base = known.get(field.base, field.base)
    return f"List<{base}>" if field.is_list else base


def _is_long(field: Field) -> bool:
    """Return whether a whole number can be large: a time or an id."""
    return not field.values and field.name not in SMALL


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


# Go

_INITIALS = {"id": "ID", "url": "URL", "usdt": "USDT", "cny": "CNY", "http": "HTTP", "qr": "QR"}
_GO = {"createtime": "CreateTime", "updatetime": "UpdateTime"}


def go(requests: Types, answers: Types) -> str:
    """Return types.go. A zero value is an absent parameter, and an absent or null answer."""
    parts = [f"// SPDX-License-Identifier: Apache-2.0\n\n// {NOTE}\n\npackage orderdesk"]
    for name, fields in {**requests, **answers}.items():
        rows = [
            (_go_name(each.name), _go(each, is_answer=name not in requests), each.name)
            for each in fields
        ]
        first = max(len(row[0]) for row in rows)
        second = max(len(row[1]) for row in rows)
        lines = [
            f'\t{field:<{first}} {kind:<{second}} `json:"{key},omitempty"`'
            for field, kind, key in rows
        ]
        verb = "is" if DOCS[name].startswith("A") else "has"
        doc = f"// {name} {verb} {DOCS[name][0].lower()}{DOCS[name][1:]}".replace("`", "")
        parts.append("\n".join([doc, f"type {name} struct {{", *lines, "}"]))
    return "\n\n".join(parts) + "\n"


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
