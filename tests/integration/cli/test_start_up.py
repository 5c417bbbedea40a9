"""A command imports nothing that it does not need.

A listing may take 0.5 s of CPU, `--help` 0.3 s, and most of both is importing. A time limit would
fail on a busy machine, so these tests list the modules. A commit that adds one says why.
"""

import json
import subprocess
import sys

import pytest

# An API where nobody answers: the command stops at its first call.
PROGRAM = """
import json, os, sys
os.environ |= {
    "ORDERDESK_URL": "http://127.0.0.1:1/v1", "AWS_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
}
from orderdesk_cli import api
from orderdesk_cli.main import app

api._PAUSES_SECONDS = ()
try:
    app(sys.argv[1:])
except SystemExit as end:
    names = sorted(filter(sys.modules.get, sys.modules))
    print(json.dumps({"exit_code": end.code, "modules": names}))
"""
CLICK = {"click"}
BOTOCORE = {"botocore", "certifi", "dateutil", "jmespath", "six", "urllib3"}


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
    ours = {"__main__", "orderdesk_cli"}
    return {
        name
        for name in packages - sys.stdlib_module_names - ours
        if not name.startswith(("_", "sitecustomize"))
    }


@pytest.mark.parametrize(
    "words",
    [
        ("order", "list"),
        ("order", "show", "B1"),
        ("audit",),
        ("fund", "merchant", "m", "1", "--memo", "m"),
    ],
)
def test_a_command_of_the_api_signs_and_imports_no_model_of_aws(words: tuple[str, ...]) -> None:
    exit_code, modules = imported(*words)
    assert exit_code == 1, "nobody answers"
    assert libraries(modules) <= CLICK | BOTOCORE
    assert not {"yaml", "jinja2", "starlette"} & modules


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("order", "--help"), {"orders"}),
        (("order", "list", "--help"), {"orders"}),
        (("ledger", "check", "--help"), {"ledger"}),
        (("audit", "--help"), {"ledger"}),
        (("fund", "--help"), {"money"}),
        (("--help",), {"ledger", "money", "orders"}),
        (("merchant", "add", "--help"), set()),
        (("console", "--help"), set()),
    ],
)
def test_help_imports_its_own_commands_and_nothing_of_aws(
    words: tuple[str, ...], shown: set[str]
) -> None:
    exit_code, modules = imported(*words)
    assert exit_code == 0
    found = {name.removeprefix("orderdesk_cli.") for name in modules}
    assert found & {"ledger", "money", "orders"} == shown
    assert "orderdesk" not in modules
    assert libraries(modules) <= CLICK
