"""The adapters' expressions, checked by AWS's own engine: DynamoDB Local instead of moto.

moto is written from the documentation. AWS's parser also refuses reserved words, overlapping paths,
unused values, and keys of the wrong type.
"""

import ast
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from botocore.config import Config
from moto import mock_aws

from local import dynamodb_local
from local.places import REPOSITORY
from orderdesk.adapters.dynamodb import client
from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.failure_caps import FailureCapStore
from orderdesk.adapters.dynamodb.guards import CallCountStore
from orderdesk.adapters.kms import Pseudonym
from orderdesk.adapters.sending import CLIENT_CONFIG
from orderdesk.domain.identity import Identity
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck
from tests.infra.whole_life import live
from tests.support.faults import answer_lost
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.world import ENVIRONMENT, World

MISSING = dynamodb_local.what_is_missing()
needs_java = pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
ADAPTERS = REPOSITORY / "layers" / "common" / "orderdesk" / "adapters" / "dynamodb"
# Their expressions are constants of the module.
READERS_OF_ALL = {("operator/ledger_scan", name) for name in ("page", "balances", "traders")}


# A revealed secret is removed an hour later; tests/integration/operator/test_proposals.py does so.
AN_HOUR_LATER = {("proposals", "forget")}


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
        # On a busy machine it creates a table in more than the 3 s of the functions' clients.
        patient = CLIENT_CONFIG.merge(Config(read_timeout=300))
        monkeypatch.setattr(client, "CLIENT_CONFIG", patient)
        with mock_aws():
            yield World()


@needs_java
def test_aws_takes_every_expression_and_the_answers_are_right(world: World) -> None:
    with calls_into(ADAPTERS) as called:
        live(world, Terminal(world))
        count_and_cap(world)
    assert (writers_of_expressions() | READERS_OF_ALL) - AN_HOUR_LATER <= called


class OnePerson:
    """Returns the same hashes for everybody."""

    def pseudonym(self, identity: Identity) -> Pseudonym:  # noqa: ARG002 - the port's signature
        return Pseudonym(person="p" * 64, factors="f" * 64)


def count_and_cap(world: World) -> None:
    """Find the redelivered callback; count calls, idle and busy, and a verification."""
    callbacks = CallbackStore(world.client, "Callbacks", 1)
    due = [each for shard in range(callbacks.shards) for each in callbacks.due(shard, 10**15, 2)]
    redelivered = [row["webhook_id"] for row in world.items("Callbacks") if row.get("round")]
    assert (due, len(due)) == (redelivered, 1)
    counts, now_ns = CallCountStore(world.client, world.tables.guards), 10**18
    assert counts.count("m1", 5, 50, now_ns) == now_ns + 10**8
    assert counts.count("m1", 5, 50, now_ns) == now_ns + 2 * 10**8
    caps = FailureCapStore(world.client, world.tables.guards, OnePerson(), 1)
    identity = Identity("张三", "110101199003070134", "13800000001")
    take_back = caps.reserve(CustomerCheck(identity, "m1", 10**9))
    assert caps.reserve(CustomerCheck(identity, "m1", 10**9)) is Cap.MERCHANT
    assert callable(take_back)
    take_back()
    assert callable(caps.reserve(CustomerCheck(identity, "m1", 10**9)))


@needs_java
def test_a_creation_whose_answer_was_lost_meets_itself_by_its_token(world: World) -> None:
    """moto does not support ClientRequestToken."""
    _, client = world.add_merchant()
    trader = world.add_trader()
    with answer_lost(world.cold_start("create_order"), "TransactWriteItems", times=1) as calls:
        reply = client.create(buy(merchant_order_no="1"))
    [order] = world.items(world.tables.orders, "order")
    assert (reply.code, reply.data["order_no"], len(calls)) == (1, order["order_no"], 2)
    assert world.trader(trader.trader_id).open_orders == 1


def test_the_writers_of_expressions_are_found() -> None:
    known = {("traders/claims", "claim_write"), ("transactions", "change_write")}
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


def _names_an_expression(function: ast.FunctionDef) -> bool:
    keywords = {node.arg or "" for node in ast.walk(function) if isinstance(node, ast.keyword)}
    texts = {str(node.value) for node in ast.walk(function) if isinstance(node, ast.Constant)}
    return any(name.endswith("Expression") for name in keywords | texts)


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
