"""The five languages: the commands to build, run and check a client.

Each language has a driver next to a copy of the client's files. The driver reads requests from
standard input and writes answers to standard output, both as JSON. Therefore one test in Python
covers all five clients.
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.places import REPOSITORY, WORK
from tests.support.programs import printed

CLIENTS = REPOSITORY / "clients"
DRIVERS = Path(__file__).with_name("drivers")
TYPESCRIPT = Path(__file__).with_name("typescript")
GO_ENVIRONMENT = {
    "GOCACHE": str(WORK / "go-build"),
    "GOFLAGS": "-mod=mod",
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
}

type Command = list[str]


@dataclass(frozen=True, slots=True)
class Language:
    """A language's client.

    `files` are copied into the folder `copied`, next to the `driver`; `build` compiles both, and
    `drive` runs the result. `checks` are the language's own and run in the client's folder;
    `gofmt -l` prints the files that it would change.
    """

    name: str
    files: tuple[Path, ...]
    driver: str
    drive: Command
    copied: str = "."
    build: tuple[Command, ...] = ()
    checks: tuple[Command, ...] = ()

    @property
    def folder(self) -> Path:
        return CLIENTS / self.name

    @property
    def text(self) -> str:
        return "".join(path.read_text("utf-8") for path in self.files)


JAVA_SOURCES = CLIENTS / "java" / "src" / "main" / "java" / "orderdesk"

LANGUAGES = (
    Language(
        "python",
        (CLIENTS / "python" / "orderdesk_client" / "client.py",),
        "driver.py",
        drive=[sys.executable, "driver.py"],
    ),
    Language(
        "javascript",
        (CLIENTS / "javascript" / "orderdesk.mjs",),
        "driver.mjs",
        drive=["node", "driver.mjs"],
        checks=tuple(
            ["node", "--check", f"{name}.mjs"]
            for name in ("orderdesk", "example", "reconcile", "receiver")
        ),
    ),
    Language(
        "php",
        (CLIENTS / "php" / "src" / "Orderdesk.php",),
        "driver.php",
        drive=["php", "driver.php"],
        checks=tuple(
            ["php", "-d", "error_reporting=E_ALL", "-l", f"{name}.php"]
            for name in ("src/Orderdesk", "example", "reconcile", "receiver")
        ),
    ),
    Language(
        "java",
        tuple(sorted(JAVA_SOURCES.glob("*.java"))),
        "Driver.java",
        drive=["java", "-cp", ".", "orderdesk.Driver"],
        build=(["sh", "-c", "javac -Xlint:all -Werror -d . *.java"],),
    ),
    Language(
        "go",
        (CLIENTS / "go" / "orderdesk.go", CLIENTS / "go" / "types.go"),
        "driver.go",
        drive=["./driver"],
        copied="orderdesk",
        build=(["go", "mod", "init", "driver"], ["go", "build", "-o", "driver", "."]),
        checks=(["gofmt", "-l", "."], ["go", "vet", "./..."]),
    ),
)


class Built:
    def __init__(self, language: Language, folder: Path) -> None:
        self.language = language
        self.folder = folder
        (folder / language.copied).mkdir(exist_ok=True)
        for path in language.files:
            name = "orderdesk.py" if path.name == "client.py" else path.name
            shutil.copy2(path, folder / language.copied / name)
        shutil.copy2(DRIVERS / language.driver, folder)
        for command in language.build:
            self.run(command)

    def drive(self, requests: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Run requests with the client in one process; return an answer for each."""
        answers: list[Any] = json.loads(self.run(self.language.drive, json.dumps(requests)))
        assert len(answers) == len(requests)
        return answers

    def run(self, command: Command, text: str = "", cwd: Path | None = None) -> str:
        """Run a command, by default in the client's folder; return its output."""
        environment = {**os.environ, **GO_ENVIRONMENT}
        return printed(*command, cwd=cwd or self.folder, env=environment, input=text)


def without_empty(value: Any) -> Any:
    """Return data without null, "", 0 and empty objects and lists: Go and Java do not have them."""
    if isinstance(value, dict):
        kept = {name: without_empty(member) for name, member in value.items()}
        return {name: member for name, member in kept.items() if member}
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    return value
