"""Usage errors and start-up: a command that needs no stack does not look for one."""

import subprocess
import sys
from typing import NoReturn

import pytest
from click.testing import CliRunner

from orderdesk_cli.commands import Invocation
from orderdesk_cli.main import app


def nowhere(stack: str, *_: object) -> NoReturn:
    raise AssertionError(f"looked for {stack}")


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("merchant", "nonsense"),
        ("merchant", "add"),
        ("merchant", "add", "n", "--nonsense"),
        ("merchant", "add", "n", "--service-bps", "10001"),
        ("merchant", "add", "n", "--service-bps", "1.5"),
        ("merchant", "add", "n", "--spread-bps", "10000"),
        ("merchant", "add", "n", "--service-fixed", "0.1234567"),
        ("merchant", "add", "n", "--min-cny", "1.001"),
        ("merchant", "add", "n", "--max-cny", "9" * 16),
        ("fund", "merchant", "m1", "5"),
        ("fund", "merchant", "m1", "-5", "--memo", "m"),
        ("fund", "merchant", "m1", "5", "--memo", ""),
        ("fund", "nobody", "m1", "5", "--memo", "m"),
        ("trader", "add", "n", "--min", "1"),
        ("trader", "add", "n", "--min", "1", "--max", "2", "--max-open", "0"),
        ("trader", "set", "t1", "--max-open", "0"),
        ("trader", "set", "t1", "--daily-cny", "1.001"),
        ("trader", "add-method", "t1", "cash"),
        ("rate", "set", "both", "7"),
        ("rate", "set", "buy", "7.12345"),
        ("order", "assign", "S1"),
        ("order", "assign", "S1", "t1", "--yes"),
        ("order", "cancel", "S1"),
        ("order", "cancel", "S1", "--reason", " "),
        ("order", "dispute", "S1", "--json"),
        ("order", "dispute", "S1", "--reason", "two\nlines"),
        ("order", "resolve", "S1", "completed"),
        ("order", "resolve", "S1", "--reason", "r"),
        ("order", "resolve", "S1", "expired", "--reason", "r"),
        ("trader", "new-code"),
        ("callback", "redeliver"),
        ("callback", "redeliver", "msg_1", "--reason"),
        ("callback", "list", "--limit", "0"),
        ("order", "list", "--status", "lost"),
        ("order", "list", "--limit", "0"),
        ("order", "list", "--since", "soon"),
        ("order", "list", "--mode", "both"),
        ("order", "list", "--type", "2"),
        ("order", "list", "--min-cny", "1.001"),
        ("order", "find"),
        ("order", "evidence"),
        *(("console", "--port", port) for port in ("0", "80", "65536", "many")),
        ("audit", "--since", "yesterday"),
    ],
    ids=" ".join,
)
def test_usage_errors_exit_2_before_any_stack_is_looked_for(words: tuple[str, ...]) -> None:
    obj = Invocation(open_api=nowhere, open_installation=nowhere)
    result = CliRunner().invoke(app, words, obj=obj)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr


def test_the_help_of_the_console_loads_nothing_that_serves_it() -> None:
    program = """
import sys
from orderdesk_cli.main import app
try:
    app(["console", "--help"])
except SystemExit:
    print({"starlette", "uvicorn", "jinja2", "anyio"} & sys.modules.keys())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"


def test_the_exit_code_of_help_is_0() -> None:
    for words in ((), ("merchant",), ("merchant", "add"), ("trader", "add-method"), ("audit",)):
        result = CliRunner().invoke(app, [*words, "--help"])
        assert result.exit_code == 0
        assert "Usage" in result.stdout
