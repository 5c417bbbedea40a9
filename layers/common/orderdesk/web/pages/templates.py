"""The pages' templates: compiled by the Lambda layer's build, or when they are first used.

Values are always escaped. Only this module imports Jinja2, and only the pages' functions import it.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, Environment, FileSystemLoader, ModuleLoader, StrictUndefined

_FOLDER = Path(__file__).parent
_COMPILED = _FOLDER / "compiled"
_SUFFIXES = ("html", "css", "js")


def _environment_of(loader: BaseLoader) -> Environment:
    return Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    is_built = _COMPILED.is_dir()
    return _environment_of(ModuleLoader(_COMPILED) if is_built else FileSystemLoader(_FOLDER))


def compile_templates() -> None:
    """Compile every template into a Python module in `compiled`, for the Lambda layer's build."""
    environment = _environment_of(FileSystemLoader(_FOLDER))
    environment.compile_templates(_COMPILED, _SUFFIXES, zip=None, ignore_errors=False)


def load_templates(*pages: str) -> None:
    """Load templates when a function's container starts, before the first request.

    These are the templates in the folders of the named pages, and those that all pages share.
    """
    for folder in (_FOLDER, *(_FOLDER / page for page in pages)):
        for file in folder.iterdir():
            if file.suffix.removeprefix(".") in _SUFFIXES:
                _environment().get_template(file.relative_to(_FOLDER).as_posix())


def render(template: str, values: Mapping[str, object]) -> str:
    """Render a template; a missing value is an error."""
    return _environment().get_template(template).render(values)
