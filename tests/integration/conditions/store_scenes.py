"""Writes that are no moves of orders or money: callbacks, files, counts, sessions, and secrets."""

from dataclasses import replace
from typing import Any

from orderdesk.adapters.dynamodb.callback_lanes import LaneStore
from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.drawings import DrawingStore
from orderdesk.adapters.dynamodb.failure_caps import FailureCapStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.nonces import CallCountStore
from orderdesk.adapters.dynamodb.operator.orders import OperatorCallbacks
from orderdesk.adapters.dynamodb.portal import (
    ChallengeStore,
    PortalSessionStore,
    RecordedDeliveries,
)
from orderdesk.adapters.dynamodb.refused_calls import RefusedCallStore
from orderdesk.adapters.dynamodb.teams import TeamStore
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.dynamodb.traders.devices import PushDevices
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.adapters.kms import Pseudonym
from orderdesk.adapters.seals import SealPlaces
from orderdesk.domain.audit import AuditEntry, FirstAnswer
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId, next_version
from orderdesk.domain.callbacks.lanes import GROWTH_GAP_MS, SeenAttempts
from orderdesk.domain.callbacks.steps import opened
from orderdesk.domain.identity import Identity
from orderdesk.domain.ledger.seals import SealName, SealSummary, day_end
from orderdesk.domain.merchants.team import Team
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import REVEAL_SECONDS, Proposal
from orderdesk.domain.pushes.devices import Device
from orderdesk.domain.receipts.shares import Place
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.merchants.portal import MemberSessions, PortalSession
from orderdesk.services.merchants.refused_calls import RefusedCall
from orderdesk.services.operator.desk_rules import set_rate
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.proposals import reveal
from orderdesk.services.orders.render_receipt import DrawingClaim, DrawingTask
from orderdesk.services.orders.verify_customer import CustomerCheck
from orderdesk.services.pushes.devices import KeptDevices
from tests.support.commands import ask, resolve
from tests.support.deliveries import EVENT
from tests.support.money_world import REASON, MoneyWorld, Step
from tests.support.seed import a_merchant, a_trader, with_changes

LANES, FILES_MOST, FAILURES_MOST, CALLS, MAX_RPS = 2, 3, 1, 5, 50
ENTRIES = [
    AuditEntry(f"{n:026}", 10**15, "mei", "callback.redeliver", "m1", token=f"entry {n}")
    for n in range(6)
]


def only(money: MoneyWorld, number: int, **changes: Any) -> Trader:
    """Leave one trader on duty, with changes of its item; return it."""
    for other in range(3):
        if other != number:
            set_duty(money.command_ports, money.trader(other).trader_id, Duty.OFFLINE)
    trader = with_changes(money.trader(number), **changes)
    money.seed.put(money.seed.tables.traders, trader_item(trader, 0))
    return trader


def alone(money: MoneyWorld) -> None:
    """A person who does not act alone ends a dispute whose trader has said something."""
    number = money.create(OrderType.BUY, 1000_00)
    trader_id = money.order(number).trader_id
    money.do(Step(number, Actor.PAYER, Move.PAY))
    money.do(Step(number, Actor.TRADER, Move.DISPUTE, trader_id))
    ports = money.command_ports.acting(money.acting("ann"))
    resolve(number, OrderStatus.COMPLETED, ports, reason=REASON)


def secrets(money: MoneyWorld) -> None:
    """A code of two halves is read, and forgotten after a day."""
    command = ask("trader.reset-code", trader_id=money.traders[0].trader_id)
    proposed = money.run(command, money.acting("ann"))
    assert isinstance(proposed, Proposal)
    money.decide(proposed.proposal_no, "approve", "bob")
    reveal(
        money.command_ports.acting(money.acting("ann")), proposed.proposal_no, lambda _, __: False
    )
    money.now += REVEAL_SECONDS
    money.sweep()


