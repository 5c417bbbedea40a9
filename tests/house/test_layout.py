"""Rules for files: folders instead of prefixes, no small or unused modules, no vague names."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support.template import ROOT

LAYER = ROOT / "layers" / "common"
PACKAGE = LAYER / "orderdesk"
# The code that may import the package.
IMPORTERS = (LAYER, ROOT / "functions", ROOT / "cli", ROOT / "local")
SHARED_PREFIX_MAX = 3
# Upper bounds of today; lower them after deletions. What `make texts` writes is not counted.
LINES_MAX = {"layers": 48_090, "cli": 5_180, "tools": 3_730, "bench": 3_820, "tests": 71_770}
CATALOGUES_MAX = {"layers": 2_200, "cli": 690}
MODULES_MAX = 247
FEWEST_LINES_FOR_ONE_IMPORTER = 80  # an importer of its own layer
WRITTEN = {p.with_suffix(".py") for at in CATALOGUES_MAX for p in (ROOT / at).rglob("*texts.toml")}
FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")})


def sources(root: Path) -> Iterator[Path]:
    """Return the Python files below a folder, without installed ones."""
    return (path for path in root.rglob("*.py") if ".venv" not in path.parts)


def lines_of(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def module_of(path: Path) -> str:
    """Return the module name of a file of the package."""
    return ".".join(path.relative_to(LAYER).with_suffix("").parts).removesuffix(".__init__")


def imported_by(path: Path) -> Iterator[str]:
    """Yield the imports of a file: modules, and names that may be modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.fixture(scope="module")
def importers() -> dict[str, set[Path]]:
    """Return the files that import each module."""
    found: dict[str, set[Path]] = defaultdict(set)
    for root in IMPORTERS:
        for path in sources(root):
            for name in imported_by(path):
                found[name].add(path)
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_replaces_a_prefix(folder: Path) -> None:
    names = [path.name for path in folder.iterdir() if path.is_file()]
    words = Counter(re.split(r"[._]", name)[0] for name in names if name != "__init__.py")
    assert {word for word, count in words.items() if count > SHARED_PREFIX_MAX} == set()


def test_a_module_with_one_importer_is_not_small(importers: dict[str, set[Path]]) -> None:
    small = {
        path.relative_to(PACKAGE)
        for path in sources(PACKAGE)
        if path.name != "__init__.py"
        and [each.relative_to(ROOT).parts[:4] for each in importers[module_of(path)]]
        == [path.relative_to(ROOT).parts[:4]]
        and len(path.read_text(encoding="utf-8").splitlines()) < FEWEST_LINES_FOR_ONE_IMPORTER
    }
    assert small == set()


def test_every_module_is_imported(importers: dict[str, set[Path]]) -> None:
    modules = {module_of(path) for path in sources(PACKAGE) if path.name != "__init__.py"}
    assert {name for name in modules if not importers[name]} == set()


def test_no_module_has_a_vague_name() -> None:
    vague = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}
    assert {path.stem for path in sources(PACKAGE)} & vague == set()


def test_every_package_has_a_docstring() -> None:
    for folder in FOLDERS:
        entry = (folder / "__init__.py").read_text(encoding="utf-8")
        assert folder == PACKAGE or ast.get_docstring(ast.parse(entry)), folder


@pytest.mark.parametrize("folder", LINES_MAX)
def test_a_folder_does_not_grow(folder: str) -> None:
    assert lines_of(set(sources(ROOT / folder)) - WRITTEN) <= LINES_MAX[folder]


@pytest.mark.parametrize("folder", CATALOGUES_MAX)
def test_the_catalogues_do_not_grow(folder: str) -> None:
    assert lines_of((ROOT / folder).rglob("*texts.toml")) <= CATALOGUES_MAX[folder]


def test_the_modules_do_not_multiply() -> None:
    modules = [path for path in sources(PACKAGE) if path.name != "__init__.py"]
    assert len(set(modules) - WRITTEN) <= MODULES_MAX


def test_a_module_name_stands_at_most_twice_in_a_layer() -> None:
    modules = (path for path in sources(PACKAGE) if path.name != "__init__.py")
    names = Counter((path.relative_to(PACKAGE).parts[0], path.stem) for path in modules)
    assert {name for name, count in names.items() if count > 2} == set()


def test_a_class_name_stands_once() -> None:
    """Each name has one meaning in the package and the functions."""
    names = Counter(
        name
        for root in (PACKAGE, ROOT / "functions")
        for path in sources(root)
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {name for name, count in names.items() if count > 1} == set()
