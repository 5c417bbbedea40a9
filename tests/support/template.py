"""The template as data: the tests' tables are the deployed ones."""

from functools import cache
from pathlib import Path
from typing import Any

from local.templates import read_template, table_definitions

ROOT = Path(__file__).parents[2]


@cache
def template() -> dict[str, Any]:
    """Read template.yaml."""
    return read_template(ROOT / "template.yaml")


def table_definition(logical_id: str) -> dict[str, Any]:
    """Give what CreateTable needs of a table in the template."""
    definition = table_definitions(template())[logical_id]
    return {name: value for name, value in definition.items() if name != "StreamSpecification"}
