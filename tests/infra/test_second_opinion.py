"""The adapters' expressions, checked by AWS's own engine: DynamoDB Local instead of the emulator's.

The emulator's is written from the documentation. AWS's parser also refuses reserved words,
overlapping paths, unused values, and keys of the wrong type.
"""

import ast
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError
from moto import mock_aws

from local import dynamodb_local
from local.places import REPOSITORY
from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.failure_caps import FailureCapStore
from orderdesk.adapters.dynamodb.nonces import CallCountStore
from orderdesk.adapters.kms import Pseudonym
from orderdesk.domain.identity import Identity
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck
from tests.infra.whole_life import live
from tests.support.faults import answer_lost, registered
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.waiting import wait_for_each_answer
from tests.support.world import ENVIRONMENT, World

MISSING = dynamodb_local.what_is_missing()
needs_java = pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
ADAPTERS = REPOSITORY / "layers" / "common" / "orderdesk" / "adapters" / "dynamodb"
# Their expressions are constants of the module.
READERS_OF_ALL = {("operator/ledger_scan", name) for name in ("balances", "traders")}


# A revealed secret is removed an hour later: tests/integration/operator/test_proposals.py.
NOT_HERE = {("proposals", "forget")}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Yield a world with the tables and streams of DynamoDB Local; the rest is moto's."""
    with dynamodb_local.running(print, tmp_path) as endpoint_url:
        for name, value in ENVIRONMENT.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
        for service in ("DYNAMODB", "DYNAMODB_STREAMS"):
            monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", endpoint_url)
        monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
        wait_for_each_answer(monkeypatch)  # it creates a table in more than 3 s on a busy machine
        with mock_aws():
            yield World()


@needs_java
def test_aws_takes_every_expression_and_the_answers_are_right(world: World) -> None:
    with calls_into(ADAPTERS) as called:
        live(world, Terminal(world))
        count_and_cap(world)
    assert (writers_of_expressions() | READERS_OF_ALL) - NOT_HERE <= called


def one_person(_: Identity) -> Pseudonym:
    return Pseudonym(person="p" * 64, factors="f" * 64)


def count_and_cap(world: World) -> None:
    """Find the redelivered callback; count calls, idle and busy, and a verification."""
    callbacks = CallbackStore(world.client, "Callbacks", 1)
    due = {each for shard in range(callbacks.shards) for each in callbacks.due(shard, 10**15, 9)}
    [redelivered] = [row["webhook_id"] for row in world.items("Callbacks") if row.get("round")]
    assert redelivered in due
    counts, now_ns = CallCountStore(world.client, world.tables.guards), 10**18
    assert counts.count("m1", 5, 50, now_ns) == now_ns + 10**8
    assert counts.count("m1", 5, 50, now_ns) == now_ns + 2 * 10**8
    caps = FailureCapStore(world.client, world.tables.guards, one_person, 1)
    identity = Identity("张三", "110101199003070134", "13800000001")
    take_back = caps.reserve(CustomerCheck(identity, "m1", 10**9))
    assert caps.reserve(CustomerCheck(identity, "m1", 10**9)) is Cap.MERCHANT
    assert callable(take_back)
    take_back()
    assert callable(caps.reserve(CustomerCheck(identity, "m1", 10**9)))


@needs_java
def test_a_count_whose_answer_was_lost_counts_once(world: World) -> None:
    """Its tokens are AWS's own."""
    caps = FailureCapStore(world.client, world.tables.guards, one_person, 5)
    tried = CustomerCheck(Identity("张三", "110101199003070134", "13800000001"), "m1", 10**9)
    caps.reserve(tried)
    with every_answer_lost_once(world.client):
        take_back = caps.reserve(tried)
        assert callable(take_back)
        assert failures(world) == [2]
        take_back()
        assert failures(world) == [1]


def failures(world: World) -> list[object]:
    return [row["failures"] for row in world.items(world.tables.guards) if "failures" in row]


@contextmanager
def every_answer_lost_once(client: Any) -> Iterator[None]:
    """Carry each write out twice: the first answer is lost, the second arrives."""
    sent = Counter[str]()

    def lose(parsed: Mapping[str, Any], model: Any, **_: Any) -> None:
        if model.name in {"UpdateItem", "TransactWriteItems"} and "Error" not in parsed:
            sent[model.name] += 1
            if sent[model.name] % 2:
                raise ReadTimeoutError(endpoint_url="test")

    with registered(client, "after-call.dynamodb", lose):
        yield


@needs_java
def test_a_creation_whose_answer_was_lost_meets_itself_by_its_token(world: World) -> None:
    """As above."""
    _, client = world.add_merchant()
    trader = world.add_trader()
    with answer_lost(world.cold_start("create_order"), "TransactWriteItems", times=1) as calls:
        reply = client.create(buy(merchant_order_no="1"))
    [order] = world.items(world.tables.orders, "order")
    assert (reply.code, reply.data["order_no"], len(calls)) == (1, order["order_no"], 2)
    assert world.trader(trader.trader_id).counts.open_orders == 1


def test_the_writers_of_expressions_are_found() -> None:
    known = {("traders/claims", "claim_write"), ("transactions", "change")}
    assert known < writers_of_expressions()


def writers_of_expressions() -> set[tuple[str, str]]:
    """Yield module and name of each adapter function with an expression in a request."""
    return {
        (module_of(path), function.name)
        for path in ADAPTERS.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef) and _names_an_expression(function)
    }


def module_of(path: Path) -> str:
    return path.relative_to(ADAPTERS).with_suffix("").as_posix()


# They make a request of the expressions that their callers pass.
MAKERS = {"self._query", *(f"Write.{name}" for name in ("put", "update", "set", "delete", "check"))}


def _names_an_expression(function: ast.FunctionDef) -> bool:
    nodes = [*ast.walk(function)]
    keywords = {node.arg or "" for node in nodes if isinstance(node, ast.keyword)}
    texts = {str(node.value) for node in nodes if isinstance(node, ast.Constant)}
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    makes = {name.replace("cls.", "Write.") for name in called} & MAKERS
    return bool(makes) or any(n.endswith("Expression") for n in keywords | texts)


@contextmanager
def calls_into(folder: Path) -> Iterator[set[tuple[str, str]]]:
    """Collect module and name of each function of a folder's modules that is called."""
    called: set[tuple[str, str]] = set()
    prefix = f"{folder}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix):
            called.add((module_of(Path(code.co_filename)), code.co_name))

    threading.setprofile_all_threads(note)
    try:
        yield called
    finally:
        threading.setprofile_all_threads(None)
