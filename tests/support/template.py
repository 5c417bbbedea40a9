"""template.yaml as data; tests create the tables that it defines."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from local.templates import read_template, table_definitions

ROOT = Path(__file__).parents[2]


@cache
def template() -> dict[str, Any]:
    return read_template(ROOT / "template.yaml")


def resources(kind: str) -> list[Mapping[str, Any]]:
    """Return the properties of the template's resources of a type."""
    found = template()["Resources"].values()
    return [resource["Properties"] for resource in found if resource["Type"] == kind]


def table_definition(logical_id: str) -> dict[str, Any]:
    """Return CreateTable's parameters for a table of the template."""
    definition = table_definitions(template())[logical_id]
    return {name: value for name, value in definition.items() if name != "StreamSpecification"}
