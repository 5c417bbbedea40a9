"""The five languages: the commands to build, run and check a client.

Each language has a driver next to a copy of the client's file. The driver reads requests from
standard input and writes answers to standard output, both as JSON. Therefore one test in Python
covers all five clients.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.places import REPOSITORY, WORK

CLIENTS = REPOSITORY / "clients"
TYPESCRIPT = Path(__file__).with_name("typescript")
DRIVERS = Path(__file__).with_name("drivers")
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

    `file` is the client, copied as `copied` next to the `driver`; `build` compiles both.
    `build_examples` runs in the client's folder and builds into `{folder}`. `drive`, `example`,
    `reconcile` and `receive` run the results; `{port}` is the receiver's port. `checks` are
    the language's own and run in the client's folder; `gofmt -l` prints the files that it would
    change.
    """

    name: str
    file: Path
    copied: str
    driver: str
    drive: Command
    example: Command
    reconcile: Command
    receive: Command
    build: tuple[Command, ...] = ()
    build_examples: tuple[Command, ...] = ()
    checks: tuple[Command, ...] = ()

    @property
    def folder(self) -> Path:
        return CLIENTS / self.name


JAVAC = ["javac", "-Xlint:all", "-Werror", "-d"]

LANGUAGES = (
    Language(
        "python",
        CLIENTS / "python" / "orderdesk_client" / "client.py",
        "orderdesk.py",
        "driver.py",
        drive=[sys.executable, "driver.py"],
        example=[sys.executable, str(CLIENTS / "python" / "example.py")],
        reconcile=[sys.executable, str(CLIENTS / "python" / "reconcile.py")],
        receive=[sys.executable, str(CLIENTS / "python" / "receiver.py")],
    ),
    Language(
        "javascript",
        CLIENTS / "javascript" / "orderdesk.mjs",
        "orderdesk.mjs",
        "driver.mjs",
        drive=["node", "driver.mjs"],
        example=["node", str(CLIENTS / "javascript" / "example.mjs")],
        reconcile=["node", str(CLIENTS / "javascript" / "reconcile.mjs")],
        receive=["node", str(CLIENTS / "javascript" / "receiver.mjs")],
        checks=(
            *(
                ["node", "--check", f"{name}.mjs"]
                for name in ("orderdesk", "example", "reconcile", "receiver")
            ),
            [str(TYPESCRIPT / "node_modules" / ".bin" / "tsc"), "--project", str(TYPESCRIPT)],
        ),
    ),
    Language(
        "php",
        CLIENTS / "php" / "Orderdesk.php",
        "Orderdesk.php",
        "driver.php",
        drive=["php", "driver.php"],
        example=["php", str(CLIENTS / "php" / "example.php")],
        reconcile=["php", str(CLIENTS / "php" / "reconcile.php")],
        receive=["php", "-S", "127.0.0.1:{port}", str(CLIENTS / "php" / "receiver.php")],
        checks=tuple(
            ["php", "-d", "error_reporting=E_ALL", "-l", f"{name}.php"]
            for name in ("Orderdesk", "example", "reconcile", "receiver")
        ),
    ),
    Language(
        "java",
        CLIENTS / "java" / "Orderdesk.java",
        "Orderdesk.java",
        "Driver.java",
        drive=["java", "-cp", ".", "Driver"],
        example=["java", "-cp", ".", "Example"],
        reconcile=["java", "-cp", ".", "Reconcile"],
        receive=["java", "-cp", ".", "Receiver"],
        build=([*JAVAC, ".", "Orderdesk.java", "Driver.java"],),
        build_examples=(
            [
                *(*JAVAC, "{folder}", "Orderdesk.java"),
                *(f"{name}.java" for name in ("Example", "Reconcile", "Receiver")),
            ],
        ),
    ),
    Language(
        "go",
        CLIENTS / "go" / "orderdesk.go",
        "orderdesk/orderdesk.go",
        "driver.go",
        drive=["./driver"],
        example=["./example"],
        reconcile=["./reconcile"],
        receive=["./receiver"],
        build=(["go", "mod", "init", "driver"], ["go", "build", "-o", "driver", "."]),
        build_examples=(["go", "build", "-o", "{folder}", "./..."],),
        checks=(["gofmt", "-l", "."], ["go", "vet", "./..."]),
    ),
)


class Built:
    def __init__(self, language: Language, folder: Path) -> None:
        self.language = language
        self.folder = folder
        (folder / language.copied).parent.mkdir(exist_ok=True)
        shutil.copy2(language.file, folder / language.copied)
        shutil.copy2(DRIVERS / language.driver, folder)
        for command in language.build:
            self.run(command)
        for command in language.build_examples:
            self.run([word.format(folder=folder) for word in command], cwd=language.folder)

    def drive(self, requests: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Run requests with the client in one process; return an answer for each."""
        answers: list[Any] = json.loads(self.run(self.language.drive, json.dumps(requests)))
        assert len(answers) == len(requests)
        return answers

    def run(self, command: Command, text: str = "", cwd: Path | None = None) -> str:
        """Run a command, by default in the client's folder; return its output."""
        done = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=self.environment(),
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, **GO_ENVIRONMENT, "PYTHONPATH": str(CLIENTS / "python"), **more}
