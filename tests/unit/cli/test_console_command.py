"""`orderdesk console` before it serves: what it loads, and wrong arguments."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from orderdesk_cli.invocation import Invocation
from orderdesk_cli.main import app
from orderdesk_cli.wiring import Office

_PROGRAM = """
import sys
from orderdesk_cli.main import app
try:
    app({words})
except SystemExit:
    pass
print([name for name in ("starlette", "uvicorn", "jinja2", "anyio") if name in sys.modules])
"""


@pytest.mark.parametrize("words", [["--help"], ["console", "--help"], ["order", "--help"]])
def test_no_help_loads_what_serves_the_console(words: list[str]) -> None:
    program = _PROGRAM.format(words=words)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("port", ["0", "80", "65536", "many"])
def test_a_port_that_cannot_be_is_wrong_usage(port: str) -> None:
    def nowhere(stack: str) -> Office:
        raise AssertionError("looked for a stack")

    words = ("console", "--port", port)
    result = CliRunner().invoke(app, words, obj=Invocation(open_office=nowhere))
    assert (result.exit_code, result.stdout) == (2, "")
