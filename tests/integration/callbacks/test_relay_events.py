"""relay-events: from writes to the Orders table to messages of the queue."""

import json
from dataclasses import asdict

import pytest

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from tests.support.callback_functions import RelayWorld, paid_buys
from tests.support.draft_world import DraftWorld
from tests.support.money_world import MoneyWorld, Step
from tests.support.seed import with_changes
from tests.support.world import World


@pytest.fixture
def relay(money: MoneyWorld, world: World) -> RelayWorld:
    return RelayWorld(world)


def test_a_sells_life(money: MoneyWorld, relay: RelayWorld) -> None:
    number = money.create(OrderType.SELL, 100_00)
    assert relay.relay() == []
    money.assign_waiting()
    assert relay.relay() == ["order.assigned"]
    money.do(Step(number, Actor.TRADER, Move.DECLINE, money.order(number).trader_id))
    assert relay.relay() == []
    money.now += 60
    money.assign_waiting()
    assert relay.relay() == ["order.assigned"]
    trader_id = money.order(number).trader_id
    money.prove(number, trader_id)
    assert relay.relay() == []
    money.do(Step(number, Actor.TRADER, Move.CONFIRM, trader_id))
    assert relay.relay() == ["order.completed"]


def test_a_message_is_as_the_order_stands(money: MoneyWorld, relay: RelayWorld) -> None:
    number = money.create(OrderType.BUY, 100_00)
    owner = money.order(number).merchant_id
    relay.world.put(
        "Orders",
        order_item(with_changes(money.order(number), callback_url="https://m.example.com/o")),
    )
    relay.records()
    money.now += 5
    money.do(Step(number, Actor.PAYER, Move.PAY))
    relay.handle(relay.records())
    (message,) = relay.messages()
    assert message["Attributes"]["MessageGroupId"] == owner
    assert json.loads(message["Body"]) == {
        "webhook_id": f"msg_{number}_2",
        "merchant_id": owner,
        "round": 0,
        "turn": 0,
        "visits": 0,
    }
    delivery = CallbackStore(relay.world.client, "Callbacks", 90).delivery(f"msg_{number}_2")
    assert delivery is not None
    event = asdict(delivery.event)
    body = event.pop("body")
    assert event == {
        "webhook_id": f"msg_{number}_2",
        "type": "order.paid",
        "merchant_id": owner,
        "number": number,
        "sequence": 2,
        "timestamp": money.now,
        "callback_url": "https://m.example.com/o",
    }
    paid = {"status": "paid", "time": money.now, "by": "payer"}
    assert json.loads(body)["data"]["timeline"][-1] == paid


def test_drafts_lives(world: World) -> None:
    drafts = DraftWorld(world)
    relay = RelayWorld(world)
    world.add_trader()
    held = [drafts.hold(number).draft.pending_no for number in ("P1", "P2", "P3")]
    assert relay.relay() == []
    drafts.submit(held[0])
    records = relay.records()
    relay.handle(records)
    (created,) = relay.sent()
    data = json.loads(created.body)["data"]
    assert (created.type, created.sequence, data["sequence"]) == ("order.created", 1, 1)
    assert (data["order_no"], data["merchant_order_no"]) == (created.number, "P1")
    assert created.callback_url == "https://m.example.com/cb"
    drafts.verifier.outcome = VerificationOutcome.FAILED
    drafts.submit(held[1])
    assert relay.relay() == ["draft.locked"]
    drafts.now += 7200
    drafts.sweep()
    assert sorted(relay.relay()) == ["draft.expired", "order.expired"]


def test_what_the_event_source_leaves_out_has_no_event(
    money: MoneyWorld, relay: RelayWorld
) -> None:
    """The filter is only an optimisation: its records have no event anyway."""
    money.create(OrderType.BUY, 100_00)
    money.create(OrderType.SELL, 100_00)
    everything = relay.written()
    assert len(everything) >= 2
    relay.handle(everything)
    assert relay.sent() == []


def test_what_is_deleted_is_not_told(money: MoneyWorld, relay: RelayWorld) -> None:
    paid_buys(money, 1)
    (_, record) = relay.records()
    del record["dynamodb"]["NewImage"]
    relay.handle([record])
    assert relay.sent() == []
