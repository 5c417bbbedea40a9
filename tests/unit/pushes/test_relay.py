"""Pushes follow the callbacks of a batch and cannot delay a callback."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.pushes.devices import Device, Devices
from orderdesk.domain.pushes.notices import Push
from orderdesk.services.callbacks.relay import (
    BATCH_MOST,
    Change,
    PushRelayPorts,
    RelayedPushes,
    StreamRecord,
    relay_pushes,
)
from tests.support.orders import order_in

PAID = order_in(OrderType.BUY, OrderStatus.PAID, since=1)
UNTIL = 1801


@dataclass
class Pushed:
    """Devices of t1 and t2, and a queue; either may fail."""

    devices: dict[str, Devices] = field(
        default_factory=lambda: {who: (device(who, 0), device(who, 1)) for who in ("t1", "t2")}
    )
    error: Exception | None = None
    refused: Collection[Push] = ()
    sent: list[Push] = field(default_factory=list)
    reported: list[Exception] = field(default_factory=list)
    asked: list[Sequence[str]] = field(default_factory=list)

    @property
    def ports(self) -> PushRelayPorts:
        return PushRelayPorts(self.devices_of_all, self.send, self.reported.append)

    def devices_of_all(self, trader_ids: Sequence[str]) -> dict[str, Devices]:
        self.asked.append(trader_ids)
        if self.error is not None:
            raise self.error
        return {who: self.devices[who] for who in trader_ids if who in self.devices}

    def send(self, pushes: Sequence[Push]) -> Collection[Push]:
        assert 0 < len(pushes) <= BATCH_MOST
        self.sent += pushes
        return [push for push in pushes if push in self.refused]


def device(who: str, number: int) -> Device:
    return Device(f"https://push.example.com/{who}/{number}", "s", "c", 1)


def record(place: int, trader_id: str | None = "t1") -> StreamRecord:
    def read() -> Change | None:
        return None if trader_id is None else Change(None, replace(PAID, trader_id=trader_id))

    return StreamRecord(str(place), "B1", read)


def broken() -> Change:
    raise ValueError("private")


def pushes_of(who: str) -> list[Push]:
    return [Push(who, device(who, number).key, UNTIL) for number in range(2)]


def test_each_device_of_a_trader_gets_one_push_for_a_batch() -> None:
    world = Pushed()
    records = [record(1), record(2), record(3, "t2"), record(4, "t3"), record(5, None)]
    assert relay_pushes(records, world.ports) == RelayedPushes(4)
    assert world.sent == [*pushes_of("t1"), *pushes_of("t2")]
    assert world.asked == [["t1", "t2", "t3"]]


def test_a_batch_without_news_asks_for_nothing() -> None:
    world = Pushed()
    assert relay_pushes([record(1, None)], world.ports) == RelayedPushes()
    assert world.asked == []


def test_a_record_that_cannot_be_read_stops_no_push() -> None:
    world = Pushed()
    records = [StreamRecord("1", "B1", broken), record(2)]
    assert relay_pushes(records, world.ports).sent == 2


@pytest.mark.parametrize("error", [TryAgain(), RuntimeError("unexpected")])
def test_no_failure_leaves_the_relay(error: Exception) -> None:
    world = Pushed(error=error)
    assert relay_pushes([record(1)], world.ports) == RelayedPushes(0, failed=True)
    assert world.reported == ([] if isinstance(error, TryAgain) else [error])


def test_what_the_queue_refuses_is_lost_and_told() -> None:
    world = Pushed(refused=pushes_of("t1")[:1])
    assert relay_pushes([record(1)], world.ports) == RelayedPushes(1, failed=True)
