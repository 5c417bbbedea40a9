"""The functions' package and the operators' command are two distributions."""

import sysconfig
import zipfile
from pathlib import Path

import pytest

from local.places import REPOSITORY, VENV_BIN
from tests.support.programs import printed

UV = str(VENV_BIN / "uv")
PROJECTS = {"orderdesk": REPOSITORY, "orderdesk_cli": REPOSITORY / "cli"}
SOURCES = {"orderdesk": REPOSITORY / "layers" / "common", "orderdesk_cli": REPOSITORY / "cli"}

IS_THERE = """
import importlib.util
print("orderdesk" if importlib.util.find_spec("orderdesk") else "no orderdesk")
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build both wheels; the setup has put the build backend into uv's cache."""
    built = {}
    for name, project in PROJECTS.items():
        folder = tmp_path_factory.mktemp(name)
        printed(UV, "build", "--wheel", "--offline", "--out-dir", str(folder), cwd=project)
        [built[name]] = folder.glob("*.whl")
    return built


@pytest.mark.parametrize("name", PROJECTS)
def test_a_distribution_has_one_whole_package(wheels: dict[str, Path], name: str) -> None:
    files = set(zipfile.ZipFile(wheels[name]).namelist())
    top_level = {Path(file).parts[0] for file in files}
    assert {each for each in top_level if not each.endswith(".dist-info")} == {name}
    sources = {
        str(path.relative_to(SOURCES[name]))
        for path in (SOURCES[name] / name).rglob("*")
        if path.suffix in {".py", ".html", ".css", ".svg"}
    }
    assert sources <= files


def test_the_command_runs_without_the_functions_package(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    venv, wheel = tmp_path / "venv", str(wheels["orderdesk_cli"])
    printed(UV, "venv", "--quiet", "--offline", str(venv))
    python = str(venv / "bin" / "python")
    printed(UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, wheel)
    # The libraries of this environment, but neither of its editable packages.
    [packages] = venv.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    assert "no orderdesk" in printed(python, "-c", IS_THERE, cwd=tmp_path)
    for words in (["--help"], ["rate", "set", "--help"]):
        assert "Usage" in printed(str(venv / "bin" / "orderdesk"), *words, cwd=tmp_path)
