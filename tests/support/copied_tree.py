"""A copy of the production code, to be changed as somebody would change it and type-checked."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.template import ROOT

CHECKED = ("layers/common/orderdesk", "functions", "cli/orderdesk_cli", "local", "events")
COPIED = (*CHECKED, "pyproject.toml", "template.yaml", "docs")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.marshal", ".venv")
PACKAGE = "layers/common/orderdesk"


@dataclass(slots=True)
class Tree:
    """A copy and the type checker's cache of it; `touched` are the files that were changed."""

    root: Path
    cache: Path
    touched: set[str] = field(default_factory=set)

    @classmethod
    def of_the_project(cls, folder: Path) -> "Tree":
        """Copy what the type checker needs, and what names routes beside it."""
        tree = cls(folder / "tree", folder / "cache")
        for name in COPIED:
            source, target = ROOT / name, tree.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT_OUT)
            elif source.exists():
                shutil.copy2(source, target)
        return tree

    def copied(self, folder: Path) -> "Tree":
        """Copy the tree with its warm cache."""
        copy = Tree(folder / "tree", folder / "cache")
        shutil.copytree(self.root, copy.root)
        shutil.copytree(self.cache, copy.cache)
        return copy

    def change(self, path: str, *changes: tuple[str, str]) -> None:
        """Replace patterns in a file, each wherever it occurs; each must occur."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        for pattern, replacement in changes:
            text, count = re.subn(pattern, replacement, text)
            assert count, f"{path} has no {pattern}: adapt the exercise"
        self._write(path, text)

    def add(self, path: str, text: str) -> None:
        """Add a file."""
        self._write(path, text)

    def errors(self) -> dict[str, list[str]]:
        """Give the type checker's errors, by file."""
        command = [sys.executable, "-m", "mypy", "--cache-dir", str(self.cache), *CHECKED]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode in {0, 1}, done.stdout + done.stderr
        found: dict[str, list[str]] = {}
        for path, error in _errors(done.stdout):
            found.setdefault(path, []).append(error)
        return found

    def run(self, code: str) -> str:
        """Run Python on the copy, with the project's tests beside it; give what it prints."""
        folders = (*(self.root / name for name in ("layers/common", "cli", "")), ROOT)
        environment = {"PYTHONPATH": ":".join(map(str, folders))}
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.touched.add(path)


def _errors(output: str) -> Iterator[tuple[str, str]]:
    for line in output.splitlines():
        place, is_error, text = line.partition(": error: ")
        if is_error:
            yield place.partition(":")[0], text
