"""The descriptions in English and Chinese: texts.yaml."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

type Schema = dict[str, Any]


class TextMissing(Exception):
    """A description is missing in texts.yaml, or the file cannot be read."""


FILE = Path(__file__).with_name("texts.yaml")


class _Loader(yaml.SafeLoader):
    """Refuses a name that a mapping repeats; YAML's own rule, of which PyYAML takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 as PyYAML calls it
        names = [self.construct_object(key) for key, _ in node.value]
        repeated = {str(name) for name in names if names.count(name) > 1}
        if repeated:
            raise yaml.YAMLError(f"repeats {', '.join(sorted(repeated))}")
        return super().construct_mapping(node, deep)


@cache
def texts() -> dict[str, Any]:
    """Read texts.yaml. Raises: TextMissing."""
    try:
        read: dict[str, Any] = yaml.load(FILE.read_text("utf-8"), _Loader)  # noqa: S506 plain data only
    except yaml.YAMLError as error:
        raise TextMissing(" ".join(str(error).split())) from error
    return read


def labelled(text: dict[str, Any]) -> Schema:
    """Return a description in both languages, with a summary if the text has two parts."""
    english, chinese = text["en"], text["zh"]
    if isinstance(english, str):
        return {"description": english, "x-description-zh": chinese}
    return {
        "summary": english[0],
        "x-summary-zh": chinese[0],
        "description": english[1],
        "x-description-zh": chinese[1],
    }


def described(name: str, schema: Schema) -> Schema:
    """Add a description to every property of an object's schema, and of objects inside."""
    if "properties" not in schema:
        return schema
    properties = {
        field: {**labelled(_text_of(name, field)), **described(name, inner)}
        for field, inner in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _text_of(name: str, field: str) -> dict[str, Any]:
    fields, own = texts()["fields"], f"{name.removeprefix('Test')}.{field}"
    found: dict[str, Any] | None = fields.get(own) or fields.get(field)
    if found is None:
        raise TextMissing(f"no text for the field {name}.{field}")
    return found
