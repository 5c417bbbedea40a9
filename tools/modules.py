"""Where each subject is: docs/modules.md, and the table of subjects in docs/architecture.md.

A module's subject is that of a word of its name, else that of its folder. modules.yaml has the
words of each subject, and the modules whose names do not say all of it.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

from tools.markdown import table
from tools.openapi.document import ROOT

PACKAGE = ROOT / "layers" / "common" / "orderdesk"
MODULES, ARCHITECTURE = ROOT / "docs" / "modules.md", ROOT / "docs" / "architecture.md"
LAYERS = ("domain", "services", "adapters", "web")
SHARED = "shared"
_FILE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
WORDS: Mapping[str, str] = _FILE["words"]
ALSO = {name: tuple(subjects.split()) for name, subjects in _FILE["also"].items()}


@cache
def modules() -> Mapping[str, str]:
    """Return the first sentence of each module's docstring by its name, without written ones."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).with_suffix("").as_posix()
        if name.startswith(LAYERS) and not name.endswith(("__init__", "_texts")):
            told = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            found[name] = told.split("\n\n", maxsplit=1)[0].replace("\n", " ")
    return found


def subjects_of(name: str) -> tuple[str, ...]:
    *folders, stem = name.split("/")
    places = ([stem], stem.split("_"), *(each.split("_") for each in reversed(folders[1:])))
    return ALSO.get(name) or next((found for each in places if (found := _first(each))), (SHARED,))


def _first(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(subject for subject, own in WORDS.items() if {*own.split()} & {*words})[:1]


def page() -> str:
    """Return docs/modules.md: each subject's modules by layer, and what each does."""
    lines = ["# Modules", "", "Written by `make openapi` from the docstrings of the modules."]
    for subject in WORDS:
        own = [(name, told) for name, told in modules().items() if subject in subjects_of(name)]
        own.sort(key=lambda each: LAYERS.index(each[0].split("/")[0]))
        rows = ((f"`{name}.py`", told.replace("|", "&#124;")) for name, told in own)
        lines += ["", f"## {subject}", "", table(("module", "what it does"), rows)]
    return "\n".join(lines) + "\n"


def architecture(text: str) -> str:
    """Return docs/architecture.md with the table of subjects as the code has it."""
    written = table(("subject", *LAYERS), map(_row, WORDS))
    before, head, rest = text.partition(written.split("\n", maxsplit=1)[0])
    assert head, "the document has such a table"
    return f"{before}{written}\n\n{rest.partition('\n\n')[2]}"


def _row(subject: str) -> list[str]:
    cells = [f"[{subject}](modules.md#{subject})"]
    for layer in LAYERS:
        own = [each for each in modules() if subject in subjects_of(each)]
        names = [each.removeprefix(f"{layer}/") for each in own if each.startswith(f"{layer}/")]
        cells.append(", ".join(f"`{name}`" for name in names))
    return cells
