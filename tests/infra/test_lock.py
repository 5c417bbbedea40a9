"""The requirements files match the lock files: `make lock` was run after the last change."""

import subprocess

import pytest

from local.places import REPOSITORY, VENV_BIN

LAYER = (
    "--no-default-groups",
    "--group",
    "identity",
    "--group",
    "pages",
    "--group",
    "codes",
    "--no-emit-project",
)
PICTURES = ("--only-group", "pictures")


def exported(*options: str) -> str:
    """Export hashed requirements from the lock file, as `make lock` does."""
    command = [
        str(VENV_BIN / "uv"),
        "export",
        "--frozen",
        "--quiet",
        "--no-header",
        "--no-annotate",
    ]
    return subprocess.run(
        [*command, *options], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("layers/common/requirements.txt", LAYER),
        ("functions/render_receipt/requirements.txt", PICTURES),
    ],
)
def test_requirements_are_those_of_the_lock_file(file: str, options: tuple[str, ...]) -> None:
    assert (REPOSITORY / file).read_text() == exported(*options)


@pytest.mark.parametrize("project", [".", "tools/sam"])
def test_the_lock_file_fits_its_project(project: str) -> None:
    command = [str(VENV_BIN / "uv"), "lock", "--check", "--offline", "--project", project]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
