"""Deliveries on fakes of the ports, with a clock."""

import collections
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState, Failure
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference
from orderdesk.domain.callbacks.steps import SWEEP_MS, opened
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.domain.pricing import Mode
from orderdesk.services.callbacks.deliver import Done, deliver
from orderdesk.services.callbacks.endpoints import DeliveryPorts
from orderdesk.services.callbacks.sweep import CallbackSweepPorts, Swept, sweep_callbacks
from tests.support.chance import NoJitter
from tests.support.deliveries import EVENT, NOW_MS, Post, merchant_of

SECRET = "whsec_" + "AAAA" * 11
FIRST = CallbackReference("msg_B1_2", "m1", turn=0)
LATE = Attempt(None, 10_000, failure=Failure.TIMEOUT)


@dataclass
class Shelf:
    """Fills `Deliveries`; `meanwhile` runs once, before the next write."""

    kept: dict[str, Delivery] = field(default_factory=dict)
    meanwhile: Callable[[], None] | None = None

    def delivery(self, webhook_id: str) -> Delivery | None:
        return self.kept.get(webhook_id)

    shards = 1

    def due(self, shard: int, until_ms: int, limit: int) -> list[str]:
        assert shard < self.shards
        found = (
            each
            for each in self.kept.values()
            if (each.due_ms or until_ms + 1) <= until_ms and each.waits is None
        )
        return [each.key for each in islice(found, limit)]

    def save(self, delivery: Delivery) -> None:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()
        before = self.kept.get(delivery.key)
        if delivery.version != (1 if before is None else before.version + 1):
            raise ChangedMeanwhile
        self.kept[delivery.key] = delivery


@dataclass
class EndpointShelf:
    """Fills `DueEndpoints`; `meanwhile` runs once, before the next write."""

    shelf: Shelf
    kept: dict[EndpointId, Endpoint] = field(default_factory=dict)
    meanwhile: Callable[[], None] | None = None
    writes: int = 0

    def endpoint(self, endpoint_id: EndpointId) -> Endpoint | None:
        return self.kept.get(endpoint_id)

    def save(self, endpoint: Endpoint, event: Delivery | None = None) -> None:
        self._change(endpoint, endpoint.version - 1)
        self.kept[endpoint.id] = endpoint
        if event is not None:
            self.shelf.save(event)

    def remove(self, endpoint: Endpoint) -> None:
        self._change(endpoint, endpoint.version)
        del self.kept[endpoint.id]

    def paused(self, merchant_id: str, mode: Mode, limit: int) -> list[Endpoint]:
        return [
            each
            for each in self.kept.values()
            if each.is_paused and (each.id.merchant_id, each.id.mode) == (merchant_id, mode)
        ][:limit]

    def due(self, until_ms: int) -> Iterator[Endpoint]:
        due = [each for each in self.kept.values() if (each.due_ms or until_ms + 1) <= until_ms]
        return iter(sorted(due, key=lambda each: each.due_ms or 0))

    def waiting(self, endpoint_id: EndpointId, until_ms: int | None, limit: int) -> list[str]:
        found = [
            each
            for each in self.shelf.kept.values()
            if each.waits is not None
            and each.waits.endpoint == endpoint_id.text
            and (until_ms is None or (each.due_ms or 0) <= until_ms)
        ]
        ordered = sorted(found, key=lambda each: each.due_ms or 0)
        return [each.event.webhook_id for each in ordered[:limit]]

    def _change(self, endpoint: Endpoint, version: int) -> None:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()
        there = self.kept.get(endpoint.id)
        if version != (0 if there is None else there.version):
            raise ChangedMeanwhile
        self.writes += 1


@dataclass
class Counter:
    """Delivers on fakes, with a clock; the relay has recorded EVENT."""

    merchant: Merchant | None = field(default_factory=merchant_of)
    secrets: tuple[str, ...] = (SECRET,)
    post: Post = field(default_factory=Post)
    shelf: Shelf = field(default_factory=Shelf)
    endpoints: EndpointShelf = field(init=False)
    reported: list[Exception] = field(default_factory=list)
    now_ms: int = NOW_MS
    crowded: bool = False
    inside: int = 0
    left: list[Attempt | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.endpoints = EndpointShelf(self.shelf)
        self.record_event(EVENT)

    def record_event(self, event: CallbackEvent) -> None:
        """Write an event's first record over whatever is stored, as the relay does."""
        self.shelf.kept[event.webhook_id] = opened(event)

    def enter(self, merchant_id: str, max_rps: int) -> bool:
        assert merchant_id == EVENT.merchant_id
        assert max_rps > 0
        self.inside += not self.crowded
        return not self.crowded

    def leave(self, merchant_id: str, attempt: Attempt | None = None) -> None:
        assert merchant_id == EVENT.merchant_id
        self.left.append(attempt)
        self.inside -= 1

    def find(self, merchant_id: str) -> Merchant | None:
        assert merchant_id == EVENT.merchant_id
        return self.merchant

    def callback_secrets(
        self, merchant: Merchant, _address: CallbackAddress | None = None
    ) -> tuple[str, ...]:
        assert merchant is self.merchant
        return self.secrets

    @property
    def ports(self) -> DeliveryPorts:
        return DeliveryPorts(
            deliveries=self.shelf,
            endpoints=self.endpoints,
            merchants=self,
            lanes=self,
            sender=self.post,
            messages=self.post,
            chance=NoJitter(),
            now_ms=lambda: self.now_ms,
            report=self.reported.append,
        )

    def visit(self, reference: CallbackReference = FIRST) -> Done:
        """Receive a message once."""
        return deliver(reference.to_json(), self.ports)

    def sweep(self) -> collections.Counter[Swept]:
        """Run the sweep once."""
        return sweep_callbacks(self.sweep_ports, self.now_ms, lambda: True)

    @property
    def sweep_ports(self) -> CallbackSweepPorts:
        return CallbackSweepPorts(
            self.shelf, self.endpoints, self, self.post, map, self.reported.append
        )

    def run(self) -> list[Done]:
        """Receive each message when it is due, with a sweep a minute, until nothing is left."""
        visits = [self.visit()]
        while self.record.state is DeliveryState.PENDING:
            if self.post.delayed:
                reference, seconds = self.post.delayed.pop(0)
                self.now_ms += seconds * 1000
                visits.append(self.visit(reference))
            else:
                self.now_ms += SWEEP_MS
                self.sweep()
        return visits

    @property
    def record(self) -> Delivery:
        (delivery,) = self.shelf.kept.values()
        return delivery
