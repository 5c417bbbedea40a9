"""The installed `orderdesk-client`: files, types, and asyncio calls."""

import asyncio
import inspect
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from local.places import VENV_BIN
from orderdesk_client import AsyncOrderdesk, Code, NoAnswer, Orderdesk, Refused
from tests.clients.languages import CLIENTS
from tests.clients.scripted_server import ScriptedServer, Silence, Step, answer
from tests.support.programs import ended
from tools.client_packages import packages, write_packages

CONSUMER = """
from decimal import Decimal

from orderdesk_client import AsyncOrderdesk, Code, Orderdesk, Refused

client = Orderdesk("https://api.example.com/v1", "mk_1", "sk_1", test=True, timeout_seconds=5)


async def calls() -> str:
    order = await AsyncOrderdesk("https://api.example.com/v1", "mk_1", "sk_1").create_buy("1", "1")
    return order["pay_url"] if order["result_status"] == "success" else order["identity_url"]


reveal_type(Refused(1, "", {}, 200, {}).code == Code.TRY_AGAIN)
reveal_type(Refused(1, "", {}, 200, {}).retry_after_seconds)
client.create_buy("A-1", Decimal("100.50"), max_discount=Decimal("0.5"))
for posting in client.postings(is_test=1):
    reveal_type(posting["balance"])
client.create_buy("A-1", 100.5)
client.query_order(merchant_order_no=5)
client.create_buy("A-1", "100.50", methd_type="bank")
client.balance()["tset"]
"""
# What a comparison says about the other fields.
NARROWED = """
from typing import assert_type

from orderdesk_client import Orderdesk, types, verify_callback

client = Orderdesk("https://api.example.com/v1", "mk_1", "sk_1")
buy = client.create_or_get("A-1", "100.50")
if buy["result_status"] == "success":
    assert_type(buy["pay_url"], str)
else:
    assert_type(buy["identity_url"], str)

order = client.query_order(merchant_order_no="A-1")
if "order_type" not in order:
    assert_type(order, types.Draft)
elif order["order_type"] == 1:
    assert_type(order["pay_url"], str)
else:
    assert_type(order["customer_payment_method"]["real_name"], str)

event = verify_callback("whsec_", {}, b"")
if event["type"] == "order.paid":
    assert_type(event["data"]["usdt_amount"], str)
elif event["type"] == "draft.locked":
    assert_type(event["data"]["pending_no"], str)
elif event["type"] == "account.notice":
    assert_type(event["data"]["by"], str)
for listed in client.events(type="order.completed"):
    if listed["type"] == "order.completed":
        assert_type((listed["event_id"], listed["timestamp"]), tuple[str, int])
        assert_type(listed["data"]["sequence"], int)
"""
UNKNOWN = """
print(buy["pay_url"])
print(event["data"]["order_no"])
print(event["type"] == "order.payed")
"""
PROGRAMS = ("example.py", "reconcile.py", "receiver.py")
PYRIGHT = Path(__file__).with_name("tools") / "node_modules" / ".bin" / "pyright"


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return ended(*command, cwd=cwd, env={**os.environ, "MYPYPATH": "", "PYTHONPATH": ""})


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    write_packages(folder)
    return folder / str(packages().python)


def test_the_wheel_is_the_package_with_its_types_and_no_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info" not in name}
        [metadata] = [name for name in archive.namelist() if name.endswith("METADATA")]
        text = archive.read(metadata).decode()
    files = ("__init__.py", "asynchronous.py", "client.py", "py.typed", "types.py")
    assert names == {f"orderdesk_client/{name}" for name in files}
    assert "Requires-Dist" not in text


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the examples and an environment that has the client."""
    folder = tmp_path_factory.mktemp("installed")
    uv, python = str(VENV_BIN / "uv"), str(folder / "venv" / "bin" / "python")
    for command in (
        (uv, "venv", "--quiet", "--python", sys.executable, "venv"),
        (uv, "pip", "install", "--quiet", "--offline", "--python", python, str(wheel)),
    ):
        done = run(*command, cwd=folder)
        assert done.returncode == 0, done.stderr
    for name in PROGRAMS:
        shutil.copy(CLIENTS / "python" / name, folder)
    (folder / "consumer.py").write_text(CONSUMER)
    (folder / "narrowed.py").write_text(NARROWED)
    (folder / "unknown.py").write_text(NARROWED + UNKNOWN)
    return folder


def test_an_installed_client_has_types(installed: Path) -> None:
    python = str(installed / "venv" / "bin" / "python")
    mypy = (str(VENV_BIN / "mypy"), "--strict", "--python-executable", python)
    checked = run(*mypy, "consumer.py", "narrowed.py", *PROGRAMS, cwd=installed)
    notes = [line.split(":", 2)[2].strip() for line in checked.stdout.splitlines() if ":" in line]
    assert notes[0] == 'note: Revealed type is "bool"', checked.stdout
    assert "int | None" in notes[1]
    assert notes[2] == 'note: Revealed type is "str"'
    assert 'incompatible type "float"; expected "str | Decimal"' in notes[3]
    assert 'incompatible type "int"; expected "str"' in notes[4]
    assert 'Unexpected keyword argument "methd_type"' in notes[5]
    assert 'has no key "tset"' in checked.stdout
    assert "Found 4 errors" in checked.stdout


@pytest.mark.parametrize("program", [*PROGRAMS, "narrowed.py", "unknown.py"])
def test_pyright_finds_what_is_not_there_and_nothing_else(installed: Path, program: str) -> None:
    strict = {"typeCheckingMode": "strict", "venvPath": ".", "venv": "venv", "include": [program]}
    (installed / "pyrightconfig.json").write_text(json.dumps(strict))
    checked = run(str(PYRIGHT), "--outputjson", cwd=installed)
    found = json.loads(checked.stdout)["generalDiagnostics"]
    lines = {each["range"]["start"]["line"] - NARROWED.count("\n") for each in found}
    assert lines == ({1, 2, 3} if program == "unknown.py" else set()), checked.stdout


def done[T](calls: Coroutine[Any, Any, T]) -> T:
    """Run calls in a thread: in the main one, a browser's test may have left Playwright's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, calls).result()


