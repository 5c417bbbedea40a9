"""`pip install orderdesk` installs two packages, and no other names."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from local.places import REPOSITORY, VENV_BIN


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Build the wheel and list its files; the setup has put the build backend into uv's cache."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [str(VENV_BIN / "uv"), "build", "--wheel", "--offline", "--out-dir", str(folder)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [built] = folder.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


def test_every_name_is_orderdesks_own(wheel: list[str]) -> None:
    top_level = {Path(name).parts[0] for name in wheel}
    assert {name for name in top_level if not name.endswith(".dist-info")} == {
        "orderdesk",
        "orderdesk_cli",
    }


def test_it_contains_the_whole_command(wheel: list[str]) -> None:
    sources = {
        str(path.relative_to(REPOSITORY / "cli"))
        for path in (REPOSITORY / "cli" / "orderdesk_cli").rglob("*.py")
    }
    assert "orderdesk_cli/main.py" in sources
    assert sources <= set(wheel)
