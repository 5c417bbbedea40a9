"""SAM templates as data: their tables, as CreateTable wants them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_CREATED_WITH = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


class _Loader(yaml.SafeLoader):
    """Reads CloudFormation's short forms (!Ref, !Sub …) as {tag: value}."""


def _short_form(loader: _Loader, tag: str, node: yaml.Node) -> dict[str, Any]:
    match node:
        case yaml.ScalarNode():
            return {tag: loader.construct_scalar(node)}
        case yaml.SequenceNode():
            return {tag: loader.construct_sequence(node, deep=True)}
        case _:
            assert isinstance(node, yaml.MappingNode)
            return {tag: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _short_form)


def read_template(path: Path) -> dict[str, Any]:
    """Read a template."""
    loaded = yaml.load(path.read_bytes(), _Loader)  # noqa: S506 - a safe loader, with more tags
    assert isinstance(loaded, dict)
    return loaded


def table_definitions(template: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give what CreateTable needs of each table, but its name, by the table's logical id."""
    return {
        logical_id: _definition(resource["Properties"])
        for logical_id, resource in template["Resources"].items()
        if resource["Type"] == "AWS::DynamoDB::Table"
    }


def _definition(properties: Mapping[str, Any]) -> dict[str, Any]:
    definition = {name: properties[name] for name in _CREATED_WITH if name in properties}
    if stream := properties.get("StreamSpecification"):
        definition["StreamSpecification"] = {"StreamEnabled": True, **stream}
    return definition


def table_variable(logical_id: str) -> str:
    """Name the environment variable that tells a function a table's name."""
    return f"{logical_id.removesuffix('Table').upper()}_TABLE"
