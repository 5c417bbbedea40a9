"""The API reference and the error catalogue, from docs/openapi.yaml."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tools.markdown import table

type Schema = Mapping[str, Any]

FILE = Path(__file__).parents[2] / "docs" / "openapi.yaml"
JSON = "application/json"
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


def routes(language: str) -> str:
    """Return a section for each route, and one with the types of their objects."""
    sections = [_route(path, item["post"], language) for path, item in document()["paths"].items()]
    return "\n\n".join([*sections, *_types(language)])


def _types(language: str) -> Iterator[str]:
    """Yield a table for each object that a field of an answer or a callback refers to."""
    yield f"## {WORDS[language]['types']} {{#types}}"
    for name in nested():
        shape = document()["components"]["schemas"][name]
        yield f"### {name} {{#{name}}}"
        yield _table(shape["properties"], shape["required"], language)


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


def _route(path: str, operation: Schema, language: str) -> str:
    words = WORDS[language]
    return "\n\n".join(
        [
            f"## {_text(operation, 'summary', language)} {{#{operation['operationId']}}}",
            f"POST {path}\n{{ .route }}",
            _text(operation, "description", language),
            f"### {words['parameters']} {{#{operation['operationId']}-parameters}}",
            *_parameters(operation["requestBody"]["content"][JSON]["schema"], language),
            f"### {words['answer']} {{#{operation['operationId']}-answer}}",
            *_objects(_refs(_data_of(operation)), language),
            f"### {words['refusals']} {{#{operation['operationId']}-refusals}}",
            _refusals(operation["responses"]),
            f"### {words['examples']} {{#{operation['operationId']}-examples}}",
            *_examples(operation, language),
        ]
    )


def _parameters(schema: Schema, language: str) -> Iterator[str]:
    common = set(document()["components"]["schemas"]["Nothing"]["properties"])
    alternatives = _refs(schema)
    for part in alternatives:
        body = _resolved(part)
        own = {name: inner for name, inner in body["properties"].items() if name not in common}
        if len(alternatives) > 1:
            yield f"**{_name(part)}**"
        if not own:
            yield WORDS[language]["none"]
            continue
        yield WORDS[language]["common"]
        yield _table(own, body["required"], language, _choices(body))
        for inner in own.values():
            if "oneOf" in inner:
                yield from _objects(inner["oneOf"], language)


def _choices(body: Schema) -> dict[str, str]:
    """Return the parameters of which one may be sent, and the word for it."""
    forbidden = body.get("not", {}).get("anyOf", ())
    word = "one" if any("not" in each for each in forbidden) else "at most one"
    return {name: word for each in forbidden for name in each.get("required", ())}


def _objects(parts: Sequence[Schema], language: str) -> Iterator[str]:
    for part in parts:
        shape = _resolved(part)
        yield f"**{_name(part)}**"
        yield _table(shape["properties"], shape["required"], language)


def _table(
    properties: Schema, required: list[str], language: str, choices: Mapping[str, str] | None = None
) -> str:
    words = WORDS[language]
    rows = []
    for name, schema in properties.items():
        needed = words[(choices or {}).get(name) or ("yes" if name in required else "no")]
        notes = _text(schema, "description", language)
        rows.append((f"`{name}`", _type(schema, language), needed, notes))
    return table([words[name] for name in ("field", "type", "required", "notes")], rows)


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


def _refusals(responses: Schema) -> str:
    codes = {each["reason"]: each["code"] for each in document()["x-codes"]}
    found = []
    for status, response in responses.items():
        if status != "200":
            found += [_name(part) for part in _refs(response["content"][JSON]["schema"])]
    links = (f"[{codes[reason]} {reason}](errors.md#{reason})" for reason in dict.fromkeys(found))
    return " · ".join(links)


def _examples(operation: Schema, language: str) -> Iterator[str]:
    words = WORDS[language]
    sides = (
        (words["request"], operation["requestBody"]["content"][JSON]["examples"]),
        (words["answer"], operation["responses"]["200"]["content"][JSON]["examples"]),
    )
    for title, examples in sides:
        for name, example in examples.items():
            value = json.dumps(_resolved(example)["value"], ensure_ascii=False, indent=2)
            block = "\n".join(f"    {line}" for line in ["```json", *value.splitlines(), "```"])
            yield f'??? example "{title}: {name}"\n\n{block}'


def callbacks(language: str) -> str:
    """Return the meaning of each callback type, and the fields of the bodies."""
    notes, webhooks = WORDS[language]["notes"], document()["x-webhooks"].items()
    rows = ((f"`{kind}`", _text(item["post"], "description", language)) for kind, item in webhooks)
    events = [{"$ref": f"#/components/schemas/{name}"} for name in CALLED_BACK]
    return "\n\n".join([table(("`type`", notes), rows), *_objects(events, language)])


def errors(language: str) -> str:
    """Return a section for each code."""
    said = _ERRORS[language]
    return "\n\n".join(
        f"## {each['code']} {each['reason']} {{#{each['reason']}}}\n\n"
        f"HTTP {', '.join(map(str, each['http']))} · `msg`: {each['msg'][language]}\n\n"
        f"**{said['means']}:** {each[language]['means']}\n\n"
        f"**{said['do']}:** {each[language]['do']}\n\n"
        f"**{said['retry']}** {said[each['retry']]}"
        for each in document()["x-codes"]
    )


def deprecated(language: str) -> str:
    """Return the table of what is deprecated, or that nothing is."""
    found: dict[str, dict[str, str]] = document()["x-deprecations"]
    if not found:
        return _ERRORS[language]["nothing"]
    sent = found.items()
    rows = ((f"`{name}`", f"`{each['Deprecation']}`", each["Sunset"]) for name, each in sent)
    return table((_ERRORS[language]["deprecated"], "Deprecation", "Sunset"), rows)


def retries(language: str) -> str:
    """Return the table of codes with whether and how to retry."""
    said = _ERRORS[language]
    heads = (said["code"], "HTTP", said["reason"], said["retry"])
    rows = (
        (
            str(each["code"]),
            ", ".join(map(str, each["http"])),
            f"[{each['reason']}](errors.md#{each['reason']})",
            said[each["retry"]],
        )
        for each in document()["x-codes"]
    )
    return table(heads, rows)
