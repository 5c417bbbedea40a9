"""createOrder's warm containers: each has a Contention and serves one order at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, cast

from bench.model.client import StoreClient
from bench.model.market import TERMS, open_directory
from bench.model.store import TABLES, Store
from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.domain.errors import Refusal
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND
from orderdesk.services.orders.create import CreatePorts, DraftHeld, SellPlaced, create_order
from orderdesk.services.orders.match import Contention
from orderdesk.services.orders.place_buy import BuyPlaced, MatchingPorts
from orderdesk.services.ports import MerchantCaller, Nonce
from tests.support.chance import SeededChance


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of one order; `placed` is None if it was refused.

    `latency_us` is the container's virtual time from request to answer. `requests`, `queries` and
    `read_units` are its cost at DynamoDB.
    """

    latency_us: int
    placed: BuyPlaced | SellPlaced | None
    refusal: str
    requests: int
    queries: int
    read_units: float


class Container:
    """One warm execution environment, wired as in `functions/create_order/app.py`."""

    def __init__(
        self, store: Store, random: Random, contention: Contention, *, balance_shards: int = 1
    ) -> None:
        self._timeline, self._timing, self._random = store.timeline, store.timing, random
        self.client = StoreClient(store, random)
        self._chance = SeededChance(random)
        self._directory = open_directory(self._timeline.now_us, balance_shards)
        client = cast("Any", self.client)
        book = NewOrderStore(client, TABLES)
        rotation = ShardedRotation(client, TABLES.traders, 1, self._chance)
        matching = MatchingPorts(
            *(rotation, book, self._directory, contention, self._chance),
            *(lambda ms: self._timeline.wait(ms * US_PER_MS), TERMS, lambda: b""),
        )
        identity = cast("Any", None)  # the model's merchants have no identity agreement
        self._ports = CreatePorts(book, identity, matching, sell_hold_seconds=0)

    def serve(self, request: OrderRequest, merchant: int = 0) -> Answered:
        """Place an order of a merchant, given by its number, and measure it."""
        came_us, sent, units = self._timeline.now_us, self.client.requests, self.client.read_units
        before = sent.copy()
        self._timeline.wait(self._timing.cpu_begin.draw(self._random))
        placed, refusal = self._place(request, merchant, came_us)
        self._timeline.wait(self._timing.cpu_end.draw(self._random))
        own, units = sent - before, self.client.read_units - units
        latency_us = self._timeline.now_us - came_us
        return Answered(latency_us, placed, refusal, own.total(), own["Query"], units)

    def _place(
        self, request: OrderRequest, number: int, now_us: int
    ) -> tuple[BuyPlaced | SellPlaced | None, str]:
        merchant = replace(self._directory.merchant, merchant_id=f"m{number + 1:012d}")
        holder, value = self._chance.token(), self._chance.token()
        nonce = Nonce(merchant.api_key, value, now_us // US_PER_SECOND, holder)
        try:
            caller = MerchantCaller(merchant, Mode.LIVE, nonce)
            placed = create_order(request, caller, self._ports, now_us, verifying=False)
        except Refusal as refusal:
            return None, refusal.reason
        assert not isinstance(placed, DraftHeld)
        return placed, ""


class Fleet:
    """Warm containers; an order goes to the idle one that was used last, as on Lambda."""

    def __init__(self, start: Callable[[], Container]) -> None:
        self._start = start
        self._idle: list[Container] = []
        self.containers: list[Container] = []

    def serve(self, request: OrderRequest, merchant: int = 0) -> Answered:
        """Place an order of a merchant, given by its number, on a container."""
        if not self._idle:
            self.containers.append(self._start())
            self._idle.append(self.containers[-1])
        container = self._idle.pop()
        try:
            return container.serve(request, merchant)
        finally:
            self._idle.append(container)
