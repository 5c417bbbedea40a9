"""The clients pass the checks of their languages' tools."""

from pathlib import Path

import pytest

from tests.clients.languages import CLIENTS, DRIVERS, Built, Language

LINES_MAX = {"python": 420, "javascript": 470, "php": 545, "java": 740, "go": 600}
WRITTEN = sorted(
    path
    for folder in (CLIENTS, DRIVERS)
    for path in folder.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)


def test_the_languages_own_checks(language: Language, client: Built) -> None:
    for command in language.checks:
        printed = client.run(command, cwd=language.folder)
        assert printed == "" or "No syntax errors" in printed


def test_gofmt_would_not_change_the_driver(client: Built, language: Language) -> None:
    if language.name == "go":
        assert client.run(["gofmt", "-l", str(DRIVERS)]) == ""


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_lines_have_unix_ends(path: Path) -> None:
    text = path.read_bytes()
    assert b"\r" not in text
    assert text == b"" or (text.endswith(b"\n") and not text.endswith(b"\n\n"))
    lines = text.decode().splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert (
        path.suffix == ".md"
        or path.name == "orderdesk.d.mts"
        or [line for line in lines if len(line) > 120] == []
    )
    assert path.suffix in {".go", ".md"} or "\t" not in text.decode()


def test_a_client_stays_small(language: Language) -> None:
    """Generated files do not count."""
    written = [path for path in language.files if "`make openapi`" not in path.read_text("utf-8")]
    lines = [line for path in written for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= LINES_MAX[language.name]


def test_nothing_built_is_left_in_the_folders(client: Built, language: Language) -> None:
    left = {path.name for path in language.folder.rglob("*") if path.is_file()}
    assert [name for name in left if name.endswith((".class", ".o")) or "." not in name] == [
        "LICENSE"
    ]
