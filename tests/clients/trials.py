"""Trials: what an engineer does who has the built site and the keys, and nothing else.

A trial installs a client's package with the commands of the quickstart, saves the programs of the
pages unchanged, and runs them with the commands of the pages.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.clients.languages import GO_ENVIRONMENT
from tests.support.programs import ended

TABS = ("Python", "Node", "PHP", "Java", "Go")
# No package has a dependency, so none needs a network.
OFFLINE = {
    "COMPOSER_ALLOW_SUPERUSER": "1",
    "COMPOSER_DISABLE_NETWORK": "1",
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_offline": "true",
    "npm_config_update_notifier": "false",
}
PAGE_PORT = "8080"


def fenced(page: str, language: str) -> list[str]:
    """Return the code blocks of a language, in the order of a page."""
    pattern = rf"^( *)```{language}\n(.*?)^\1```$"
    return [
        textwrap.dedent(found[2]) for found in re.finditer(pattern, page, re.MULTILINE | re.DOTALL)
    ]


def tab(page: str, name: str) -> str:
    """Return what is in a tab of a page."""
    [block] = re.findall(rf'^=== "{name}"\n\n((?:    .*\n|\n)+)', f"{page}\n", re.MULTILINE)
    return textwrap.dedent(block)


def program(page: str, name: str) -> str:
    """Return the program in a tab of a page."""
    [found] = re.findall(r"^```(?!sh\n)\w+\n(.*?)^```$", tab(page, name), re.MULTILINE | re.DOTALL)
    return str(found)


def instructions(page: str, name: str) -> list[str]:
    """Return the file name of a tab's program, and the commands that run it."""
    [line] = re.findall(r"^(.+)\n\n```(?!sh\n)\w+$", tab(page, name), re.MULTILINE)
    return codes(line)


def row(page: str, name: str) -> list[str]:
    """Return the cells after a language's name in the first table that has it."""
    [_, *cells, _] = next(
        line.split("|") for line in page.splitlines() if line.startswith(f"| {name} ")
    )[1:]
    return cells


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


class Trial:
    def __init__(self, site: Path, name: str, folder: Path) -> None:
        self.folder = folder
        self._site = site
        self._name = name
        quickstart = self._page("quickstart")
        [file] = re.findall(r'href="([^"]+)"', tab(quickstart, name))
        shutil.copy(site / file, folder)
        if name == "Python":
            subprocess.run([sys.executable, "-m", "venv", folder / ".venv"], check=True)
        for commands in fenced(tab(quickstart, name), "sh"):
            self.run(f"set -e\n{commands}", {})
        self._saved, *self._run = instructions(quickstart, name)
        self._save(self._saved, "quickstart")

    def example(self, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the example of the quickstart."""
        return self._all(self._run, environment)

    def reconcile(self, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run the program that compares the statement with the balance."""
        self._save(_renamed(self._saved, "reconcile"), "going-live")
        return self._all([_renamed(each, "reconcile") for each in self._run], environment)

    @contextmanager
    def receiving(self, port: str, environment: Mapping[str, str]) -> Iterator[Iterator[str]]:
        """Run the receiver; yield the lines that it prints."""
        saved, run = row(self._page("callbacks"), self._name)
        self._save(codes(saved)[0], "callbacks")
        *builds, command = codes(run)
        for build in builds:
            self.run(build, {})
        with subprocess.Popen(
            ["bash", "-c", f"exec {command.replace(PAGE_PORT, port)}"],
            cwd=self.folder,
            env=self._environment({**environment, "PORT": port}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
        ) as process:
            assert process.stdout is not None
            try:
                yield process.stdout
            finally:
                os.killpg(process.pid, 15)

    def run(self, command: str, environment: Mapping[str, str]) -> str:
        done = self._all([command], environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _all(
        self, commands: list[str], environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        env = self._environment(environment)
        return ended("bash", "-c", " && ".join(commands), cwd=self.folder, env=env)

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        path = f"{self.folder / '.venv' / 'bin'}:{os.environ['PATH']}"
        home = {"COMPOSER_HOME": str(self.folder / ".composer")}
        plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        go = {name: value for name, value in GO_ENVIRONMENT.items() if name != "GOFLAGS"}
        return {**plain, **go, **OFFLINE, **home, "PATH": path, **more}

    def _save(self, name: str, page: str) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(program(self._page(page), self._name), "utf-8")

    def _page(self, name: str) -> str:
        return (self._site / f"{name}.md").read_text("utf-8")


def _renamed(text: str, program: str) -> str:
    """Return a file name or command of the example for another program."""
    return text.replace("example", program).replace("Example", program.capitalize())
