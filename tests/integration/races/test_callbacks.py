"""Steps of one callback that meet or fail: each POST is recorded, and the event goes on."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callback_lanes import LaneStore, SharedLanes
from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.operator.orders import OperatorCallbacks
from orderdesk.domain.callbacks import steps
from orderdesk.domain.callbacks.delivery import Attempt, Delivery, DeliveryState
from orderdesk.domain.callbacks.steps import Then
from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant
from orderdesk.services.callbacks.deliver import Done, Outcome, deliver
from orderdesk.services.callbacks.endpoints import DeliveryPorts
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.callbacks import redeliver
from tests.support.deliveries import (
    EVENT,
    GONE,
    NOW_MS,
    REFUSED,
    TAKEN,
    Post,
    merchant_of,
    recorded,
)
from tests.support.money_world import TESTER
from tests.support.schedule import DIED, Cases, Outcomes, Stage
from tests.support.world import World

ANSWERS = {
    "taken": [TAKEN],
    "refused": [REFUSED],
    "refused, then taken": [REFUSED, TAKEN],
    "gone": [GONE],
}


class OneMerchant:
    """Fills `CallbackMerchants`."""

    def find(self, _: str) -> Merchant:
        return merchant_of()

    def callback_secrets(self, _: Merchant, __: CallbackAddress | None = None) -> tuple[str, ...]:
        return ("whsec_dGVzdA==",)


@dataclass
class CallbackScene:
    """One recorded event, its message, and containers that deliver it."""

    world: World
    stage: Stage
    message: str
    script: list[Attempt]
    post: Post = field(default_factory=Post)
    reported: list[Exception] = field(default_factory=list)
    now_ms: int = NOW_MS

    def begin(self, names: str = "ab") -> Cases:
        self.post = Post([*self.script])
        self.now_ms = NOW_MS
        return {name: lambda: self.deliver(self.message) for name in names}

    def deliver(self, message: str) -> Done:
        """Process a message in a container of its own."""
        client, table = self.world.client, self.world.tables.callbacks
        ports = DeliveryPorts(
            deliveries=self.store,
            endpoints=EndpointStore(client, table, 90, self.reported.append),
            merchants=OneMerchant(),
            lanes=SharedLanes(LaneStore(client, table, 2, self.stage.chance), lambda: self.now_ms),
            sender=self.post,
            messages=self.post,
            chance=self.stage.chance,
            now_ms=lambda: self.now_ms,
            report=self.reported.append,
        )
        return deliver(message, ports)

    @property
    def store(self) -> CallbackStore:
        return CallbackStore(self.world.client, self.world.tables.callbacks, 90)

    @property
    def delivery(self) -> Delivery:
        delivery = self.store.delivery(EVENT.webhook_id)
        assert delivery is not None
        return delivery

    def redeliver(self) -> Delivery:
        register = OperatorCallbacks(self.world.client, self.world.tables, 90)
        operator = Operator(TESTER, self.stage.chance, lambda: self.now_ms * 1000, lambda _: None)
        return redeliver(register, lambda it: self.post.delay(it, 0), operator, EVENT.webhook_id)

    def next_messages(self) -> list[Any]:
        """Return the messages under way that are not out of date."""
        found = {reference.to_json(): reference for reference, _ in self.post.delayed}
        ages = [steps.decide(self.delivery, each, 10**15) for each in found.values()]
        return [each for each, age in zip(found, ages, strict=True) if age.then is Then.SEND]

    def assert_recorded(self, *, posts: int) -> None:
        assert not self.reported
        delivery = self.delivery
        assert len(delivery.attempts) == posts
        assert {headers["webhook-id"] for _, headers, _ in self.post.sent} <= {EVENT.webhook_id}
        goes_on = delivery.state is DeliveryState.PENDING
        assert len(self.next_messages()) == goes_on


@pytest.fixture
def scene(world: World, stage: Stage, script: list[Attempt]) -> CallbackScene:
    return CallbackScene(world, stage, recorded(world, EVENT), script)


by_answer = pytest.mark.parametrize("script", ANSWERS.values(), ids=ANSWERS)


@by_answer
def test_two_copies_of_a_message(scene: CallbackScene, stage: Stage) -> None:
    seen = set[int]()

    def check(_: Outcomes) -> None:
        posts = len(scene.post.sent)
        seen.add(posts)
        scene.assert_recorded(posts=posts)
        if TAKEN in scene.script[:posts]:
            assert scene.delivery.state is DeliveryState.DELIVERED

    stage.every_order(scene.begin, check)
    assert seen <= {1, 2}
    assert 2 in seen, "SQS delivers at least once; two copies may send"


@by_answer
def test_a_redelivery_during_an_attempt(scene: CallbackScene, stage: Stage) -> None:
    """The operator's new round has its message, whatever the attempt before it comes to."""

    def begin() -> Cases:
        return {**scene.begin("a"), "operator": scene.redeliver}

    def check(_: Outcomes) -> None:
        assert scene.delivery.round == 1
        assert len(scene.post.sent) <= 1
        if scene.delivery.state is DeliveryState.PENDING:
            assert scene.next_messages()

    stage.every_order(begin, check)


@by_answer
def test_a_message_survives_each_fault(scene: CallbackScene, stage: Stage) -> None:
    """SQS delivers a message again that a process left; then it is as if nothing had failed."""

    def check(outcomes: Outcomes) -> None:
        done = outcomes["a"]
        left = done is DIED or done.outcome is Outcome.LEFT
        assert left or len(scene.delivery.attempts) == len(scene.post.sent)
        if left:
            scene.now_ms += 180_000  # the visibility timeout, after which no lane is leased
            scene.deliver(scene.message)
        assert not scene.reported
        delivery = scene.delivery
        assert len(delivery.attempts) >= 1
        if delivery.state is DeliveryState.PENDING:
            assert scene.next_messages() or delivery.due_ms is not None, "the sweep sends it"

    assert stage.every_fault(lambda: scene.begin("a"), check) >= 3
