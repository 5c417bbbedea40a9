"""`make run`, `make deploy` and `make logs` (contract section 10).

The tests run in a copy of the repository, because they change a function's code.
"""

import hashlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import boto3
import httpx
import psutil
import pytest

from local import live, processes
from local.places import REPOSITORY
from tests.support.programs import ended
from tests.support.waiting import runs, wait_until

COPIED = ("functions", "layers", "local", "events", ".aws-sam/build")
COPIED_FILES = ("template.yaml", "samconfig.toml", ".aws-sam/sources.json")
TEXT_OF_1002 = "a parameter is missing or malformed"
LAST_LINES = """

def broken(request: Request, params: endpoint.Params, now_us: int) -> Mapping[str, object]:
    raise ValueError("a text for the terminal")


ROUTES = {route.value: endpoint.MerchantRoute(broken) for route in CreateRoute}
"""


# As `nohup … &` starts it.
SIGINT_IGNORED = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")


def local(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "local", *arguments]


@pytest.fixture(scope="module")
def copy(stack: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the files of the local stack; `stack` has built the artifacts."""
    folder = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        shutil.copytree(REPOSITORY / name, folder / name)
    for name in COPIED_FILES:
        shutil.copy2(REPOSITORY / name, folder / name)
    (folder / "tools").symlink_to(REPOSITORY / "tools")
    return folder


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="module")
def run(copy: Path, work: Path) -> Iterator[tuple[psutil.Popen, list[str]]]:
    """Run it until `ready`; yield the process and its output."""
    command = [
        *SIGINT_IGNORED,
        *local("run", "--port", str(processes.free_port()), "--work", str(work)),
    ]
    with psutil.Popen(
        command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process, lines_until(process.stdout, "ready")
        if process.is_running():
            process.terminate()


def lines_until(stream: IO[str], text: str) -> list[str]:
    """Read lines up to one with a text; the test's timeout ends the wait."""
    lines = []
    for line in stream:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError(f"{text!r} is not in {lines}")


def create_nothing(described: dict[str, Any]) -> httpx.Response:
    """Run createOrder without an order; the emulator then writes the late lines of the last run."""
    return httpx.post(described["base_url"] + "/merchant/createOrder", json={}, timeout=None)


@pytest.fixture
def described(run: object, work: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((work / "stack.json").read_text())
    return read


def do(copy: Path, work: Path, command: str) -> tuple[int, str, str]:
    done = ended(*local(command, "--work", str(work)), cwd=copy)
    return done.returncode, done.stdout, done.stderr


def client(described: dict[str, Any], service: str) -> Any:
    session = boto3.Session("test", "test", region_name=described["region"])
    return session.client(service, endpoint_url=described["endpoint_url"])  # type: ignore[call-overload]


def live_code(described: dict[str, Any]) -> dict[str, str]:
    functions = client(described, "lambda").list_functions()["Functions"]
    return {function["FunctionName"]: function["CodeSha256"] for function in functions}


def test_it_is_ready_and_says_where(run: tuple[psutil.Popen, list[str]]) -> None:
    _process, lines = run
    assert lines[-1].startswith("ready")
    assert any("/merchant/createOrder" in line for line in lines)


def test_stack_json_leads_to_everything(described: dict[str, Any], work: Path) -> None:
    assert {"base_url", "endpoint_url", "region", "stack", "outputs", "demo"} <= described.keys()
    roles = sorted(each["role"] for each in described["operators"])
    assert roles == ["finance", "finance", "support", "viewer"]
    fields = {"name", "role", "access_key_id", "secret_access_key"}
    assert all(each.keys() == fields for each in described["operators"])
    assert httpx.get(described["base_url"] + "/nope", timeout=None).json()["code"] == 4000
    received = httpx.get(described["demo"]["callback_sink"], timeout=None).json()
    assert all(each["verified"] for each in received), "notices of the invitation"
    assert (work / "stack.json").stat().st_mode & 0o077 == 0


def test_the_demo_goes_all_the_way(copy: Path, work: Path, run: object) -> None:
    exit_code, out, err = do(copy, work, "demo")
    assert (exit_code, err) == (0, "")
    assert out.count(" completed") == 3
    assert out.count("receives the callback") == 3
    assert out.count("order.completed verified") == 3
    assert out.endswith("every order's callback received and verified\n")


def test_a_deploy_of_nothing_new_does_nothing(copy: Path, work: Path, run: object) -> None:
    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0
    assert "nothing has changed since the last deploy" in err
    assert "sam deploy" not in err


def test_a_deploy_puts_the_changed_function_live_and_no_other(
    copy: Path, work: Path, run: tuple[psutil.Popen, list[str]], described: dict[str, Any]
) -> None:
    """Nothing else is built, and the terminal shows an unexpected error with its text."""
    module = copy / "functions" / "create_order" / "app.py"
    as_it_was, before = module.read_text(), live_code(described)
    changed_at = built_at(copy)
    module.write_text(as_it_was + LAST_LINES)

    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0, err
    assert "update functions/create_order: " in err
    assert {name for name, at in built_at(copy).items() if changed_at[name] != at} == {
        "CreateOrderFunction/app.py"
    }
    now = live_code(described)
    assert {name for name in now if now[name] != before[name]} == {"orderdesk-create-order"}

    answer = create_nothing(described)
    assert answer.json()["code"] == 5000
    create_nothing(described)
    process, _lines = run
    shown = lines_until(process.stderr, "ValueError: a text for the terminal")
    request_id = answer.headers["x-request-id"]
    assert any(f"x-request-id={request_id}" in line for line in shown)

    module.write_text(as_it_was)
    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0, err
    answer = create_nothing(described)
    assert answer.json()["code"] == 1002
    assert httpx.get(described["base_url"] + "/nope", timeout=None).json()["code"] == 4000


def test_a_deploy_puts_a_changed_layer_live_as_sam_would_build_it(
    copy: Path, work: Path, run: object, described: dict[str, Any]
) -> None:
    layer = copy / ".aws-sam" / "build" / "CommonLayer"
    built_by_sam = hashes(layer)
    codes = copy / "layers" / "common" / "orderdesk" / "web" / "codes.py"
    as_it_was = codes.read_text()
    codes.write_text(as_it_was.replace(TEXT_OF_1002, "a text of the changed layer"))
    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0, err
    assert "update layers/common: " in err
    answer = create_nothing(described)
    assert answer.json()["msg"] == "a text of the changed layer"

    codes.write_text(as_it_was)
    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0, err
    assert hashes(layer) == built_by_sam
    answer = create_nothing(described)
    assert answer.json()["msg"] == TEXT_OF_1002


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def built_at(copy: Path) -> dict[str, int]:
    build = copy / ".aws-sam" / "build"
    return {
        path.relative_to(build).as_posix(): path.stat().st_ctime_ns
        for path in build.rglob("*")
        if path.is_file()
    }


def test_logs_follow_a_function_until_ctrl_c(
    copy: Path, work: Path, described: dict[str, Any]
) -> None:
    answer = create_nothing(described)
    command = [*SIGINT_IGNORED, *local("logs", "--work", str(work), "--function", "create_order")]
    with subprocess.Popen(
        command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        create_nothing(described)
        try:
            lines = lines_until(process.stdout, f"x-request-id={answer.headers['x-request-id']}")
            process.send_signal(signal.SIGINT)
            _out, err = process.communicate()
        finally:
            process.kill()
        assert all(" create_order " in line or line.startswith("    ") for line in lines)
        assert any("ValueError: a text for the terminal" in line for line in lines)
    assert (process.returncode, err) == (0, "")


def test_logs_of_an_unknown_function_name_those_there_are(
    copy: Path, work: Path, run: object
) -> None:
    done = ended(*local("logs", "--work", str(work), "--function", "createorders"), cwd=copy)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "error: no function is named createorders; the functions are advance_"
    )
    assert done.stderr.count("\n") == 1


def test_after_a_failed_deploy_the_demo_is_one_line_and_a_deploy_puts_everything_live(
    copy: Path, work: Path, described: dict[str, Any]
) -> None:
    live.forget(client(described, "s3"))  # the first step of a deploy
    line = "error: the last deploy failed or has not ended: run `make deploy` first\n"
    assert do(copy, work, "demo") == (1, "", line)
    exit_code, _out, err = do(copy, work, "deploy")
    assert exit_code == 0, err
    assert "sam deploy: " in err
    assert httpx.get(described["base_url"] + "/nope", timeout=None).json()["code"] == 4000
    assert live.read(client(described, "s3"))


def test_sigint_ends_every_process(
    run: tuple[psutil.Popen, list[str]], described: dict[str, Any], work: Path
) -> None:
    process, _lines = run
    # It starts a Lambda worker.
    httpx.post(described["base_url"] + "/merchant/createOrder", timeout=None)
    family = [process, *process.children(recursive=True)]
    assert len(family) >= 3
    process.send_signal(signal.SIGINT)
    process.wait()  # it ends its children first
    wait_until(lambda: not any(map(runs, family)))
    assert process.returncode == 0
    assert not (work / "stack.json").exists()


@pytest.mark.parametrize("command", ["deploy", "demo", "logs"])
def test_without_a_stack_it_is_one_line_and_exit_1(tmp_path: Path, command: str) -> None:
    line = "error: no local stack runs: start `make run` first\n"
    assert do(REPOSITORY, tmp_path, command) == (1, "", line)
