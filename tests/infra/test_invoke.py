"""`make invoke`: `sam local invoke` of samples in a real Docker engine, against the stack.

The image is created from this machine's files, so only Python's registry is needed.
"""

import json
import os
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local import docker
from local.invoke_image.build import IMAGE, build_image
from local.progress import LocalError
from local.stack import Stack
from tests.support.programs import ended, printed
from tests.support.samples import SAMPLES, demo_of
from tests.support.stack_seed import StackSeed


@dataclass(frozen=True)
class Invoker:
    stack_file: Path

    def response(self, name: str, *options: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "local", "invoke", str(SAMPLES[name])]
        command += ["--stack", str(self.stack_file), "--image", IMAGE, *options]
        response = json.loads(printed(*command))
        assert isinstance(response, dict)
        return response

    def envelope(self, name: str, *options: str) -> dict[str, Any]:
        envelope = json.loads(self.response(name, *options)["body"])
        assert isinstance(envelope, dict)
        return envelope


@pytest.fixture(scope="module")
def image() -> None:
    """Create the image, if an engine answers."""
    try:
        docker.check()
    except LocalError as error:
        pytest.skip(f"no Docker engine: {error}")
    if sys.platform != "linux":
        pytest.skip("the image is created from a Linux machine's files")
    build_image()


@pytest.fixture
def invoker(image: None, stack: Stack, stack_seed: StackSeed, tmp_path: Path) -> Invoker:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(stack.describe() | {"demo": demo_of(stack_seed)}))
    return Invoker(file)


@pytest.mark.timeout(600)
def test_a_buy_is_in_the_stack_and_its_nonce_is_used(
    invoker: Invoker, stack_seed: StackSeed
) -> None:
    nonce = f"invoked-{time.time_ns()}"
    envelope = invoker.envelope("create_order/buy_bank", "--nonce", nonce)
    assert envelope["code"] == 1
    order = stack_seed.get(stack_seed.tables.orders, {"pk": envelope["data"]["order_no"]})
    assert order is not None
    assert order["merchant_order_no"] == f"sample-{nonce}"
    again = invoker.envelope("create_order/buy_bank", "--nonce", nonce)
    assert again["code"] == 1104
    queried = invoker.envelope(
        "merchant_api/query_by_merchant_order_no", "--number", f"sample-{nonce}"
    )
    assert queried["data"]["order_no"] == envelope["data"]["order_no"]
    page = invoker.response("pay_page/page", "--pay-url", envelope["data"]["pay_url"])
    assert (page["statusCode"], "1000.00" in page["body"]) == (200, True)


def refused(file: Path) -> str:
    """Invoke with a stack's description and no engine; return the one line of the error."""
    command = [sys.executable, "-m", "local", "invoke", str(SAMPLES["create_order/buy_bank"])]
    env = os.environ | {"DOCKER_HOST": "unix:///not/there.sock"}
    done = ended(*command, "--stack", file, env=env)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


def test_what_cannot_be_invoked_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "stack.json"
    assert "start `make run` first" in refused(file)
    described: dict[str, Any] = {"demo": {}, "outputs": {}}
    file.write_text(json.dumps(described))
    assert "demo.merchant of the stack is missing" in refused(file)
    described["demo"] = {"merchant": {"api_key": "k", "api_secret": "s"}}
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        described["endpoint_url"] = f"http://localhost:{nobody.getsockname()[1]}"
        file.write_text(json.dumps(described))
        assert refused(file).startswith("error: ")  # no engine
    assert "nothing answers on port" in refused(file)
