"""The catalogues of the pages' texts: both languages, the same placeholders, nothing unused."""

import re
from functools import cache
from pathlib import Path

import pytest

from orderdesk_cli.console.console_texts import Names
from orderdesk_cli.console.routes import PAGES as CONSOLE
from orderdesk_cli.language import Language
from orderdesk_cli.sheets.words import SAYS
from tests.support.template import ROOT
from tools.catalogues import Catalogue, CatalogueError, catalogues

SAME_IN_BOTH = {"DisputeTexts.document", "OverviewTexts.none"}


@cache
def sources(root: Path) -> str:  # without what is written from a catalogue
    written = {path.with_suffix(".py") for path in catalogues()}
    files = [path for path in root.rglob("*") if path.suffix in {".py", ".html", ".js"}]
    return "\n".join(path.read_text("utf-8") for path in files if path not in written)


@pytest.fixture(params=catalogues(), ids=lambda path: path.parent.name)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def test_the_python_was_written_after_the_last_change_in_two_languages(path: Path) -> None:
    catalogue = Catalogue(path)
    assert path.with_suffix(".py").read_text("utf-8") == catalogue.python(), "make texts"
    same = {place for place, (en, zh) in catalogue.texts.items() if en == zh != ""}
    same -= {place for place in same if place.startswith(("Labels.", "Sheets."))}
    assert same <= SAME_IN_BOTH


def test_every_text_is_used(path: Path) -> None:
    names = {
        f"{of}.{name}"
        for of, texts in Catalogue(path).classes.items()
        for name in texts.keys() - {"base", "doc"}
    }
    code = sources(Catalogue(path).root)
    used = {name for name in names if re.search(rf"[.\"]{name.rpartition('.')[2]}\b", code)}
    assert names - used == set()


def test_the_console_has_each_page_and_action_that_is_named() -> None:
    names, actions = Names(Language.EN), [each for page in CONSOLE for each in page.actions]
    assert names.actions.keys() == {action.key for action in actions} > names.effects.keys()
    assert {*names.sections, *names.titles} <= {page.path for page in CONSOLE}
    assert [each for each in SAYS if f'"{each}"' not in sources(ROOT / "cli")] == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('a.en = "one"', "no text in both languages"),
        ('a.en = "{one}"\na.zh = "{two}"', "different placeholders"),
        ('[A.a]\nof = "bool"\nTrue.en = "x"\nTrue.zh = "y"', "lacks"),
        ('[A.a]\nof = "bool"\nsome = true\nNo.en = "x"\nNo.zh = "y"', "has"),
        ('[A.a]\nby = "orderdesk.domain.pricing.ByType"\nbuy.en = "x"\nbuy.zh = "y"', "lacks"),
    ],
)
def test_an_incomplete_catalogue_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "texts.toml"
    file.write_text(
        f'# Texts.\n\n[A]\nbase = "orderdesk.web.pages.texts.Texts"\ndoc = "A."\n{text}\n', "utf-8"
    )
    with pytest.raises(CatalogueError, match=problem):
        Catalogue(file).python()
