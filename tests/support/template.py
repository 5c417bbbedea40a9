"""The template as data: the tests' tables are the deployed ones."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from local.templates import read_template, table_definitions

ROOT = Path(__file__).parents[2]


@cache
def template() -> dict[str, Any]:
    """Read template.yaml."""
    return read_template(ROOT / "template.yaml")


def resources(kind: str) -> list[Mapping[str, Any]]:
    """Give the properties of the template's resources of a type."""
    found = template()["Resources"].values()
    return [resource["Properties"] for resource in found if resource["Type"] == kind]


def table_definition(logical_id: str) -> dict[str, Any]:
    """Give what CreateTable needs of a table in the template."""
    definition = table_definitions(template())[logical_id]
    return {name: value for name, value in definition.items() if name != "StreamSpecification"}
