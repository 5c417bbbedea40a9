"""The template as data: the tests' tables are the deployed ones."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


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


@cache
def template() -> dict[str, Any]:
    """Read template.yaml."""
    with (ROOT / "template.yaml").open() as file:
        loaded = yaml.load(file, _Loader)
    assert isinstance(loaded, dict)
    return loaded


def table_definition(logical_id: str) -> dict[str, Any]:
    """Give what CreateTable needs of a table in the template."""
    properties = template()["Resources"][logical_id]["Properties"]
    wanted = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")
    return {name: properties[name] for name in wanted if name in properties}
