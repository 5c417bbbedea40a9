"""send-callback's containers on a model of SQS, with the real use cases and rules, in model time.

Of SQS it has: at most ten messages a batch, delays, visibility, messages in flight and their quota,
copies, and fairness by message group. A visit runs in one piece when it begins; its lane, its
container and its messages are held until its attempt ends.
"""

import heapq
import itertools
import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from orderdesk.adapters.dynamodb.callback_lanes import LANE_SECONDS
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, Failure
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.callbacks.events import CallbackEvent, CallbackReference
from orderdesk.domain.callbacks.lanes import Width, congests, is_quick, lanes_for, mean_ms
from orderdesk.domain.callbacks.steps import SWEEP_MS, opened, waiting_for
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.domain.pricing import Mode
from orderdesk.services.callbacks.deliver import Outcome, deliver
from orderdesk.services.callbacks.endpoints import DeliveryPorts
from orderdesk.services.callbacks.sweep import CallbackSweepPorts, sweep_callbacks
from tests.support.chance import SeededChance
from tests.support.deliveries import EVENT, merchant_of
from tests.unit.callbacks.counter import SECRET, EndpointShelf, Shelf

IN_FLIGHT_QUOTA = 120_000
CONTAINERS, BATCH, LANES = 50, 10, 5
VISIBILITY_MS, OWN_MS = 180_000, 35
COPY_PART = 0.001
# What a run of the sweep has time for: 20 s of 0.58 vCPU, and 7.7 ms of CPU time for each delivery
# (docs/capacity.md).
SWEPT_MOST = 1_500


class Killed(BaseException):
    """The process of a container ends here."""


class Indexed(Shelf):
    """Deliveries with an index by due time, as heaps whose old entries are skipped."""

    def __init__(self, wear: Callable[[], None]) -> None:
        super().__init__()
        self.heaps: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._wear = wear

    def delivery(self, webhook_id: str) -> Delivery | None:
        self._wear()
        return super().delivery(webhook_id)

    def save(self, delivery: Delivery) -> None:
        self._wear()
        self.put(delivery)
        self._wear()

    def put(self, delivery: Delivery) -> None:
        super().save(delivery)
        self.index(delivery)

    def index(self, delivery: Delivery) -> None:
        if delivery.due_ms is not None:
            heap = self.heaps[_key(delivery)]
            heapq.heappush(heap, (delivery.due_ms, delivery.event.webhook_id))

    def due(self, shard: int, until_ms: int, limit: int) -> list[str]:
        assert shard < self.shards
        self._wear()
        return self.first("", until_ms, limit)

    def first(self, key: str, until_ms: int | None, limit: int) -> list[str]:
        heap, found = self.heaps[key], list[tuple[int, str]]()
        while heap and len(found) < limit and (until_ms is None or heap[0][0] <= until_ms):
            entry = heapq.heappop(heap)
            there = self.kept[entry[1]]
            if there.due_ms == entry[0] and _key(there) == key and entry not in found[-1:]:
                found.append(entry)
        for entry in found:
            heapq.heappush(heap, entry)
        return [webhook_id for _, webhook_id in found]


def _key(delivery: Delivery) -> str:
    return "" if delivery.waits is None else delivery.waits.endpoint


class IndexedEndpoints(EndpointShelf):
    shelf: Indexed

    def __init__(self, shelf: Indexed, wear: Callable[[], None]) -> None:
        super().__init__(shelf)
        self._wear = wear

    def endpoint(self, endpoint_id: EndpointId) -> Endpoint | None:
        self._wear()
        return super().endpoint(endpoint_id)

    def save(self, endpoint: Endpoint, event: Delivery | None = None) -> None:
        self._wear()
        super().save(endpoint)
        if event is not None:  # in the same transaction
            self.shelf.put(event)
        self._wear()

    def remove(self, endpoint: Endpoint) -> None:
        self._wear()
        super().remove(endpoint)
        self._wear()

    def paused(self, merchant_id: str, mode: Mode, limit: int) -> list[Endpoint]:
        self._wear()
        return super().paused(merchant_id, mode, limit)

    def due(self, until_ms: int) -> Iterator[Endpoint]:
        self._wear()
        return super().due(until_ms)

    def waiting(self, endpoint_id: EndpointId, until_ms: int | None, limit: int) -> list[str]:
        self._wear()
        return self.shelf.first(endpoint_id.text, until_ms, limit)


