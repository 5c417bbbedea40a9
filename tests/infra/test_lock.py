"""The requirements files match the lock files: `make lock` was run after the last change."""

import re

import pytest

from local.places import REPOSITORY, VENV_BIN
from tests.support.programs import printed

MAKEFILE = (REPOSITORY / "Makefile").read_text("utf-8")
[EXPORT] = re.findall(r"^EXPORT := (.+)$", MAKEFILE, re.MULTILINE)
EXPORTED = re.findall(r"^\t\$\(EXPORT\) (.+) --output-file (.+)$", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize(("options", "file"), EXPORTED)
def test_requirements_are_those_of_the_lock_file(options: str, file: str) -> None:
    assert (REPOSITORY / file).read_text() == printed(*EXPORT.split(), *options.split())


def test_every_requirements_file_is_exported() -> None:
    assert len(EXPORTED) == 5


@pytest.mark.parametrize("project", [".", "tools/sam"])
def test_the_lock_file_fits_its_project(project: str) -> None:
    printed(VENV_BIN / "uv", "lock", "--check", "--offline", "--project", project)
