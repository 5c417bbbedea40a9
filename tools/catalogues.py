"""Write the Python of the pages' texts from their catalogues (`make texts`).

A catalogue, `…_texts.toml`, has each text in both languages side by side, in the class that pages
read it from. The Python beside it, `…_texts.py`, is what a function imports: a cold start parses no
catalogue, and a wrong name stays a type error.

The catalogues of the operators' sheets and console are in `cli`.

- `name.en`, `name.zh`: a text, or a list of texts; `name = { en = …, zh = … }` if it fits a line.
- `name.headline`, `name.advice`, …: the parts of a `Notice`, `QuestionTexts` or `FieldTexts`.
- a table with `by`: a class with one parameter for each member, such as `ByStatus`;
- a table with `of`: a dict, by an enumeration's members, by `str` or by `bool`. Either has each
  member, unless it says `some = true`; `by` has None for the others.
- `name.group`: another class of texts.
"""

import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from local.places import REPOSITORY

if TYPE_CHECKING:
    from enum import Enum

PAGES = REPOSITORY / "layers/common/orderdesk/web/pages"
OPERATORS = REPOSITORY / "cli/orderdesk_cli"
LANGUAGES = ("en", "zh")
_TEXTS, _OF_OPERATORS = "orderdesk.web.pages.texts", "orderdesk_cli.language"
_RECORDS = {
    ("headline", "advice"): "Notice",
    ("link", "notice", "keep", "go"): "QuestionTexts",
    ("label", "hint", "problems"): "FieldTexts",
}
_MARKS = {"by", "of", "some"}
_PLACEHOLDER = re.compile(r"\{(\w*)\}")


class CatalogueError(ValueError):
    """A catalogue lacks a text, or has one too many."""


