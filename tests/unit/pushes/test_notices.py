"""Which changes cause a push: those at which the desk's script alerts.

Pushes follow the callbacks of a batch and cannot delay a callback.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.events import UnreadableMessage
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.desk_lists import CALLING_LISTS, desk_list
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import AskedSide, Note, with_note_counted
from orderdesk.domain.orders.order import ANSWER_SECONDS, Order, OrderStatus, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.pushes.devices import Device, Devices
from orderdesk.domain.pushes.notices import Push, PushNotice, latest, notice_of
from orderdesk.services.callbacks.relay import (
    BATCH_MOST,
    Change,
    PushRelayPorts,
    RelayedPushes,
    StreamRecord,
    relay_pushes,
)
from tests.support.order_walks import NOW, Step, draft_steps, moved, moves, other_changes
from tests.support.orders import order_in

SINCE = 1_795_268_000
RECEIPTS = (Receipt("late", "image/png", 1, NOW),)
BUY, SELL = OrderType.BUY, OrderType.SELL


def order(side: OrderType, status: OrderStatus, expire_time: int | None = SINCE + 900) -> Order:
    return replace(order_in(side, status, since=SINCE), expire_time=expire_time)


def test_a_new_buy_a_payment_and_an_assignment_are_news() -> None:
    pending, paid = order(BUY, OrderStatus.PENDING), order(BUY, OrderStatus.PAID)
    assert notice_of(None, pending) == PushNotice("t1", SINCE + 900)
    assert notice_of(pending, paid) == PushNotice("t1", SINCE + 1800)
    matching, assigned = order(SELL, OrderStatus.MATCHING), order(SELL, OrderStatus.ASSIGNED)
    assert notice_of(None, matching) is None
    assert notice_of(matching, assigned) == PushNotice("t1", SINCE + 900)


def test_each_question_of_support_to_the_trader_is_news() -> None:
    disputed = order(BUY, OrderStatus.DISPUTED)
    asked = with_note_counted(disputed, Note(Actor.OPERATOR, SINCE + 60, "?", AskedSide.TRADER))
    assert notice_of(disputed, asked) == PushNotice("t1", SINCE + 60 + ANSWER_SECONDS)
    again = with_note_counted(asked, Note(Actor.OPERATOR, SINCE + 90, "??", AskedSide.BOTH))
    assert notice_of(asked, again) == PushNotice("t1", SINCE + 90 + ANSWER_SECONDS)
    answered = with_note_counted(again, Note(Actor.TRADER, SINCE + 99, "!"))
    assert notice_of(again, answered) is None
    to_payer = with_note_counted(disputed, Note(Actor.OPERATOR, SINCE + 60, "?", AskedSide.PAYER))
    assert notice_of(disputed, to_payer) is None


@pytest.mark.parametrize("by", [Actor.PAYER, Actor.MERCHANT, Actor.OPERATOR, Actor.CLOCK])
def test_a_dispute_that_the_trader_must_answer_is_news(by: Actor) -> None:
    paid = order(BUY, OrderStatus.PAID)
    disputed = moved(paid, Move.DISPUTE, by)
    assert notice_of(paid, disputed) == PushNotice("t1", disputed.since + ANSWER_SECONDS)
    answered = with_note_counted(disputed, Note(Actor.TRADER, disputed.since + 9, "!"))
    assert notice_of(disputed, answered) is None


def test_a_late_payment_is_news_and_a_traders_own_report_is_none() -> None:
    expired = replace(order(BUY, OrderStatus.EXPIRED), expire_time=NOW, receipts=RECEIPTS)
    assert notice_of(expired, moved(expired, Move.PAY_LATE, Actor.PAYER)) == PushNotice(
        "t1", NOW + ANSWER_SECONDS
    )
    paid = order(BUY, OrderStatus.PAID)
    assert notice_of(paid, moved(paid, Move.DISPUTE, Actor.TRADER)) is None


def test_another_trader_is_told_of_the_order_that_it_gets() -> None:
    mine = order(SELL, OrderStatus.ASSIGNED)
    assert notice_of(mine, replace(mine, trader_id="t2")) == PushNotice("t2", SINCE + 900)


@pytest.mark.parametrize(
    "step", [*moves(), *draft_steps(), *other_changes()], ids=lambda step: step.name
)
def test_what_ends_or_waits_for_staff_and_what_is_no_move_is_no_news(step: Step) -> None:
    after = step.after
    is_over = isinstance(after, Draft) or desk_list(after) not in CALLING_LISTS
    is_no_move = step.before is not None and step.before.sequence == after.sequence
    if is_over or is_no_move:
        assert notice_of(step.before, after) is None


def test_many_orders_of_a_trader_are_one_push() -> None:
    notices = [PushNotice("t1", 5), PushNotice("t2", 6), PushNotice("t1", 9), PushNotice("t1", 7)]
    assert latest(notices) == [PushNotice("t1", 9), PushNotice("t2", 6)]


@given(st.builds(Push, st.text(), st.text(), st.integers()))
def test_a_push_is_read_as_it_was_written(push: Push) -> None:
    assert Push.from_json(push.to_json()) == push


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"trader_id":"t","device":"d"}', "1e9"])
def test_what_is_no_push_is_refused(text: str) -> None:
    with pytest.raises(UnreadableMessage):
        Push.from_json(text)


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
