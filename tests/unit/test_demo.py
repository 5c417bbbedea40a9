"""The demo says which step failed, and that no stack runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from local import processes
from local.demo_merchant import Merchant
from local.demo_steps import Unexpected, Walk
from local.places import REPOSITORY
from local.progress import LocalError


def demo(work: Path) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "local", "demo", "--work", str(work)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_without_a_stack_it_is_one_line_and_exit_1(tmp_path: Path) -> None:
    assert demo(tmp_path) == (1, "", "error: no local stack runs: start `make run` first\n")


def test_what_a_killed_run_left_behind_is_no_stack(tmp_path: Path) -> None:
    port = processes.free_port()
    left = {"endpoint_url": f"http://localhost:{port}"}
    (tmp_path / "stack.json").write_text(json.dumps(left))
    line = f"error: nothing answers on port {port}: start `make run` first\n"
    assert demo(tmp_path) == (1, "", line)


def test_a_step_is_printed_once_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    with Walk("buy").step("merchant", "creates a buy") as tell:
        tell("pending")
        assert capsys.readouterr().out == "\nbuy\n"
    assert capsys.readouterr().out.split() == ["merchant", "creates", "a", "buy", "pending"]


def test_a_step_that_fails_is_named_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    walk = Walk("sell")
    why = "the order is\n matching, not assigned"
    with (
        pytest.raises(LocalError, match=r"^sell: operator assigns: the order is matching, not a"),
        walk.step("operator", "assigns"),
    ):
        raise Unexpected(why)
    assert "operator" not in capsys.readouterr().out


def test_nobody_listening_is_a_failure_of_the_step() -> None:
    merchant = Merchant(f"http://127.0.0.1:{processes.free_port()}", "mk", "sk")
    with (
        pytest.raises(LocalError, match=r"^buy: merchant asks: "),
        Walk("buy").step("merchant", "asks"),
    ):
        merchant.available()