class Catalogue:
    """The Python of one catalogue; `imports` are the names that it uses, by module."""

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8")
        self.classes = tomllib.loads(text)
        self.name = path.name
        self.title = text.partition("\n")[0].removeprefix("# ")
        self.root = OPERATORS if path.is_relative_to(OPERATORS) else PAGES
        self.imports = {_OF_OPERATORS if self.root is OPERATORS else _TEXTS: {"Text"}}

    def python(self) -> str:
        """Return the module. Raises: CatalogueError."""
        classes = "\n\n\n".join(self._class(*each) for each in self.classes.items())
        imports = "\n".join(
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self.imports.items())
        )
        head = f'"""{self.title}\n\nWritten by `make texts` from {self.name}; do not edit.\n"""'
        return _formatted(f"{head}\n\n{imports}\n\n\n{classes}\n")

    def _class(self, name: str, texts: Mapping[str, Any]) -> str:
        doc = indent(texts["doc"].strip(), "    ").strip()
        end = "\n    " if "\n" in doc else ""
        lines = [f"class {name}({self._name(texts['base'])}):", f'    """{doc}{end}"""', ""]
        for key, node in texts.items():
            if key not in {"doc", "base"}:
                lines.append(f"    {key} = {self._text(f'{name}.{key}', node)}")
        return "\n".join(lines)

    def _text(self, place: str, node: Mapping[str, Any]) -> str:
        if "group" in node:
            return f"{self._name(f'{_TEXTS}.Group')}({self._name(node['group'])})"
        both = ", ".join(f"{of}={self._value(place, node, of)}" for of in LANGUAGES)
        return f"Text[{self._type(node)}]({both})" if _marks(node) else f"Text({both})"

    def _value(self, place: str, node: Mapping[str, Any], language: str) -> str:
        if "by" in _marks(node):
            return self._by(place, node, language)
        if "of" in _marks(node):
            return self._dict(place, node, language)
        record = _RECORDS.get(tuple(node))
        if record is not None:
            parts = (f"{part}={self._value(place, node[part], language)}" for part in node)
            return f"{self._name(f'{_TEXTS}.{record}')}({', '.join(parts)})"
        if set(node) != set(LANGUAGES):
            raise CatalogueError(f"{place}: {sorted(node)} is no text in both languages")
        text = node[language]
        return repr(tuple(text) if isinstance(text, list) else text)

    def _by(self, place: str, node: Mapping[str, Any], language: str) -> str:
        parameters = [*inspect.signature(_found(node["by"]).__init__).parameters][1:]
        _check_members(place, node, parameters)
        values = (
            f"{name}={self._value(f'{place}.{name}', node[name], language)}"
            if name in node
            else f"{name}=None"
            for name in parameters
        )
        return f"{self._name(node['by'])}({', '.join(values)})"

    def _dict(self, place: str, node: Mapping[str, Any], language: str) -> str:
        names = [name for name in node if name not in _marks(node)]
        keys = {name: repr(name) for name in names}
        if node["of"] == "bool":
            _check_members(place, node, ["True", "False"])
            keys = {name: name for name in names}
        elif node["of"] != "str":
            kind: type[Enum] = _found(node["of"])
            _check_members(place, node, [*kind.__members__])
            keys = {name: f"{self._name(node['of'])}.{name}" for name in names}
        values = (
            f"{keys[name]}: {self._value(f'{place}.{name}', node[name], language)}"
            for name in names
        )
        return f"{{{', '.join(values)}}}"

    def _type(self, node: Mapping[str, Any]) -> str:
        """Return the type of a text; all values of a table have the same one."""
        if marks := _marks(node):
            value = self._type(next(node[name] for name in node if name not in marks))
            if "by" in marks:
                none = " | None" if node.get("some") else ""
                return f"{self._name(node['by'])}[{value}{none}]"
            key = node["of"] if node["of"] in {"str", "bool"} else self._name(node["of"])
            return f"dict[{key}, {value}]"
        record = _RECORDS.get(tuple(node))
        if record is not None:
            return self._name(f"{_TEXTS}.{record}")
        return "tuple[str, ...]" if isinstance(node["en"], list) else "str"

    def _name(self, path: str) -> str:
        """Return a class's name, and note its import; one without a module is of this catalogue."""
        module, _, name = path.rpartition(".")
        if module:
            self.imports.setdefault(module, set()).add(name)
        return name


def _marks(node: Mapping[str, Any]) -> set[str]:
    """Return what says of which kind a table is; a text may have the name of a mark."""
    return {name for name in _MARKS & node.keys() if not isinstance(node[name], Mapping)}


def texts_of(node: Mapping[str, Any], place: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield each text of a part of a catalogue: its place, and it in both languages."""
    if set(node) == set(LANGUAGES):
        yield place, node["en"], node["zh"]
        return
    for name, each in node.items():
        if isinstance(each, Mapping):
            yield from texts_of(each, f"{place}.{name}")


def placeholders(text: object) -> list[str]:
    """Return the names of a text's placeholders, sorted."""
    return sorted(_PLACEHOLDER.findall(str(text)))


def catalogues() -> list[Path]:
    """Return the catalogues of all surfaces."""
    return sorted(path for root in (PAGES, OPERATORS) for path in root.rglob("*texts.toml"))


def _check_members(place: str, node: Mapping[str, Any], members: list[str]) -> None:
    has = node.keys() - _marks(node)
    missing = set() if node.get("some") else set(members) - has
    if missing or has - set(members):
        raise CatalogueError(f"{place}: lacks {sorted(missing)}, has {sorted(has - set(members))}")


def _found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _formatted(text: str) -> str:
    for command in (("check", "--quiet", "--select", "I", "--fix"), ("format",)):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", "texts.py", "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603 our own text
    return text


def main() -> None:
    """Write each catalogue's Python beside it."""
    for path in catalogues():
        path.with_suffix(".py").write_text(Catalogue(path).python(), "utf-8")


if __name__ == "__main__":
    main()
