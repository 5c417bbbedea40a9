"""A command imports nothing that it does not need.

A listing may take 0.7 s of CPU, `--help` 0.3 s, and most of both is importing. A time limit would
fail on a busy machine, so these tests list the modules. A commit that adds one says why.
"""

import json
import subprocess
import sys

import pytest

# A stack that is found, but whose tables nobody serves: the command stops at its first read.
PROGRAM = """
import json, sys
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk_cli.invocation import Invocation
from orderdesk_cli.main import app

def office(name):
    from orderdesk_cli.stacks import LocalSession, Stack
    from orderdesk_cli.wiring import Office
    tables = {f"{table.title()}TableName": table for table in TableNames.__dataclass_fields__}
    return Office(LocalSession("http://127.0.0.1:1"), lambda: Stack(name, tables))

try:
    app(sys.argv[1:], obj=Invocation(open_office=office))
except SystemExit as end:
    print(json.dumps({"exit_code": end.code, "modules": sorted(sys.modules)}))
"""
TYPER = {"annotated_doc", "shellingham", "typer"}
RICH = {"markdown_it", "mdurl", "pygments", "rich"}
BOTOCORE = {"botocore", "certifi", "dateutil", "jmespath", "six", "urllib3"}
READING = {"client", "keys", "marshal"}
AN_ORDER = {"orders", "orders.items", "orders.notes", "orders.reads", "traders", "traders.items"}


def imported(*words: str) -> tuple[int, set[str]]:
    """Run a command; return its exit code and the imported modules."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return found["exit_code"], set(found["modules"])


def libraries(modules: set[str]) -> set[str]:
    """Return the packages that are neither ours nor Python's."""
    packages = {name.partition(".")[0] for name in modules}
    ours = {"__main__", "orderdesk", "orderdesk_cli"}
    return {
        name
        for name in packages - sys.stdlib_module_names - ours
        if not name.startswith(("_", "sitecustomize"))
    }


def tables(modules: set[str]) -> set[str]:
    """Return the modules that read and write tables."""
    package = "orderdesk.adapters.dynamodb."
    return {name.removeprefix(package) for name in modules if name.startswith(package)}


def words_of(value: tuple[str, ...] | set[str]) -> str:
    """Return a case's id: its words, because a set has another order in each process."""
    return " ".join(value) if isinstance(value, tuple) else ""


@pytest.mark.parametrize(
    ("words", "own"),
    [
        (
            ("order", "list"),
            AN_ORDER - {"orders.notes", "orders.reads"} | {"operator", "operator.orders"},
        ),
        (
            ("merchant", "list"),
            {"audit", "balance_shards", "merchants", "operator", "operator.merchants"}
            | {"transactions"},
        ),
        (
            ("trader", "list"),
            AN_ORDER | {"audit", "operator", "operator.traders", "transactions"},
        ),
        (("audit",), {"audit", "transactions"}),
    ],
    ids=words_of,
)
def test_a_listing_imports_the_adapters_that_it_reads_with(
    words: tuple[str, ...], own: set[str]
) -> None:
    exit_code, modules = imported(*words)
    assert exit_code == 1, "the tables do not answer"
    assert tables(modules) == READING | own
    assert libraries(modules) <= TYPER | RICH | BOTOCORE
    services = {"kms", "s3", "sqs", "evidence"}
    assert not {f"orderdesk.adapters.{name}" for name in services} & modules


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("--help",), set()),
        (("order", "--help"), {"orders.commands", "orders.evidence", "orders.moves"}),
        (("order", "list", "--help"), {"orders.commands"}),
        (("ledger", "check", "--help"), {"ledger.commands"}),
        (("audit", "--help"), set()),
        (("report", "--help"), set()),
    ],
    ids=words_of,
)
def test_help_imports_its_own_commands_and_nothing_of_aws(
    words: tuple[str, ...], shown: set[str]
) -> None:
    exit_code, modules = imported(*words)
    assert exit_code == 0
    commands = {"commands", "evidence", "moves", "funds", "rates"}
    found = {name for name in modules if name.startswith("orderdesk_cli.")}
    groups = {name for name in found if name.rpartition(".")[2] in commands}
    assert groups == {f"orderdesk_cli.{name}" for name in shown}
    assert libraries(modules) <= TYPER | RICH


def test_help_of_everything_draws_nothing() -> None:
    """The help is plain text; Rich is imported only to draw."""
    _, modules = imported("--help")
    assert "rich" not in modules