def endpoints(money: MoneyWorld) -> None:
    store = money.seed.endpoints
    first = next_version(Endpoint(EndpointId("m1", Mode.LIVE, "https://shop.example.com")))
    second = next_version(first)
    store.save(first)
    store.save(second)
    store.save(next_version(second), opened(EVENT))
    store.remove(next_version(second))


def deliveries(money: MoneyWorld) -> None:
    client, tables = money.seed.client, money.seed.tables
    store, first = CallbackStore(client, tables.callbacks, 1), opened(EVENT)
    store.record(EVENT)
    store.save(replace(first, version=first.version + 1))
    recorded = RecordedDeliveries(client, tables, 1, lambda _: ENTRIES[1])
    recorded.save(replace(first, version=first.version + 2))
    again = replace(first, version=first.version + 3)
    OperatorCallbacks(client, tables, 1).change(again, ENTRIES[0])


def lanes(money: MoneyWorld) -> None:
    """Every lane is leased, and one is added."""
    store, now_ms = LaneStore(money.seed.client, "Callbacks", LANES, money.chance), money.now * 1000
    until_ms = now_ms + 13_000
    taken = [store.take("m1", 3, now_ms, until_ms) for _ in range(LANES)]
    assert taken[0] is not None
    assert taken[1] is not None
    renewed = store.renew(taken[0], until_ms + 1)
    assert renewed is not None
    store.give_back(renewed, SeenAttempts(1000, quick_ms=now_ms), now_ms)
    store.take("m1", 3, now_ms, until_ms)
    money.now += GROWTH_GAP_MS // 1000
    store.take("m1", 3, money.now * 1000, until_ms)
    store.give_back(taken[1], SeenAttempts(1000, congested_ms=now_ms), now_ms)


def names(money: MoneyWorld) -> None:
    """A merchant takes a name, another one shares it, and both leave it."""
    register = money.agreements
    for first, number in zip(ENTRIES[:4], (0, 1, 0, 1), strict=True):
        merchant = register.merchant(money.merchants[number].merchant_id)
        assert merchant is not None
        name = "" if merchant.terms.display_name else "Shop"
        terms = replace(merchant.terms, display_name=name)
        renamed = replace(merchant, terms=terms, version=merchant.version + 1)
        entry = replace(first, alone=number == 1)
        register.change_merchant(merchant, renamed, entry)


def teams(money: MoneyWorld) -> None:
    store = TeamStore(money.seed.client, money.seed.tables)
    team, merchant = Team("m1"), money.merchants[0]
    store.change_team(team, replace(team, version=1), ENTRIES[0])
    # The contact is notified, and the name is taken.
    terms = replace(merchant.terms, support="another", display_name="Another")
    renamed = replace(merchant, terms=terms, version=merchant.version + 1)
    store.change_merchant(merchant, renamed, ENTRIES[1])
    register = money.agreements
    register.change_team(replace(team, version=1), replace(team, version=2), ENTRIES[2])
    store.note_use(replace(team, version=2), replace(team, version=3), "a use")
    register.add(a_merchant("m2"), ENTRIES[3])
    money.proposals.record(ENTRIES[4])
    money.proposals.keep_key(FirstAnswer("ann", "k", "digest", {}, money.now + 60), money.now, "6")


def blocks(money: MoneyWorld) -> None:
    for version in range(2):
        money.agreements.write_blocks(version, (), ENTRIES[version])


def day_limits(money: MoneyWorld) -> None:
    limits: dict[str, int] = {}
    for number, entry in enumerate(ENTRIES[:2]):
        after = {"payee_daily_count": 2 + number, "payee_daily_cny": 3000_00}
        money.agreements.set_day_limits(limits, after, after, entry)
        limits = after
    money.create(OrderType.SELL, 1000_00)


