"""`make run` and `make deploy` as a person meets them (contract section 10)."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from local import processes
from local.places import REPOSITORY

READY_SECONDS_MAX = 30
DEPLOY_SECONDS_MAX = 15


def local(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "local", *arguments]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="module")
def run(stack: object, work: Path) -> Iterator[tuple[psutil.Popen, list[str], float]]:
    """Run it until `ready`; give the process, what it printed and how long it took.

    `stack` has built the artifacts: this is a later run, not the first.
    """
    began = time.monotonic()
    command = local("run", "--port", str(processes.free_port()), "--work", str(work))
    with psutil.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("ready"):
                break
        yield process, lines, time.monotonic() - began
        if process.is_running():
            process.terminate()


def test_it_is_ready_soon_and_says_where(run: tuple[psutil.Popen, list[str], float]) -> None:
    _process, lines, seconds = run
    assert lines[-1].startswith("ready")
    assert any("/merchant/createOrder" in line for line in lines)
    assert seconds < READY_SECONDS_MAX


@pytest.mark.usefixtures("run")
def test_stack_json_leads_to_everything(work: Path) -> None:
    stack = json.loads((work / "stack.json").read_text())
    assert {"base_url", "endpoint_url", "region", "stack", "outputs", "demo"} <= stack.keys()
    assert httpx.get(stack["base_url"] + "/nope").json()["code"] == 4000
    assert httpx.get(stack["demo"]["callback_sink"]).json() == []
    assert (work / "stack.json").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("run")
def test_deploy_is_quick(work: Path) -> None:
    began = time.monotonic()
    subprocess.run(local("deploy", "--work", str(work)), cwd=REPOSITORY, check=True)
    assert time.monotonic() - began < DEPLOY_SECONDS_MAX


@pytest.mark.usefixtures("run")
def test_the_demo_goes_all_the_way(work: Path) -> None:
    done = subprocess.run(
        local("demo", "--work", str(work)),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(" completed") == 3
    assert done.stdout.count("receives the callback") == 3
    assert done.stdout.count("order.completed verified") == 3
    assert done.stdout.endswith("every order's callback received and verified\n")


def test_sigterm_ends_every_process(run: tuple[psutil.Popen, list[str], float], work: Path) -> None:
    process, _lines, _seconds = run
    stack = json.loads((work / "stack.json").read_text())
    httpx.post(stack["base_url"] + "/merchant/createOrder")  # starts a Lambda worker
    family = [process, *process.children(recursive=True)]
    assert len(family) >= 3
    process.send_signal(signal.SIGTERM)
    gone, alive = psutil.wait_procs(family, timeout=10)
    assert not [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]
    assert gone
    assert process.returncode == 0
    assert not (work / "stack.json").exists()


def test_deploy_without_a_stack_is_one_line_and_exit_1(tmp_path: Path) -> None:
    done = subprocess.run(
        local("deploy", "--work", str(tmp_path)),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "error: no local stack runs: start `make run` first\n"
