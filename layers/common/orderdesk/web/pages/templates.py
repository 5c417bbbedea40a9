"""The pages' templates: read and compiled once in a warm container; values are always escaped.

Only this module imports Jinja2, which only the pages' functions contain.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_FOLDER = Path(__file__).parent
_SUFFIXES = ("html", "css", "js")


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


def compile_templates(*pages: str) -> None:
    """Compile a function's templates when its container starts, before the first request.

    These are the templates in the folders of its pages (`pay`), and those that all pages share.
    """
    environment = _environment()
    for name in environment.list_templates(_SUFFIXES):
        if name.rpartition("/")[0] in {"", *pages}:
            environment.get_template(name)


def render(template: str, values: Mapping[str, object]) -> str:
    """Render a template; a missing value is an error."""
    return _environment().get_template(template).render(values)