def settings(money: MoneyWorld) -> None:
    """A trader changes its own item, another one is added, and an open buy reserves its amount."""
    store = DeskTraders(money.seed.client, money.seed.tables)
    trader = only(money, 0)
    away = replace(trader, online=False, version=trader.version + 1)
    store.change(trader, away, "first")
    back = replace(trader, version=away.version + 1)
    store.change_settings(away, back, ENTRIES[0])
    money.create(OrderType.BUY, 1000_00)
    money.set_unique_amounts(0, unique=True)
    money.register.add(a_trader("t1"), 0, ENTRIES[1])


def first_rates(money: MoneyWorld) -> None:
    money.seed.client.delete_item(TableName="Merchants", Key=to_item({"pk": Key.RATES}))
    for side in OrderType:
        set_rate(money.command_ports, side, 72000)


def seals(money: MoneyWorld) -> None:
    """The seal of a quarter hour, and the one that ends a day."""
    for end in (day_end(money.now) - 900, day_end(money.now)):
        name = SealName(end, f"{end:<064}")
        SealPlaces(money.seed.client, money.seed.tables).put_place(
            SealSummary(name, end - 900, accounts=0, postings=0, orders=0, findings=0)
        )


def drawings(money: MoneyWorld) -> None:
    store, now_ms = DrawingStore(money.seed.client, "Guards"), money.now * 1000
    for number in range(2):
        task = DrawingTask("B1#payer", "m1", f"file {number}")
        claim = store.claim(task, [Place("m1", 0)], FILES_MOST, now_ms, f"claim {number}")
        assert isinstance(claim, DrawingClaim)
        store.finish(claim, {"key": "k"} if number else None, f"finish {number}")


def _pseudonym_of(identity: Identity) -> Pseudonym:
    return Pseudonym(person=identity.customer_name, factors=identity.mobile)


def failures(money: MoneyWorld) -> None:
    """Verifications below and beyond a merchant's cap; one does not fail."""
    caps = FailureCapStore(money.seed.client, "Guards", _pseudonym_of, FAILURES_MOST)
    for name in ("甲", "乙"):
        take_back = caps.reserve(CustomerCheck(Identity(name, "1", "2"), "m1", money.now))
    assert callable(take_back)
    take_back()


def call_counts(money: MoneyWorld) -> None:
    """Calls of a merchant that was idle, and that is busy."""
    store = CallCountStore(money.seed.client, "Guards")
    for _ in range(2):
        store.count("m1", CALLS, MAX_RPS, money.now * 10**9)


def refused_calls(money: MoneyWorld) -> None:
    store = RefusedCallStore(money.seed.client, "Guards")
    for _ in range(2):
        store.add("m1", RefusedCall(money.now, Mode.LIVE, "createOrder", "nonce", "1.2.3.0/24"))


def sign_ins(money: MoneyWorld) -> None:
    challenges = ChallengeStore(money.seed.client, "Guards")
    challenges.keep("hash", "sign-in", money.now + 60)
    challenges.take("hash", "sign-in", money.now)
    store = PortalSessionStore(money.seed.client, money.seed.tables)
    session = PortalSession("hash", "passkey", "a phone", "192.0.2.1", money.now, money.now + 60)
    none = MemberSessions("m1", "mei")
    first = replace(none, sessions=(session,), version=1)
    store.save(none, first, ENTRIES[0], "first")
    store.save(first, replace(first, sessions=(), version=2), None, "second")


def devices(money: MoneyWorld) -> None:
    store = PushDevices(money.seed.client, "Guards", money.chance)
    for version in range(2):
        device = Device(f"https://push.example/{version}", "session", "code", money.now)
        store.save("t1", KeptDevices((), version), (device,))


STORE_SCENES = (
    *(
        alone,
        secrets,
        teams,
        names,
        blocks,
        day_limits,
        settings,
        first_rates,
        seals,
        endpoints,
        deliveries,
        lanes,
    ),
    *(deliveries, lanes, drawings, failures, call_counts, refused_calls, sign_ins, devices),
)
