"""Whole lives of orders through the functions' handlers, while AWS faults their requests.

Callers repeat what is answered with 5001 or 503, and Lambda what failed. Nothing is lost and
nothing is done twice: the books balance, every order has its claim, and every event has reached its
merchant.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from botocore.session import Session

from orderdesk.adapters import receipts, sending
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.proposals import Sum
from orderdesk.services.operator.funds import fund
from tests.faults.in_process import Fault, ProcessFaults
from tests.faults.worlds import TRIES_MAX
from tests.support import engine
from tests.support.books import assert_books
from tests.support.callback_functions import CallbackWorld, RelayWorld
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.offices import office_on
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.trader import TraderVisit
from tests.support.visitors import Answer, PageRequest, any_address
from tests.support.world import InProcessTransport, TimeLeft, open_world

PLENTY_MICRO = 10**12
EVENTS_OF_A_LIFE = 5  # a buy is paid and completed, a sell assigned and completed, a buy cancelled


class FunctionsFaults(ProcessFaults):
    """Faults the requests of the functions only, not those of the test."""

    def draw(self, service: str) -> Fault | None:
        return super().draw(service) if engine.current.get(engine.Call()).function else None


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessFaults]:
    """Reach every client that a function creates; a fault ends with its request."""
    faults, create_client = FunctionsFaults(), Session.create_client

    def created(session: Session, *arguments: Any, **named: Any) -> Any:
        client = create_client(session, *arguments, **named)
        faults.reach(client)
        return client

    monkeypatch.setattr(Session, "create_client", created)
    monkeypatch.setattr(sending, "_PAUSE_SECONDS", 0)
    monkeypatch.setattr(receipts, "PAUSES_MS", ())
    yield faults
    print(faults.report())


@pytest.fixture(autouse=True)
def persistent_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat merchants' calls and browsers' requests while the answer says so."""
    post, send = MerchantClient.post, InProcessTransport.send

    def posted(client: MerchantClient, path: str, *arguments: Any) -> Reply:
        for _ in range(TRIES_MAX):
            reply = post(client, path, *arguments)
            assert reply.code != 5000, reply
            if reply.code != 5001:
                return reply
        raise AssertionError(f"no final answer after {TRIES_MAX} tries")

    def sent(transport: InProcessTransport, request: PageRequest) -> Answer:
        for _ in range(TRIES_MAX):
            answer = send(transport, request)
            if answer["statusCode"] not in {202, 503}:
                assert answer["statusCode"] < 500, answer["body"]
                return answer
        raise AssertionError(f"no final answer after {TRIES_MAX} tries")

    monkeypatch.setattr(MerchantClient, "post", posted)
    monkeypatch.setattr(InProcessTransport, "send", sent)


def created(client: MerchantClient, number: str, params: dict[str, Any]) -> Reply:
    """Create an order; find it by its number if an earlier try has created it."""
    made = client.create({**params, "merchant_order_no": number})
    return client.query(merchant_order_no=number) if made.code == 2001 else made


def live(client: MerchantClient, desk: TraderVisit, assigner: Any, number: int) -> None:
    """Complete a buy with a receipt and a sell with a proof; cancel a buy."""
    made = created(client, f"buy-{number}", buy())
    payer = Payer.of_link(desk.seed, made.data["pay_url"])
    payer.source_ip, desk.source_ip = any_address(), any_address()  # limited by address
    assert payer.upload(png())["statusCode"] == 303
    assert desk.move(payer.order_no, "confirm") == 303
    sold = created(client, f"sell-{number}", sell()).data["order_no"]
    while desk.order(sold).status.value == "matching":
        with suppress(TryAgain):  # the sell waits for the next run
            assigner.handler({}, TimeLeft())
    assert desk.upload(sold, png())["statusCode"] == 303
    assert desk.move(sold, "confirm") == 303
    assert client.cancel(created(client, f"cancelled-{number}", buy())).code == 1
    assert client.query(merchant_order_no=f"sell-{number}").data["status"] == "completed"
    assert client.listed()["orders"]
    assert client.balance()


def relay_and_send(callbacks: CallbackWorld, relay: RelayWorld, faults: ProcessFaults) -> set[str]:
    """Relay and send until every new event is delivered; return the webhook_ids."""
    records = relay.records()
    with faults.faults():
        for _ in range(TRIES_MAX):
            try:
                relay.handle(records)
                break
            except relay.module.RelayStopped:
                pass
    ids = {event.webhook_id for event in relay.sent()}
    for _ in range(TRIES_MAX):
        found = map(callbacks.delivery, ids)
        waiting = [each.event for each in found if each.state is not DeliveryState.DELIVERED]
        if not waiting:
            return ids
        callbacks.start_cold()  # as after the 13 s of a lane that could not be returned
        lanes = to_item({"webhook_id": Key.lanes(callbacks.merchant.merchant_id)})
        callbacks.world.client.delete_item(TableName="Callbacks", Key=lanes)
        for event in waiting:
            callbacks.put_again(event)
        with faults.faults():
            callbacks.deliver()
    raise AssertionError(f"not delivered after {TRIES_MAX} tries")


@pytest.mark.deep
def test_lives_are_completed_and_every_event_is_told(faults: ProcessFaults) -> None:
    lives = examples(budget=2, full=16)
    with open_world() as world:
        callbacks, relay = CallbackWorld.on(world), RelayWorld(world)
        merchant = callbacks.merchant
        client = world.client_of(merchant, f"sk_{merchant.merchant_id}")
        desk = TraderVisit.of_new_trader(world, available_micro=0)
        assigner = world.cold_start("assign_sells")
        office = office_on(world)
        for kind, owner in (
            (AccountKind.MERCHANT, merchant.merchant_id),
            (AccountKind.TRADER, desk.trader.trader_id),
        ):
            account = Account(kind, owner, Mode.LIVE)
            fund(office.funds, office.operator, Sum(account, PLENTY_MICRO), "test")
        told = set[str]()
        for number in range(lives):
            faults.reseed(number)
            with faults.faults():
                live(client, desk, assigner, number)
            told |= relay_and_send(callbacks, relay, faults)
        assert told == {headers["webhook-id"] for _, headers, _ in callbacks.post.sent}
        assert len(told) == EVENTS_OF_A_LIFE * lives
        orders: list[Any] = world.items("Orders", "order")
        statuses = [order["status"] for order in orders]
        assert {each: statuses.count(each) for each in statuses} == {
            "completed": 2 * lives,
            "cancelled": lives,
        }
        assert_books(world, {merchant.merchant_id}, {desk.trader.trader_id})
    assert faults.faulted >= examples(budget=30, full=1_000)
