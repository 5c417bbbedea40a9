"""The deployed functions behind the fault proxy, and callers that retry when the answer says so.

Callers use the gateway, which has no faults of its own. Every answer follows the contract: 5001, or
a page with 503, means retry; 5000, or a page with 500, fails the test.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from local.stack import Stack
from orderdesk.adapters.system import SystemChance, now_us
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Sum
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.funds import move
from tests.support.commands import command_on
from tests.support.identities import submit_identity
from tests.support.merchant_client import MerchantClient, Reply
from tests.support.money_world import TESTER, operator_ports
from tests.support.stack_seed import StackSeed
from tests.support.stack_settings import changed, dead_callbacks
from tests.support.visitors import Answer, HttpTransport, PageRequest

TRY_AGAIN, INTERNAL_ERROR, NUMBER_TAKEN = 5001, 5000, 2001
TRIES_MAX = 100
PLENTY_MICRO = 10**12


@contextmanager
def routed(stack: Stack, endpoint_url: str) -> Iterator[None]:
    """Send every function's AWS calls to an address until the block ends."""
    names = [name for output, name in stack.outputs.items() if output.endswith("FunctionName")]
    with changed(stack, names, {"AWS_ENDPOINT_URL": endpoint_url}):
        yield


@contextmanager
def nothing_unexpected(stack: Stack) -> Iterator[None]:
    """Check that no function logs an unexpected error in the block."""
    began_ms = int(time.time() * 1000)
    yield
    logs = stack.client("logs")
    for output, name in stack.outputs.items():
        if not output.endswith("FunctionName"):
            continue
        pages = logs.get_paginator("filter_log_events").paginate(
            logGroupName=f"/aws/lambda/{name}", startTime=began_ms
        )
        messages = [event["message"] for page in pages for event in page["events"]]
        unexpected = [text for text in messages if '"unexpected"' in text]
        assert not unexpected, f"{name}: {unexpected[0]}"


@dataclass(frozen=True, slots=True)
class PersistentClient(MerchantClient):
    """A merchant that signs and calls again while the answer is 5001."""

    def post(
        self, path: str, params: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> Reply:
        for _ in range(TRIES_MAX):
            reply = self.post_as_is(path, self.signed(path, params), headers)
            assert reply.code != INTERNAL_ERROR, reply
            if reply.code != TRY_AGAIN:
                return reply
        raise AssertionError(f"no final answer after {TRIES_MAX} tries")

    def create(self, params: Mapping[str, Any], *, route: str = "merchant") -> Reply:
        """Create an order; if an earlier try created it, return queryOrder's answer."""
        reply = self.post(f"/{route}/createOrder", params)
        if reply.code != NUMBER_TAKEN:
            return reply
        return self.query(merchant_order_no=params["merchant_order_no"])


class PersistentTransport(HttpTransport):
    """A browser whose user reloads or submits again while the page answers 503."""

    def send(self, request: PageRequest) -> Answer:
        for _ in range(TRIES_MAX):
            answer = super().send(request)
            if answer["statusCode"] != 503:
                assert answer["statusCode"] < 500, answer["body"]
                return answer
        raise AssertionError(f"no final answer after {TRIES_MAX} tries")


class PersistentSeed(StackSeed):
    """Seeds without faults; its callers retry."""

    def transport(self) -> PersistentTransport:
        return PersistentTransport(self.stack.base_url)

    def client_of(
        self, merchant: Merchant, secret: str, source_ip: str = "198.51.100.7"
    ) -> PersistentClient:
        return PersistentClient(self.send(source_ip), merchant.api_key, secret)


def fund(seed: StackSeed, merchants: Iterable[Merchant], traders: Iterable[Trader]) -> None:
    """Fund owners with postings, as operators do, so that their books can be checked."""
    ports = operator_ports(seed, Operator(TESTER, SystemChance(), now_us, lambda _: None))
    for merchant in merchants:
        account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
        move(ports, command_on("fund", account), Sum(account, PLENTY_MICRO), "test")
    for trader in traders:
        account = Account(AccountKind.TRADER, trader.trader_id, trader.mode)
        move(ports, command_on("fund", account), Sum(account, PLENTY_MICRO), "test")


def submit_persistently(identity_url: str) -> httpx.Response:
    """Submit the identity page's form until the answer is not 503."""
    for _ in range(TRIES_MAX):
        answer = submit_identity(identity_url)
        assert answer.status_code != 500
        if answer.status_code != 503:
            return answer
    raise AssertionError(f"no final answer after {TRIES_MAX} tries")


@contextmanager
def no_dead_letters(seed: StackSeed) -> Iterator[None]:
    """Check that no callback of the block's merchants and no stream record becomes a dead letter.

    A callback of an earlier test may: its order expires in the block, and its record is dead.
    """
    stack, lost_before = seed.stack, _lost_changes(seed.stack)
    earlier = {row.get("merchant_id") for row in seed.items(seed.tables.merchants)}
    yield
    dead = {event for event in dead_callbacks(stack) if event.merchant_id not in earlier}
    assert not dead, "a callback became a dead letter"
    assert _lost_changes(stack) == lost_before, "a stream record became a dead letter"


def _lost_changes(stack: Stack) -> int:
    """Count the messages of the relay's dead-letter queue, visible or hidden."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counts = stack.client("sqs").get_queue_attributes(
        QueueUrl=stack.outputs["RelayFailuresQueueUrl"], AttributeNames=names
    )
    return sum(map(int, counts["Attributes"].values()))
