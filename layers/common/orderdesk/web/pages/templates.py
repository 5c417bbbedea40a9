"""The pages' templates: compiled by the Lambda layer's build, or when they are first used.

Values are always escaped and shown without control characters, of whomever they are. Only this
module imports Jinja2, and only the pages' functions import it.

A template shows the amounts and times of a domain object through filters. A view is for what a
filter cannot show, and for an object that has more than its reader may see.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, Environment, FileSystemLoader, ModuleLoader, StrictUndefined
from jinja2 import pass_context as with_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from orderdesk.domain.ids import is_order_no
from orderdesk.domain.money import format_rate
from orderdesk.domain.plain_text import printable
from orderdesk.domain.receipts.files import MAX_BYTES
from orderdesk.web.pages.values import (
    Moment,
    amount_of,
    china_day,
    clock,
    indented,
    moment_of,
    signed_usdt,
    time_of_day,
    usdt_of,
    yuan_of,
)

_FOLDER = Path(__file__).parent
_COMPILED = _FOLDER / "compiled"
_SUFFIXES = ("html", "css", "js")
# Indentation, and comments of styles and scripts: a ninth of a page's compressed size.
_LEFT_OUT = {
    "html": re.compile(r"^[ \t]+", re.MULTILINE),
    "css": re.compile(r"^[ \t]+|^/\*.*?\*/\n", re.MULTILINE | re.DOTALL),
    "js": re.compile(r"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE),
}


class LeanLoader(FileSystemLoader):
    """Load templates without what only their authors read."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template's text, its file, and whether the file is unchanged."""
        source, file, is_unchanged = super().get_source(environment, template)
        return _LEFT_OUT[template.rpartition(".")[2]].sub("", source), file, is_unchanged


def _shown(value: object) -> object:
    """Return a value as a page shows it; line ends and tabs are kept."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, kept="\n\r\t")
    return value


@with_context
def _moment(context: Context, seconds: int) -> Moment:
    """Return a time (Unix seconds) in the page's language."""
    return moment_of(seconds, context["m"])


# `own` is what the reader typed itself, shown back in its field as it was.
_FILTERS: Mapping[str, Callable[..., object]] = {
    "own": escape,
    "cny": amount_of,
    "yuan": yuan_of,
    "usdt": usdt_of,
    "signed_usdt": signed_usdt,
    "rate": format_rate,
    "moment": _moment,
    "clock": clock,
    "time_of_day": time_of_day,
    "china_day": china_day,
    "indented": indented,
}


def _environment_of(loader: BaseLoader) -> Environment:
    made = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(_FILTERS)
    made.tests["order_no"] = is_order_no
    made.globals["upload_bytes_max"] = MAX_BYTES
    return made


@cache
def _environment() -> Environment:
    is_built = _COMPILED.is_dir()
    return _environment_of(ModuleLoader(_COMPILED) if is_built else LeanLoader(_FOLDER))


def compile_templates() -> None:
    """Compile every template into a Python module in `compiled`, for the Lambda layer's build."""
    environment = _environment_of(LeanLoader(_FOLDER))
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
