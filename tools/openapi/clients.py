"""The clients' typed parameters and answers, and their packages' version, from the document.

`make openapi` writes them. Answers of a method that have several schemas are one type, whose fields
are optional unless each schema requires them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tools.openapi.parameters import Schema

CLIENTS = Path(__file__).parents[2] / "clients"
NOTE = "Written by `make openapi` from docs/openapi.yaml."
# Arguments of createBuy and createSell: they are not in the optional parameters.
ARGUMENTS = {"order_type", "cny_amount", "merchant_order_no", "payment_method"}
# Whole numbers that are neither a time nor an id.
SMALL = {"limit", "http_status", "latency_ms", "sequence"}
# Long lists of values that have a name.
VALUES = {
    "TimelineEntry.status": "OrderStatus",
    "Order.status": "OrderOrDraftStatus",
    "Delivery.type": "CallbackType",
    "Delivery.status": "DeliveryStatus",
}

# Each type of the clients: its description, and the schemas that it joins. A type comes after those
# that it uses.
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "PaymentMethod": ("BankMethod", "WalletMethod"),
    "BuyOptions": ("Buy",),
    "SellOptions": ("Sell",),
    "OrderNumber": ("OrderNumber",),
    "AnyNumber": ("AnyNumber",),
    "OrderFilters": ("OrderListing",),
    "StatementFilters": ("Statement",),
    "CallbackFilters": ("CallbackListing",),
}
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "TraderMethod": ("TraderMethod",),
    "CustomerMethod": ("CustomerMethod",),
    "TimelineEntry": ("TimelineEntry",),
    "CreatedBuy": ("CreatedBuy", "HeldDraft"),
    "CreatedSell": ("CreatedSell",),
    "Order": ("BuyOrder", "SellOrder", "Draft"),
    "OrderPage": ("OrderPage",),
    "Balance": ("Balance",),
    "Balances": ("Balances",),
    "Posting": ("Posting",),
    "StatementPage": ("StatementPage",),
    "Attempt": ("Attempt",),
    "Delivery": ("Delivery",),
    "PausedEndpoint": ("PausedEndpoint",),
    "CallbackPage": ("CallbackPage",),
    "EventData": ("OrderEvent", "DraftEvent", "EndpointEvent"),
}
DOCS = {
    "PaymentMethod": "A customer's method: the fields of a bank account, or those of a wallet.",
    "BuyOptions": "The optional parameters of a buy.",
    "SellOptions": "The optional parameters of a sell.",
    "OrderNumber": "The number of an order: one of the fields.",
    "AnyNumber": "The number of an order or a draft: one of the fields.",
    "OrderFilters": "The filters of a list of orders.",
    "StatementFilters": "The filters of a statement.",
    "CallbackFilters": "The filters of a list of callbacks.",
    "TraderMethod": "The account to which the payer of a buy sends the money.",
    "CustomerMethod": "The account to which a sell is paid.",
    "TimelineEntry": "A change of an order's status.",
    "CreatedBuy": "A buy, or a draft that waits for the customer's identity: see `result_status`.",
    "CreatedSell": "A sell.",
    "Order": "An order, or a draft without `order_no`.",
    "OrderPage": "A page of orders.",
    "Balance": "A balance in USDT.",
    "Balances": "The balances of live and test money.",
    "Posting": "A posting of an account.",
    "StatementPage": "A page of postings.",
    "Attempt": "An attempt to deliver a callback.",
    "Delivery": "A callback with its attempts.",
    "PausedEndpoint": "An endpoint whose callbacks wait because it keeps failing.",
    "CallbackPage": "A page of callbacks.",
    "EventData": "The data of a callback: of an order, or of a draft (`pending_no`).",
    "Event": "A callback.",
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


def types(schemas: Mapping[str, Schema], names: Mapping[str, tuple[str, ...]]) -> Types:
    """Return the fields of each type."""
    joined = {part: name for name, parts in ANSWERS.items() for part in parts}

    def left_out(name: str) -> set[str]:
        return {*COMMON_PARAMETERS, *(ARGUMENTS if name.endswith("Options") else ())}

    return {
        name: [
            _field(field, parts, joined)
            for field in dict.fromkeys(chain(*(part["properties"] for part in parts)))
            if field not in left_out(name)
        ]
        for name, sources in names.items()
        for parts in [[schemas[source] for source in sources]]
    }


def _field(name: str, parts: list[Schema], joined: Mapping[str, str]) -> Field:
    found = [part["properties"][name] for part in parts if name in part["properties"]]
    is_required = all(name in part.get("required", ()) for part in parts)
    items = [each.get("items", each) for each in found]
    choices = [choice for each in items for choice in each.get("anyOf", [each])]
    refs = [choice["$ref"] for choice in choices if "$ref" in choice]
    if refs:
        [base] = {joined[ref.rpartition("/")[2]] for ref in refs}
        return Field(name, base, is_required, is_list="items" in found[0])
    kinds = {kind for each in items for kind in _listed(each["type"])}
    [base] = kinds - {"null"}
    values = [_listed(each.get("enum", each.get("const", []))) for each in items]
    known = tuple(dict.fromkeys(chain(*values))) if all(values) else ()
    return Field(name, base, is_required, "items" in found[0], "null" in kinds, known)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def named_values(answers: Types) -> dict[tuple[str | int, ...], str]:
    """Return the names of lists of values."""
    return {
        field.values: VALUES[f"{name}.{field.name}"]
        for name, fields in answers.items()
        for field in fields
        if f"{name}.{field.name}" in VALUES
    }


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
        "from decimal import Decimal\nfrom typing import Literal, NotRequired, TypedDict\n\n"
        + "\n".join(values)
    ]
    for name, fields in requests.items():
        lines = [f"    {each.name}: {_python(each, named)}" for each in fields]
        parts.append(_python_class(f"{name}(TypedDict, total=False)", DOCS[name], lines))
    for name, fields in {**answers, "Event": EVENT}.items():
        lines = [
            f"    {each.name}: "
            + (_python(each, named) if each.is_required else f"NotRequired[{_python(each, named)}]")
            for each in fields
        ]
        parts.append(_python_class(f"{name}(TypedDict)", DOCS[name], lines))
    text = "\n\n\n".join(parts) + "\n"
    return text.replace("max_discount: str", "max_discount: str | Decimal")


def _python_class(head: str, doc: str, lines: list[str]) -> str:
    return f'class {head}:\n    """{doc}"""\n\n' + "\n".join(lines)


def _python(field: Field, named: Mapping[tuple[str | int, ...], str]) -> str:
    base = {"string": "str", "integer": "int", "boolean": "bool"}.get(field.base, field.base)
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
    for name, fields in {**requests, **answers, "Event": EVENT}.items():
        lines = [
            f"  {each.name}{'' if each.is_required else '?'}: {_typescript(each, named)};"
            for each in fields
        ]
        head = f"/** {DOCS[name]} */\nexport interface {name} {{"
        parts.append("\n".join([head, *lines, "}"]))
    return "\n\n".join(parts) + "\n"


def _typescript(field: Field, named: Mapping[tuple[str | int, ...], str]) -> str:
    base = {"integer": "number"}.get(field.base, field.base)
    if field.values:
        base = named.get(field.values) or " | ".join(map(_quoted, field.values))
    base = f"{base}[]" if field.is_list else base
    return f"{base} | null" if field.is_nullable else base


# Java


def java(requests: Types, answers: Types) -> str:
    """Return Api.java: records of answers, and parameters with a method for each field."""
    parts = [
        f"// SPDX-License-Identifier: Apache-2.0\n// {NOTE}\npackage orderdesk;",
        "import java.util.List;",
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
    for name, fields in {**answers, "Event": EVENT}.items():
        rows = ",\n".join(f"        {_java(each)} {_camel(each.name)}" for each in fields)
        parts.append(f"    /** {DOCS[name]} */\n    public record {name}(\n{rows}) {{}}")
    return "\n\n".join(parts).replace("*/\n\n", "*/\n") + "\n}\n"


def _java(field: Field) -> str:
    whole = "long" if _is_long(field) else "int"
    base = {"string": "String", "integer": whole}.get(field.base, field.base)
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
    for name, fields in {**requests, **answers, "Event": EVENT}.items():
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
    base = {"string": "string", "integer": whole, "boolean": "bool"}.get(field.base, field.base)
    if field.base[0].isupper() and not field.is_list:
        base = f"*{base}"
    if not is_answer and 0 in field.values:
        base = f"*{base}"  # 0 is a value: live orders only
    return f"[]{base}" if field.is_list else base


EVENT = [
    Field("type", "string", is_required=True),
    Field("timestamp", "integer", is_required=True),
    Field("data", "EventData", is_required=True),
]
WRITTEN: Mapping[str, Callable[[Types, Types], str]] = {
    "python/orderdesk_client/types.py": python,
    "javascript/types.d.mts": typescript,
    "java/src/main/java/orderdesk/Api.java": java,
    "go/types.go": go,
}
# The line of each package's manifest that has the version; Go has it in a tag.
MANIFESTS = {
    "python/pyproject.toml": r'(?m)^(version = ").*(")$',
    "javascript/package.json": r'(?m)^(  "version": ").*(",)$',
    "php/composer.json": r'(?m)^(    "version": ").*(",)$',
    "java/pom.xml": r"(?m)^(  <version>).*(</version>)$",
}


def files(document: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text of each file of the clients that comes from the document."""
    schemas = document["components"]["schemas"]
    requests, answers = types(schemas, REQUESTS), types(schemas, ANSWERS)
    found = {CLIENTS / name: write(requests, answers) for name, write in WRITTEN.items()}
    for name, pattern in MANIFESTS.items():
        text = (CLIENTS / name).read_text("utf-8")
        version = rf"\g<1>{document['info']['version']}\g<2>"
        found[CLIENTS / name] = re.sub(pattern, version, text, count=1)
    return found
