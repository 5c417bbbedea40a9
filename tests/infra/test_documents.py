"""The documents name only existing files, folders, tests, sections and make targets."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.infra.markdown import code_spans, documents, read_document, tables
from tests.support.template import ROOT, template

# Paths are written from the root, or from here: `domain/pricing.py`, `web/codes.py`.
PACKAGE = ROOT / "layers" / "common" / "orderdesk"
BASES = (ROOT, PACKAGE)
# What `make` writes and git ignores.
MADE = (".aws-sam", ".local", ".venv", "tools/sam/.venv")
SUFFIXES = {"css", "html", "js", "json", "md", "py", "sh", "svg", "toml", "txt", "yaml", "yml"}
VERSION = tomllib.loads(read_document("pyproject.toml"))["project"]["version"]
KNOWN_FIRST = {entry.name for base in BASES for entry in base.iterdir()}

DOCUMENTS = [pytest.param(document, id=document.name) for document in documents()]


def is_path(text: str) -> bool:
    """Return whether a code span is meant as a path of the repository."""
    if re.fullmatch(r"[\w./-]+", text) is None or text.startswith("/"):
        return False
    first, *rest = text.split("/")
    has_suffix = "." in text and text.rsplit(".", 1)[1] in SUFFIXES
    return has_suffix or (bool(rest) and first in KNOWN_FIRST)


def is_there(text: str, document: Path) -> bool:
    if text.startswith(MADE):
        return True
    return any((base / text).exists() for base in (*BASES, document.parent))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_paths_it_names_exist(document: Path) -> None:
    named = [text for text in code_spans(document.read_text("utf-8")) if is_path(text)]
    assert [text for text in named if not is_there(text, document)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_tests_it_names_exist(document: Path) -> None:
    spans = code_spans(document.read_text("utf-8"))
    # A merchant's fields and a client's method have such names too.
    others = r"api_(?:key|secret)\b|callback\b"
    named = {text for text in spans if re.fullmatch(rf"test_(?!{others})\w+", text)}
    written = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert {name for name in named if f"def {name}(" not in written} == set()


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_its_links_have_targets(document: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", document.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_make_targets_it_names_exist(document: Path) -> None:
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = document.read_text("utf-8")
    spans = [*code_spans(text), *re.findall(r"^    (make .*)$", text, re.MULTILINE)]
    named = {found for span in spans for found in re.findall(r"^make ([a-z-]+)", span)}
    assert named <= known


DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


def test_the_index_lists_every_decision_with_its_title() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8")
    # The index is by subject, so a later decision may be above an earlier one.
    listed = sorted(re.findall(r"^- \[(\d{4})\]\(([^)]+)\) (.+)$", index, re.MULTILINE))
    titles = [path.read_text("utf-8").split("\n")[0] for path in DECISIONS]
    assert [f"# {number}. {title}" for number, _, title in listed] == titles
    assert [name for _, name, _ in listed] == [path.name for path in DECISIONS]


@pytest.mark.parametrize("name", ["CHANGELOG.md", "docs/changelog-operators.md"])
def test_a_changelog_has_the_version(name: str) -> None:
    released = re.findall(
        r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", read_document(name), re.MULTILINE
    )
    assert released[0] == VERSION


PACKAGES = [
    *("cli/pyproject.toml", "clients/python/pyproject.toml", "clients/java/pom.xml"),
    *("clients/javascript/package.json", "clients/php/composer.json"),
]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_has_the_version(name: str) -> None:
    """Go's module has none in a file."""
    found = re.search(r"^\W*version\W+([\d.]+)", read_document(name), re.MULTILINE)
    assert found
    assert found[1] == VERSION


def test_deploying_has_every_parameter_and_its_default() -> None:
    found = tables(read_document("docs/deploying.md"), "Parameter", "Default")
    documented = {row[0].strip("`"): row[1].strip("`") for rows in found for row in rows}
    declared = template()["Parameters"]
    assert documented == {name: str(each["Default"]) for name, each in declared.items()}


def test_each_threat_names_a_test_or_the_decision_that_accepts_it() -> None:
    heads = (("Who attacks", "What", "What stops it"), ("What fails", "What", "What stops it"))
    threats = read_document("docs/threat-model.md")
    rows = [row for each in heads for found in tables(threats, *each) for row in found]
    assert len({tuple(row[:2]) for row in rows}) == len(rows) > 40
    shown = ""
    for row in rows:
        shown = shown if row[-1] == "the same" else row[-1]
        if accepted := re.fullmatch(r"none: .*accepted \(decision (\d+)\)", shown):
            assert [each for each in DECISIONS if each.name.startswith(f"{int(accepted[1]):04}-")]
        else:
            spans = code_spans(shown)
            assert any(re.fullmatch(r"test_\w+|tests/[\w/]+(\.py)?", span) for span in spans), row


def test_a_wrong_path_would_be_found() -> None:
    assert is_path("domain/nothing.py")
    assert is_path("functions/nothing")
    assert not is_path("order_no/sequence")
    assert not is_there("domain/nothing.py", ROOT / "README.md")
