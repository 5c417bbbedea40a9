"""The imports of each function, which every cold start pays for.

A library that is not on these lists fails a test. The commit that adds one states the reason.
"""

import sys

import pytest

from bench.artifacts import OURS, Artifact
from bench.cold_imports import import_alone
from local import sam
from local.places import BUILD, WORK
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
}
# Slow modules of the standard library that a dependency imported once, or could import.
NEVER = {
    "aiohttp",
    "asyncio",
    "multiprocessing",
    "pdb",
    "pydoc",
    "sqlite3",
    "tkinter",
    "unittest",
}


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """Import every built function in a new interpreter; return its modules."""
    WORK.mkdir(exist_ok=True)
    sam.build(WORK / "sam-build.log")
    layer = BUILD / "CommonLayer" / "python"
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