@dataclass
class Lease:
    """A merchant's lanes: the containers that have one, with the time when each ends."""

    width: Width = field(default_factory=lambda: Width(LANES))
    until_ms: dict[int, int] = field(default_factory=dict)
    latency_ms: int | None = None


@dataclass
class Queue:
    """A standard queue, fair by group: the group with the fewest messages in flight comes first."""

    chance: random.Random
    visible: dict[str, deque[str]] = field(default_factory=lambda: defaultdict(deque))
    delayed: list[tuple[int, int, str, str]] = field(default_factory=list)
    flying: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    most: int = 0
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def send(self, group: str, body: str, at_ms: int) -> None:
        for _ in range(2 if self.chance.random() < COPY_PART else 1):
            heapq.heappush(self.delayed, (at_ms, next(self.numbers), group, body))

    def receive(self, now_ms: int) -> list[tuple[str, str]]:
        while self.delayed and self.delayed[0][0] <= now_ms:
            _, _, group, body = heapq.heappop(self.delayed)
            self.visible[group].append(body)
        taken: list[tuple[str, str]] = []
        while self.visible and len(taken) < BATCH and self.in_flight < IN_FLIGHT_QUOTA:
            group = min(self.visible, key=lambda each: self.flying[each])
            taken.append((group, self.visible[group].popleft()))
            self._fly(group, 1)
            if not self.visible[group]:
                del self.visible[group]
        return taken

    def land(self, group: str) -> None:
        self._fly(group, -1)

    def _fly(self, group: str, by: int) -> None:
        self.flying[group] += by
        self.in_flight += by
        self.most = max(self.most, self.in_flight)


