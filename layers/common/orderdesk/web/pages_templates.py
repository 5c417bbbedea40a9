"""The pages' templates: read and compiled once in a warm container, always escaping.

The only module that imports Jinja2, which only the pages' functions carry.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_FOLDER = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def compile_templates() -> None:
    """Compile every template now, while a container starts and no payer waits."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)


def render(template: str, values: Mapping[str, object]) -> str:
    """Render a template; a value it names and does not get is an error."""
    return _environment().get_template(template).render(values)
