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
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Any

from local.places import REPOSITORY

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
    """A catalogue lacks a text, or has one too many, or one that differs by language."""


class Catalogue:
    """The Python of one catalogue; `imports` are the names that it uses, by module.

    `texts` are the texts in both languages by their places, once the Python is written.
    """

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8")
        self.classes = tomllib.loads(text)
        self.name = path.name
        self.title = text.partition("\n")[0].removeprefix("# ")
        self.root = OPERATORS if path.is_relative_to(OPERATORS) else PAGES
        self.texts: dict[str, tuple[Any, Any]] = {}
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
        kind, values = self._value(place, node)
        both = ", ".join(f"{of}={value}" for of, value in zip(LANGUAGES, values, strict=True))
        return f"Text[{kind}]({both})" if _marks(node) else f"Text({both})"

    def _value(self, place: str, node: Mapping[str, Any]) -> tuple[str, list[str]]:
        """Return a text's type, and its Python in each language."""
        if "by" in (marks := _marks(node)):
            name = self._name(node["by"])
            members = [*inspect.signature(_found(node["by"]).__init__).parameters][1:]
            _check_members(place, node, members)
            inner, values = self._parts(place, node, {each: f"{each}=" for each in members})
            none = " | None" if node.get("some") else ""
            return f"{name}[{inner}{none}]", [f"{name}({each})" for each in values]
        if "of" in marks:
            inner, values = self._parts(place, node, self._keys(place, node))
            key = node["of"] if node["of"] in {"str", "bool"} else self._name(node["of"])
            return f"dict[{key}, {inner}]", [f"{{{each}}}" for each in values]
        if record := _RECORDS.get(tuple(node)):
            name = self._name(f"{_TEXTS}.{record}")
            _, values = self._parts(place, node, {each: f"{each}=" for each in node})
            return name, [f"{name}({each})" for each in values]
        if set(node) != set(LANGUAGES):
            raise CatalogueError(f"{place}: {sorted(node)} is no text in both languages")
        en, zh = self.texts[place] = node["en"], node["zh"]
        if bool(en) != bool(zh) or _placeholders(en) != _placeholders(zh):
            raise CatalogueError(f"{place}: the languages have different placeholders")
        texts = [tuple(each) if isinstance(each, list) else each for each in (en, zh)]
        return "str" if isinstance(texts[0], str) else "tuple[str, ...]", [*map(repr, texts)]

    def _parts(
        self, place: str, node: Mapping[str, Any], keys: Mapping[str, str]
    ) -> tuple[str, list[str]]:
        """Return the type of a text's parts, and all of them in each language, with their keys."""
        absent = "", ["None"] * len(LANGUAGES)
        parts = {
            key: self._value(f"{place}.{name}", node[name]) if name in node else absent
            for name, key in keys.items()
        }
        kind = next(kind for kind, _ in parts.values() if kind)
        return kind, [
            ", ".join(f"{key}{values[nth]}" for key, (_, values) in parts.items())
            for nth in range(len(LANGUAGES))
        ]

    def _keys(self, place: str, node: Mapping[str, Any]) -> dict[str, str]:
        """Return the keys of a dict's texts."""
        names = [name for name in node if name not in _marks(node)]
        if node["of"] == "str":
            return {name: f"{name!r}: " for name in names}
        if node["of"] == "bool":
            _check_members(place, node, ["True", "False"])
            return {name: f"{name}: " for name in names}
        _check_members(place, node, [*_found(node["of"]).__members__])
        return {name: f"{self._name(node['of'])}.{name}: " for name in names}

    def _name(self, path: str) -> str:
        """Return a class's name, and note its import; one without a module is of this catalogue."""
        module, _, name = path.rpartition(".")
        if module:
            self.imports.setdefault(module, set()).add(name)
        return name


def _marks(node: Mapping[str, Any]) -> set[str]:
    """Return what says of which kind a table is; a text may have the name of a mark."""
    return {name for name in _MARKS & node.keys() if not isinstance(node[name], Mapping)}


def catalogues() -> list[Path]:
    """Return the catalogues of all surfaces."""
    return sorted(path for root in (PAGES, OPERATORS) for path in root.rglob("*texts.toml"))


def _check_members(place: str, node: Mapping[str, Any], members: list[str]) -> None:
    has = node.keys() - _marks(node)
    missing = set() if node.get("some") else set(members) - has
    if missing or has - set(members):
        raise CatalogueError(f"{place}: lacks {sorted(missing)}, has {sorted(has - set(members))}")


def _placeholders(text: object) -> list[str]:
    return sorted(_PLACEHOLDER.findall(str(text)))


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