@dataclass
class Fleet:
    """Containers, a queue and merchants; `is_dead` says whose endpoints fail, and when.

    Before and after each access of a store or the queue, its process ends with a probability of
    `killed`. A process that has ended does nothing more.
    """

    merchants: Mapping[str, Merchant]
    is_dead: Callable[[str, int], bool]
    seed: int = 1
    killed: float = 0.0
    now_ms: int = 1_790_000_000_000
    rps: float = 600.0
    latency_ms: int = 200

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.queue = Queue(self.chance)
        self.deliveries = Indexed(self.wear)
        self.endpoints = IndexedEndpoints(self.deliveries, self.wear)
        self.leases: dict[str, Lease] = defaultdict(Lease)
        self.arrived: dict[str, int] = {}
        self.made_ms: dict[str, int] = {}
        self.outcomes: Counter[Outcome] = Counter()
        self.dead_letters: set[str] = set()
        self.deaths = self.busy = self.container = 0
        self.is_over = False
        self.ends: list[tuple[int, int, list[str], int]] = []
        self.clock_ms = self.began_ms = self.now_ms
        self.next_sweep_ms = self.now_ms + SWEEP_MS
        self.next_event_ms: float = self.now_ms
        self.names = list(self.merchants)
        self.ports = DeliveryPorts(
            deliveries=self.deliveries,
            endpoints=self.endpoints,
            merchants=self,
            lanes=self,
            sender=self,
            messages=self,
            chance=SeededChance(self.chance),
            now_ms=lambda: self.clock_ms,
            report=self.failed,
        )
        self.sweep_ports = CallbackSweepPorts(
            self.deliveries, self.endpoints, self, self, map, self.failed
        )

    @staticmethod
    def failed(error: Exception) -> None:
        raise error

    def wear(self) -> None:
        if self.is_over or (self.killed and self.chance.random() < self.killed):
            self.is_over = True
            raise Killed

    # CallbackMerchants, Sender, Messages, Lanes

    def find(self, merchant_id: str) -> Merchant | None:
        return self.merchants[merchant_id]

    def callback_secrets(
        self, merchant: Merchant, _address: CallbackAddress | None = None
    ) -> tuple[str, ...]:
        assert merchant.merchant_id in self.merchants
        return (SECRET,)

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        self.wear()
        assert url.startswith("https:")
        assert body
        if self.is_dead(self.sending, self.clock_ms - self.began_ms):
            attempt = Attempt(None, 3_000, failure=Failure.CONNECT)
        else:
            attempt = Attempt(200, int(self.latency_ms * self.chance.uniform(0.5, 1.5)))
            self.arrived.setdefault(headers["webhook-id"], self.clock_ms + attempt.latency_ms)
        self.clock_ms += attempt.latency_ms
        self.wear()
        return attempt

    def delay(self, reference: CallbackReference, seconds: int) -> None:
        self.wear()
        self.queue.send(reference.merchant_id, reference.to_json(), self.clock_ms + seconds * 1000)
        self.wear()

    def dead_letter(self, text: str) -> None:
        self.wear()
        self.dead_letters.add(CallbackReference.from_json(text).webhook_id)
        self.wear()

    def enter(self, merchant_id: str, max_rps: int) -> bool:
        self.wear()
        lease, now_ms = self.leases[merchant_id], self.clock_ms
        lease.until_ms = {each: end for each, end in lease.until_ms.items() if end > now_ms}
        if self.container not in lease.until_ms and len(lease.until_ms) >= lease.width.lanes:
            grown = lease.width.grown(max(lanes_for(max_rps, lease.latency_ms), LANES), now_ms)
            if grown is None:
                return False
            lease.width = grown
        self.before_ms = lease.until_ms.get(self.container, now_ms)
        lease.until_ms[self.container] = now_ms + LANE_SECONDS * 1000
        self.sending = merchant_id
        self.wear()
        return True

    def leave(self, merchant_id: str, attempt: Attempt | None = None) -> None:
        self.wear()
        lease, now_ms = self.leases[merchant_id], self.clock_ms
        lease.until_ms[self.container] = max(self.before_ms, now_ms)
        if attempt is not None:
            self._learn(lease, attempt)
        self.wear()

    def _learn(self, lease: Lease, attempt: Attempt) -> None:
        now_ms = self.clock_ms
        lease.latency_ms = mean_ms(lease.latency_ms, attempt.latency_ms)
        if is_quick(attempt):
            lease.width = replace(lease.width, quick_ms=now_ms)
        if congests(attempt):
            lease.width = lease.width.halved(LANES, now_ms)

    # The run

    def run(self, seconds: float, *, events: bool = True) -> None:
        """Run for so many seconds of model time, with or without new events."""
        until_ms = self.now_ms + int(seconds * 1000)
        self.next_event_ms = max(self.next_event_ms, self.now_ms)
        while self.now_ms < until_ms:
            while events and self.next_event_ms <= self.now_ms:
                self.add(self.chance.choice(self.names))
                self.next_event_ms += self.chance.expovariate(self.rps) * 1000
            if self.next_sweep_ms <= self.now_ms:
                self._sweep()
            while self.ends and self.ends[0][0] <= self.now_ms:
                _, _, groups, containers = heapq.heappop(self.ends)
                for group in groups:
                    self.queue.land(group)
                self.busy -= containers
            while self.busy < CONTAINERS and (batch := self.queue.receive(self.now_ms)):
                self._work(batch)
            self._go_on(until_ms, events=events)

    def _go_on(self, until_ms: int, *, events: bool) -> None:
        times = [until_ms, self.next_sweep_ms, *(end for end, *_ in self.ends[:1])]
        if events:
            times.append(int(self.next_event_ms) + 1)
        if self.busy < CONTAINERS:
            times += [at_ms for at_ms, _, _, _ in self.queue.delayed[:1]]
        self.now_ms = max(min(times), self.now_ms + 1)

    def add_waiting(self, endpoint: Endpoint, count: int) -> None:
        """Store an endpoint's state, and what has waited for it since it was paused."""
        self.endpoints.kept[endpoint.id] = endpoint
        since_ms = endpoint.since_ms or self.now_ms
        for _ in range(count):
            opened_ = self._opened(endpoint.id.merchant_id)
            self.deliveries.put(waiting_for(opened_, endpoint.id.text, since_ms))

    def add(self, merchant_id: str) -> str:
        delivery = self._opened(merchant_id)
        self.queue.send(merchant_id, delivery.reference.to_json(), self.now_ms)
        return delivery.event.webhook_id

    def _opened(self, merchant_id: str) -> Delivery:
        number = f"B{len(self.made_ms)}"
        event: CallbackEvent = replace(
            EVENT,
            webhook_id=f"msg_{number}_2",
            number=number,
            merchant_id=merchant_id,
            timestamp=self.now_ms // 1000,
        )
        delivery = opened(event)
        self.deliveries.kept[event.webhook_id] = delivery
        self.made_ms[event.webhook_id] = self.now_ms
        return delivery

    def _sweep(self) -> None:
        self.next_sweep_ms += SWEEP_MS
        left = iter(range(SWEPT_MOST // 100))
        self.clock_ms, self.is_over = self.now_ms, False
        try:
            sweep_callbacks(self.sweep_ports, self.now_ms, lambda: next(left, None) is not None)
        except Killed:
            self.deaths += 1

    def _work(self, batch: list[tuple[str, str]]) -> None:
        """Visit a batch's messages at the same time; a killed process leaves those not yet done."""
        self.container += 1
        ends_ms, groups, self.is_over = self.now_ms, list[str](), False
        for group, body in batch:
            self.clock_ms = self.now_ms
            try:
                done = None if self.is_over else deliver(body, self.ports)
            except Killed:
                done = None
                self.deaths += 1
            if done is None or done.keeps_message:
                self._come_back(group, body)
                continue
            self.outcomes[done.outcome] += 1
            ends_ms = max(ends_ms, self.clock_ms + OWN_MS)
            groups.append(group)
        self.busy += 1
        heapq.heappush(self.ends, (ends_ms, self.container, groups, 1))

    def _come_back(self, group: str, body: str) -> None:
        """Keep a message in flight until its visibility ends; then it is delivered again.

        It holds no container: another one begins in place of one that ended.
        """
        at_ms, number = self.now_ms + VISIBILITY_MS, next(self.queue.numbers)
        heapq.heappush(self.queue.delayed, (at_ms, number, group, body))
        heapq.heappush(self.ends, (at_ms, number, [group], 0))

    def ages_ms(self, names: set[str]) -> list[int]:
        """Return how long each callback of merchants took to arrive, sorted."""
        return sorted(
            at_ms - self.made_ms[webhook_id]
            for webhook_id, at_ms in self.arrived.items()
            if webhook_id in self.made_ms
            and self.deliveries.kept[webhook_id].event.merchant_id in names
        )

    def paused(self) -> set[str]:
        return {each.id.merchant_id for each in self.endpoints.kept.values() if each.is_paused}


def merchants(count: int, **terms: Any) -> dict[str, Merchant]:
    """Return merchants with endpoints of their own."""
    names = [f"m{number}" for number in range(count)]
    return {
        name: merchant_of(
            replace(EVENT, merchant_id=name), callback_url=f"https://{name}.example.com/", **terms
        )
        for name in names
    }


def place(name: str) -> EndpointId:
    return EndpointId(name, Mode.LIVE, f"https://{name}.example.com")


def state(fleet: Fleet, name: str) -> Endpoint | None:
    return fleet.endpoints.kept.get(place(name))
