"""The demo reports a failed step, a missing stack, and a missing callback."""

import base64
import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from local import processes
from local.callback_sink import CallbackSink, serve
from local.demo.merchant import Merchant, _data
from local.demo.receiver import Receiver
from local.demo.steps import Unexpected, Walk
from local.progress import LocalError
from tests.support.merchant_receiver import signed
from tests.support.programs import ended

SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"o" * 32).decode()


def demo(work: Path) -> tuple[int, str, str]:
    done = ended(sys.executable, "-m", "local", "demo", "--work", work)
    return done.returncode, done.stdout, done.stderr


def test_the_file_of_a_killed_run_is_no_stack(tmp_path: Path) -> None:
    port = processes.free_port()
    left = {"endpoint_url": f"http://localhost:{port}"}
    (tmp_path / "stack.json").write_text(json.dumps(left))
    line = f"error: nothing answers on port {port}: start `make run` first\n"
    assert demo(tmp_path) == (1, "", line)


def test_another_server_on_the_port_is_no_stack(tmp_path: Path) -> None:
    with serve(CallbackSink()) as address:
        url = address.replace("127.0.0.1", "localhost")
        (tmp_path / "stack.json").write_text(json.dumps({"endpoint_url": url}))
        line = f"error: the server at {url} is not a local stack: start `make run` again\n"
        assert demo(tmp_path) == (1, "", line)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"endpoint_url": "nowhere"}'])
def test_a_file_that_does_not_describe_a_stack_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "stack.json"
    file.write_text(text)
    line = f"error: {file} does not describe a stack: start `make run` again\n"
    assert demo(tmp_path) == (1, "", line)


def test_a_step_is_printed_once_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    with Walk("buy").step("merchant", "creates a buy") as report:
        report("pending")
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


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'{"message": "Internal server error"}', b'{"code": 1}']
)
def test_an_answer_that_is_no_envelope_fails_the_step(body: bytes) -> None:
    with pytest.raises(Unexpected, match=r"^createOrder answers b'"):
        _data("createOrder", body)


@pytest.fixture
def sink() -> Iterator[tuple[CallbackSink, Receiver]]:
    """Return a sink with merchant m1, and the demo's receiver with a short wait."""
    kept = CallbackSink({"m1": SECRET})
    with serve(kept) as address:
        yield kept, Receiver(address, seconds_max=0.3)


def arrive(sink: CallbackSink, secret: str = SECRET, kind: str = "order.completed") -> HTTPStatus:
    body = json.dumps({"type": kind, "data": {"order_no": "B1"}})
    return sink.take("m1", signed(body, secret), body.encode())


def test_a_callback_that_verifies_is_waited_for(sink: tuple[CallbackSink, Receiver]) -> None:
    kept, receiver = sink
    arrive(kept, OTHER)  # a forged callback before it changes nothing
    threading.Timer(0.1, arrive, [kept]).start()
    patient = replace(receiver, seconds_max=600)
    assert patient.await_verified("order.completed", "B1") == "order.completed verified"


def test_a_missing_callback_is_reported(sink: tuple[CallbackSink, Receiver]) -> None:
    kept, receiver = sink
    arrive(kept, kind="order.paid")
    with pytest.raises(Unexpected, match=r"^order\.completed did not arrive within 0\.3 s$"):
        receiver.await_verified("order.completed", "B1")
    with pytest.raises(Unexpected, match="did not arrive"):
        receiver.await_verified("order.paid", "B2")


def test_a_forged_callback_is_reported(sink: tuple[CallbackSink, Receiver]) -> None:
    kept, receiver = sink
    assert arrive(kept, OTHER) == HTTPStatus.BAD_REQUEST
    with (
        pytest.raises(
            LocalError, match=r"^buy: merchant waits: .* arrived, but its signature is wrong"
        ),
        Walk("buy").step("merchant", "waits"),
    ):
        receiver.await_verified("order.completed", "B1")


@pytest.fixture
def url() -> Iterator[str]:
    """Yield the address of a sink with one merchant."""
    with serve(CallbackSink({"m1": SECRET})) as address:
        yield address


def post(url: str, merchant_id: str, secret: str) -> int:
    data = {"order_no": "B1", "remark": "款"}
    body = json.dumps({"type": "order.paid", "data": data}, ensure_ascii=False)
    headers = signed(body, secret, webhook_id="evt_1")
    own = f"{url}/{merchant_id}"
    return httpx.post(own, content=body.encode(), headers=headers, timeout=None).status_code


def test_a_signed_callback_is_kept_as_verified(url: str) -> None:
    assert post(url, "m1", SECRET) == 204
    (kept,) = httpx.get(url, timeout=None).json()
    assert kept["verified"]
    assert (kept["webhook_id"], kept["type"], kept["order_no"]) == ("evt_1", "order.paid", "B1")
    assert kept["body"]["data"] == {"order_no": "B1", "remark": "款"}
    assert kept["headers"]["webhook-id"] == "evt_1"


@pytest.mark.parametrize(("merchant_id", "secret"), [("m1", OTHER), ("m2", SECRET)])
def test_a_forged_one_is_refused_and_kept_as_such(url: str, merchant_id: str, secret: str) -> None:
    assert post(url, merchant_id, secret) == 400
    assert [kept["verified"] for kept in httpx.get(url, timeout=None).json()] == [False]


def test_any_rubbish_is_kept(url: str) -> None:
    assert httpx.post(f"{url}/m1", content=b"\xff", timeout=None).status_code == 400
    assert httpx.get(url, timeout=None).json()[0]["body"] == {"base64": "/w=="}


@pytest.mark.parametrize("body", [b"\xff", b"[]", b"7", b'{"data": []}'])
def test_what_names_neither_type_nor_order_is_kept_without(url: str, body: bytes) -> None:
    assert httpx.post(f"{url}/m1", content=body, timeout=None).status_code == 400
    (kept,) = httpx.get(url, timeout=None).json()
    assert (kept["webhook_id"], kept["type"], kept["order_no"]) == (None, None, None)
    assert kept["verified"] is False
