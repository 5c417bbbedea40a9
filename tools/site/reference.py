"""The API reference and the error catalogue, from docs/openapi.yaml, by the templates here."""

import json
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from tools.templates import templates

type Schema = Mapping[str, Any]

FILE = Path(__file__).parents[2] / "docs" / "openapi.yaml"
JSON = "application/json"
PARTS = ("reference", "callbacks", "errors", "retries", "deprecated")
CALLED_BACK = ["OrderEvent", "DraftEvent"]


@cache
def _read(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return loaded


WRITTEN = _read(Path(__file__).with_name("words.yaml"))
"""The words of the generated parts, and the places of the pictures."""


def words(part: str) -> dict[str, dict[str, str]]:
    """Return the words of a part in each language by name."""
    both = WRITTEN[part].items()
    return {
        language: {name: pair[nth] for name, pair in both}
        for nth, language in enumerate(("en", "zh"))
    }


WORDS, _ERRORS = words("reference"), words("errors")


def document() -> dict[str, Any]:
    """Read docs/openapi.yaml."""
    return _read(FILE)


def _resolved(part: Schema) -> Any:
    found: Any = part
    if "$ref" in part:
        found = document()
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step]
    return found


def _name(part: Schema) -> str:
    return str(part["$ref"].rsplit("/", 1)[1])


def _refs(schema: Schema) -> list[Schema]:
    """Return the alternatives of a schema, each a reference."""
    return list(schema.get("oneOf") or schema.get("anyOf") or [schema])


def _text(part: Schema, key: str, language: str) -> str:
    found = part.get(f"x-{key}-zh") if language == "zh" else part.get(key)
    return str(found or "").replace("|", "\\|")


@cache
def nested() -> list[str]:
    """Return the names of the objects inside answers and callbacks, in the order of their use."""
    operations = [item["post"] for item in document()["paths"].values()]
    waiting = [_name(part) for operation in operations for part in _refs(_data_of(operation))]
    waiting += CALLED_BACK
    found: list[str] = []
    for schema in waiting:
        for field in document()["components"]["schemas"][schema]["properties"].values():
            for part in _refs(field.get("items", field)):
                if "$ref" in part and _name(part) not in found:
                    found.append(_name(part))
                    waiting.append(_name(part))
    return found


def _data_of(operation: Schema) -> Schema:
    schema = operation["responses"]["200"]["content"][JSON]["schema"]
    data: Schema = schema["properties"]["data"]
    return data


def _choices(body: Schema) -> dict[str, str]:
    """Return the parameters of which one may be sent, and the word for it."""
    forbidden = body.get("not", {}).get("anyOf", ())
    word = "one" if any("not" in each for each in forbidden) else "at most one"
    return {name: word for each in forbidden for name in each.get("required", ())}


def _type(schema: Schema, language: str) -> str:
    words = WORDS[language]
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if "$ref" in schema:
        shown = _linked(_name(schema))
    elif "const" in schema:
        shown = f"`{json.dumps(schema['const'])}`"
    elif alternatives:
        shown = f" {words['or']} ".join(_type(part, language) for part in alternatives)
    elif "enum" in schema:
        shown = ", ".join(f"`{value}`" for value in schema["enum"])
    elif schema["type"] == "array":
        shown = f"{words['array']} {_type(schema['items'], language)}"
    else:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        shown = f" {words['or']} ".join(kind for kind in kinds if kind != "null" or len(kinds) > 1)
        if "maxLength" in schema:
            shown = f"string, {words['max'].format(schema['maxLength'])}"
    return shown


def _linked(name: str) -> str:
    """Return an object's name, with a link if it has a table."""
    return f"[{name}](reference.md#{name})" if name in nested() else name


def _own_parameters(part: Schema) -> Schema:
    """Return a body's schema without the common parameters."""
    body, common = _resolved(part), document()["components"]["schemas"]["Nothing"]["properties"]
    own = {name: each for name, each in body["properties"].items() if name not in common}
    return {**body, "properties": own}


def _refusals(operation: Schema) -> list[tuple[int, str]]:
    """Return the codes and reasons of an operation's refusals, each once."""
    codes = {each["reason"]: each["code"] for each in document()["x-codes"]}
    refused = (each for status, each in operation["responses"].items() if status != "200")
    parts = (_refs(each["content"][JSON]["schema"]) for each in refused)
    reasons = dict.fromkeys(_name(part) for each in parts for part in each)
    return [(codes[reason], reason) for reason in reasons]


def _pretty(example: Schema) -> str:
    return json.dumps(_resolved(example)["value"], ensure_ascii=False, indent=2)


_TEMPLATES = templates(Path(__file__).with_name("templates"))
_TEMPLATES.globals |= {
    "called_back": [{"$ref": f"#/components/schemas/{name}"} for name in CALLED_BACK],
    "choices": _choices,
    "data_of": _data_of,
    "json": JSON,
    "name_of": _name,
    "nested": nested,
    "own_parameters": _own_parameters,
    "pretty": _pretty,
    "refs": _refs,
    "refusals": _refusals,
    "resolved": _resolved,
}


def written(part: str, language: str, **values: Any) -> str:
    """Return a generated part in a language, by the template of its name."""
    text = _TEMPLATES.get_template(f"{part}.md.jinja").render(
        document=document(),
        language=language,
        words=WORDS[language],
        said=_ERRORS[language],
        text=partial(_text, language=language),
        type_of=partial(_type, language=language),
        **values,
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip()