def test_concurrent_calls_get_their_own_answers(server: ScriptedServer) -> None:
    clients = []
    for number in range(8):
        steps: list[Step] = [Silence.DROPS, answer(1, 200, {"number": number})]
        clients.append(AsyncOrderdesk(server.play(f"async-{number}", steps), "mk_1", "sk_1"))

    async def all_at_once() -> list[dict[str, Any]]:
        found = (each.call("/merchant/queryOrder", {"order_no": "B1"}) for each in clients)
        return list(await asyncio.gather(*found))

    assert done(all_at_once()) == [{"number": number} for number in range(8)]


def test_errors_are_those_of_the_synchronous_client(server: ScriptedServer) -> None:
    refuses = AsyncOrderdesk(server.play("async-refuses", [answer(2002, 404)]), "mk_1", "sk_1")
    with pytest.raises(Refused) as refused:
        done(refuses.query_order(order_no="B1"))
    assert refused.value.code == Code.ORDER_NOT_FOUND
    silent = AsyncOrderdesk(server.play("async-silent", []), "mk_1", "sk_1")
    with pytest.raises(NoAnswer):
        done(silent.balance())


def test_all_pages_are_one_iterator(server: ScriptedServer) -> None:
    pages = [
        answer(1, 200, {"postings": [{"balance": "1"}, {"balance": "2"}], "cursor": "next"}),
        answer(1, 200, {"postings": [], "cursor": "last"}),
        answer(1, 200, {"postings": [{"balance": "3"}], "cursor": None}),
    ]

    async def balances() -> list[str]:
        client = AsyncOrderdesk(server.play("async-pages", pages), "mk_1", "sk_1")
        return [posting["balance"] async for posting in client.postings(is_test=1)]

    client = Orderdesk(server.play("pages", pages), "mk_1", "sk_1")
    assert [posting["balance"] for posting in client.postings(is_test=1)] == ["1", "2", "3"]
    sent = [each.parameters for each in server.sent["pages"]]
    assert [each.get("cursor") for each in sent] == [None, "next", "last"]
    assert {each["is_test"] for each in sent} == {1}
    assert done(balances()) == ["1", "2", "3"]


def test_a_decimal_is_sent_as_its_text(server: ScriptedServer) -> None:
    client = Orderdesk(server.play("decimal", [answer(1, 200, {})]), "mk_1", "sk_1")
    client.create_buy("A-1", Decimal("1E+2"), max_discount=Decimal("0.50"))
    sent = server.sent["decimal"][0].parameters
    assert (sent["cny_amount"], sent["max_discount"]) == ("100", "0.50")


def test_every_coroutine_is_the_synchronous_call(monkeypatch: pytest.MonkeyPatch) -> None:
    client = AsyncOrderdesk("https://api.example.com/v1", "mk_1", "sk_1")
    names = [n for n, each in vars(Orderdesk).items() if n[0] != "_" and inspect.isfunction(each)]
    assert {*names} == {name for name in vars(AsyncOrderdesk) if name[0] != "_"}
    for name in names:
        parameters = inspect.signature(getattr(Orderdesk, name)).parameters.values()
        given = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD][1:]
        more = {"more": 1} if any(each.kind is each.VAR_KEYWORD for each in parameters) else {}

        def called(_: Orderdesk, *given: object, **more: object) -> Iterator[object]:
            return iter([given, more])

        monkeypatch.setattr(Orderdesk, name, called)

        async def answer(name: str = name, given: Any = given, more: Any = more) -> list[object]:
            found = getattr(client, name)(*given, **more)
            if inspect.isawaitable(found):
                return list(await found)
            return [row async for row in found]

        assert done(answer()) == [tuple(given), more], name
