"""The console's templates; every value is escaped, and shown without characters that mislead."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from orderdesk.domain.plain_text import printable
from orderdesk.web import pages

_OWN = Path(__file__).parent / "templates"
_SHARED = Path(pages.__file__).parent

SECTIONS = (
    ("orders", "Orders"),
    ("disputes", "Disputes"),
    ("sells", "Sells waiting"),
    ("withdrawals", "Withdrawals"),
    ("traders", "Traders"),
    ("merchants", "Merchants"),
    ("callbacks", "Callbacks"),
    ("report", "Report"),
    ("ledger", "Ledger"),
    ("audit", "Audit"),
)
"""The navigation: each section's path and name."""


@cache
def _environment() -> Environment:
    shared = PrefixLoader({"shared": FileSystemLoader(_SHARED)})
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(_OWN), shared]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_controls,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["sections_of_console"] = SECTIONS
    return made


def render(template: str, values: Mapping[str, object]) -> str:
    """Render a template; a missing value is an error."""
    return _environment().get_template(template).render(values)


def _without_controls(value: object) -> object:
    """Replace control and bidirectional characters in texts of merchants, payers and traders."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, kept="\n")
    return value
