"""SAM templates as data with expanded loops; their tables as parameters of CreateTable."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from samtranslator.yaml_helper import intrinsics_multi_constructor  # type: ignore[import-untyped]

_CREATED_WITH = ("BillingMode", "AttributeDefinitions", "KeySchema")
_INDEX_WITH = ("IndexName", "KeySchema", "Projection")
_LOOP = "Fn::ForEach::"


class _Loader(yaml.CSafeLoader):
    """Reads short forms as SAM's own loader does; it parses in C, in a fifth of the time."""


_Loader.add_multi_constructor("!", intrinsics_multi_constructor)


def read_template(path: Path) -> dict[str, Any]:
    """Read a template; write short forms as long ones (!Sub as Fn::Sub) and expand the loops."""
    loaded = yaml.load(path.read_text("utf-8"), _Loader)  # noqa: S506 it makes plain data only
    assert isinstance(loaded, dict)
    looped, mappings = loaded.keys() & {"Resources", "Outputs"}, loaded.get("Mappings", {})
    return {**loaded, **{name: expand_loops(loaded[name], mappings) for name in looped}}


def expand_loops(resources: Mapping[str, Any], mappings: Mapping[str, Any]) -> dict[str, Any]:
    """Expand each Fn::ForEach, as AWS::LanguageExtensions does.

    The collection must be a list. Nested loops are not supported.
    """
    expanded: dict[str, Any] = {}
    for name, resource in resources.items():
        if name.startswith(_LOOP):
            identifier, collection, body = resource
            for item in collection:
                for key, value in body.items():
                    repeated = key.replace(f"${{{identifier}}}", item)
                    assert repeated not in resources.keys() | expanded.keys(), repeated
                    expanded[repeated] = _repeat(value, identifier, item, mappings)
        else:
            expanded[name] = resource
    return expanded


def _repeat(value: Any, identifier: str, item: str, mappings: Mapping[str, Any]) -> Any:
    def repeat(part: Any) -> Any:
        return _repeat(part, identifier, item, mappings)

    match value:
        case {"Ref": str(name)} if name == identifier:
            return item
        case {"Fn::Sub": str(text)} | {"Ref": {"Fn::Sub": str(text)}}:
            (function,) = value
            return {function: text.replace(f"${{{identifier}}}", item)}
        case {"Fn::FindInMap": [name, first, second]}:
            return mappings[name][repeat(first)][repeat(second)]
        case dict():
            return {name: repeat(part) for name, part in value.items()}
        case list():
            return [repeat(part) for part in value]
    return value


def table_definitions(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the parameters of CreateTable, except the name, by the table's logical id."""
    return {
        logical_id: _definition(resource["Properties"])
        for logical_id, resource in template["Resources"].items()
        if resource["Type"] == "AWS::DynamoDB::Table"
    }


def _definition(properties: Mapping[str, Any]) -> dict[str, Any]:
    definition = {name: properties[name] for name in _CREATED_WITH if name in properties}
    if indexes := properties.get("GlobalSecondaryIndexes"):
        definition["GlobalSecondaryIndexes"] = [
            {name: index[name] for name in _INDEX_WITH} for index in indexes
        ]
    if stream := properties.get("StreamSpecification"):
        definition["StreamSpecification"] = {"StreamEnabled": True, **stream}
    return definition


def table_variable(logical_id: str) -> str:
    """Return the name of the environment variable with a table's name."""
    return f"{logical_id.removesuffix('Table').upper()}_TABLE"
