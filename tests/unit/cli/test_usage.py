"""Usage errors and start-up: a command that needs no stack does not look for one."""

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
        ("merchant", "add", "n", "--service-fixed", "0.1234567"),
        ("merchant", "add", "n", "--min-cny", "1.001"),
        ("fund", "merchant", "m1", "5"),
        ("fund", "merchant", "m1", "-5", "--memo", "m"),
        ("fund", "merchant", "m1", "5", "--memo", ""),
        ("trader", "add", "n", "--min", "1"),
        ("trader", "set", "t1", "--max-open", "0"),
        ("rate", "set", "both", "7"),
        ("rate", "set", "buy", "7.12345"),
        ("order", "assign", "S1", "t1", "--yes"),
        ("order", "cancel", "S1", "--reason", " "),
        ("order", "dispute", "S1", "--reason", "two\nlines"),
        ("order", "resolve", "S1", "--reason", "r"),
        ("order", "resolve", "S1", "expired", "--reason", "r"),
        ("callback", "redeliver", "msg_1", "--reason"),
        ("callback", "list", "--limit", "0"),
        ("order", "list", "--status", "lost"),
        ("order", "list", "--limit", "0"),
        ("order", "list", "--since", "soon"),
        ("reject", "P1"),
        ("order", "evidence"),
        *(("console", "--port", port) for port in ("0", "80", "65536", "many")),
    ],
    ids=" ".join,
)
def test_usage_errors_exit_2_before_any_stack_is_looked_for(words: tuple[str, ...]) -> None:
    obj = Invocation(nowhere)
    result = CliRunner().invoke(app, words, obj=obj)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr
