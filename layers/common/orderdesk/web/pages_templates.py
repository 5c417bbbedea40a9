"""The pages' templates: read and compiled once in a warm container, always escaping.

The only module that imports Jinja2, which only the pages' functions carry.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_SHARED = frozenset({"base", "icons", "problem"})
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


def compile_templates(subject: str) -> None:
    """Compile a function's templates now, while a container starts and nobody waits.

    Its own begin with its subject (`pay.html`, `pay_question.html`), beside what all pages share.
    """
    environment = _environment()
    for name in environment.list_templates():
        if re.split(r"[._]", name)[0] in {*_SHARED, subject}:
            environment.get_template(name)


def render(template: str, values: Mapping[str, object]) -> str:
    """Render a template; a value it names and does not get is an error."""
    return _environment().get_template(template).render(values)
