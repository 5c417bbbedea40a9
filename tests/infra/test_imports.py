"""The imports of each function, which every cold start pays for.

A library that is not on these lists fails a test. The commit that adds one states the reason.
"""

import sys
from pathlib import Path

import pytest

from bench.artifacts import OURS, Artifact
from bench.cold_imports import import_alone, own_modules
from local.places import BUILD
from tests.support.built_functions import FUNCTIONS, settings_of

BOTOCORE = {"botocore", "certifi", "dateutil", "jmespath", "six", "urllib3"}
PYDANTIC = {
    "annotated_types",
    "pydantic",
    "pydantic_core",
    "typing_extensions",
    "typing_inspection",
}
EVERYWHERE = {"app", "aws_lambda_powertools", "orderdesk"} | BOTOCORE | PYDANTIC
PAGES = {"jinja2", "markupsafe"}
MORE = {
    "IdentityPageFunction": PAGES,
    "PayPageFunction": PAGES,
    "TraderDeskFunction": PAGES,
    "MerchantPortalFunction": PAGES,
}
# Slow modules of the standard library that a dependency imported once, or could import.
NEVER = {"aiohttp", "asyncio", "multiprocessing", "pdb", "pydoc", "sqlite3", "tkinter", "unittest"}

DESK_MODULES_MAX = 75


@pytest.fixture(scope="module")
def imported(layer: Path) -> dict[str, set[str]]:
    """Import every built function in a new interpreter; return its modules."""
    return {
        name: set(
            import_alone(Artifact(OURS, name, (BUILD / name, layer), settings_of(name)))["modules"]
        )
        for name in FUNCTIONS
    }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_imports_the_libraries_it_needs(
    function: str, imported: dict[str, set[str]]
) -> None:
    packages = {name.split(".")[0] for name in imported[function]}
    libraries = {name for name in packages - sys.stdlib_module_names if not name.startswith("_")}
    assert libraries == EVERYWHERE | MORE.get(function, set())
    assert not packages & NEVER


@pytest.mark.parametrize("function", ["CreateOrderFunction", *MORE])
def test_no_cold_start_searches_plugins(function: str, imported: dict[str, set[str]]) -> None:
    assert not imported[function] & {"importlib.metadata", "zipfile"}


def test_the_desk_imports_few_modules_of_our_own(imported: dict[str, set[str]]) -> None:
    """Each takes about 0.4 ms of a cold start."""
    own = own_modules(imported["TraderDeskFunction"])
    assert len(own) <= DESK_MODULES_MAX, own
