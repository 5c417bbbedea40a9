"""The descriptions in English and Chinese: texts.yaml."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

type Schema = dict[str, Any]


@cache
def texts() -> dict[str, Any]:
    """Read texts.yaml."""
    read: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text("utf-8"))
    return read


def labelled(told: dict[str, Any]) -> Schema:
    """Give a description in both languages, or a summary and a description."""
    english, chinese = told["en"], told["zh"]
    if isinstance(english, str):
        return {"description": english, "x-description-zh": chinese}
    return {
        "summary": english[0],
        "x-summary-zh": chinese[0],
        "description": english[1],
        "x-description-zh": chinese[1],
    }


def described(name: str, schema: Schema) -> Schema:
    """Describe every property of an object's schema, and those of objects inside."""
    if "properties" not in schema:
        return schema
    fields = texts()["fields"]
    properties = {
        field: {
            **labelled(fields.get(f"{name}.{field}") or fields[field]),
            **described(name, inner),
        }
        for field, inner in schema["properties"].items()
    }
    return {**schema, "properties": properties}
