"""A merchant's limits of open orders and of their sum in CNY (contract sections 3 and 6)."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import (
    DEFAULT_MAX_OPEN_BUYS,
    DEFAULT_MAX_OPEN_CNY_FEN,
    Merchant,
)
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order_errors import OpenLimitReached, OpenSellLimitReached
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.orders.complete_draft import IdentityState
from tests.support.draft_world import DraftWorld
from tests.support.merchant_client import buy, sell
from tests.support.money_world import MoneyWorld, Step
from tests.support.world import World

FUNDS = 10**12
WIDE = {"max_open_buys": 1_500, "max_open_cny_fen": 30_000_00, "max_cny_fen": 1000_00}
A, M = Actor, Move
# Every way in which a buy ends.
BUY_ENDS: tuple[tuple[tuple[Actor, Move], ...], ...] = (
    ((A.PAYER, M.CANCEL),),
    ((A.CLOCK, M.EXPIRE),),
    ((A.TRADER, M.CONFIRM),),
    ((A.PAYER, M.PAY), (A.TRADER, M.CONFIRM)),
    ((A.PAYER, M.PAY), (A.TRADER, M.DISPUTE), (A.TRADER, M.CONFIRM)),
    ((A.PAYER, M.PAY), (A.TRADER, M.DISPUTE), (A.OPERATOR, M.RESOLVE_COMPLETED)),
    ((A.PAYER, M.PAY), (A.TRADER, M.DISPUTE), (A.OPERATOR, M.RESOLVE_CANCELLED)),
)

# Every way in which a sell ends, some of them after it came back to matching.
SELL_ENDS: tuple[tuple[tuple[Actor, Move], ...], ...] = (
    ((A.MERCHANT, M.CANCEL),),
    ((A.CLOCK, M.ASSIGN), (A.TRADER, M.CONFIRM)),
    ((A.CLOCK, M.ASSIGN), (A.TRADER, M.DECLINE), (A.OPERATOR, M.CANCEL)),
    ((A.CLOCK, M.ASSIGN), (A.CLOCK, M.LAPSE), (A.OPERATOR, M.CANCEL)),
    ((A.OPERATOR, M.ASSIGN), (A.OPERATOR, M.UNASSIGN), (A.MERCHANT, M.CANCEL)),
    ((A.CLOCK, M.ASSIGN), (A.OPERATOR, M.DISPUTE), (A.OPERATOR, M.RESOLVE_COMPLETED)),
    ((A.CLOCK, M.ASSIGN), (A.OPERATOR, M.DISPUTE), (A.OPERATOR, M.RESOLVE_CANCELLED)),
)


def counter(world: World, merchant: Merchant, mode: Mode = Mode.LIVE, shard: int = 0) -> Any:
    """Return a merchant's counter: open buys and their fen."""
    key = counter_key(merchant.merchant_id, mode, shard)
    row: Any = world.get(world.tables.orders, {"pk": key}) or {}
    return row.get("open_buys", 0), row.get("open_fen", 0)


def test_a_buy_beyond_the_number_is_refused_and_stores_nothing(world: World) -> None:
    owner, client = world.add_merchant(max_open_buys=2)
    world.add_trader()
    assert [client.create(buy()).code for _ in range(2)] == [1, 1]
    before = world.items(world.tables.orders)
    params = client.signed("/merchant/createOrder", buy(merchant_order_no="A-3"))
    reply = client.post_as_is("/merchant/createOrder", params)
    assert (reply.status, reply.code) == (409, 2104)
    assert reply.data == {"reason": "open_limit_reached", "limit": "max_open_buys"}
    assert world.items(world.tables.orders) == before
    assert client.post_as_is("/merchant/createOrder", params).code == 1104
    assert counter(world, owner) == (2, 2000_00)


def test_a_buy_larger_than_the_whole_limit_needs_no_request_to_be_refused(world: World) -> None:
    _, client = world.add_merchant(max_open_cny_fen=999_99)
    reply = client.create(buy())  # the rotation is empty, and not even read
    assert (reply.code, reply.data["limit"]) == (2104, "max_open_cny")


def test_a_freed_place_is_taken_again_under_the_refused_number(world: World) -> None:
    owner, client = world.add_merchant(max_open_buys=1)
    world.add_trader()
    first = client.create(buy())
    assert client.create(buy(merchant_order_no="A-2")).code == 2104
    assert client.cancel(first).code == 1
    assert client.cancel(first).code == 1
    assert counter(world, owner) == (0, 0)
    assert client.create(buy(merchant_order_no="A-2")).code == 1


def test_a_retry_learns_its_first_order_before_the_limit(world: World) -> None:
    _, client = world.add_merchant(max_open_buys=1)
    world.add_trader()
    first = client.create(buy(merchant_order_no="A-1"))
    again = client.create(buy(merchant_order_no="A-1"))
    assert (again.code, again.data["order_no"]) == (2001, first.data["order_no"])


def test_live_and_test_are_counted_apart_and_merchants_too(world: World) -> None:
    one, client = world.add_merchant(max_open_buys=1)
    _, other = world.add_merchant(max_open_buys=1)
    world.add_trader()
    world.add_trader(mode=Mode.TEST)
    assert [client.create(buy()).code, client.create(buy(is_test=1)).code] == [1, 1]
    assert other.create(buy()).code == 1
    assert [client.create(buy()).code, client.create(buy(is_test=1)).code] == [2104, 2104]
    assert counter(world, one, Mode.LIVE) == counter(world, one, Mode.TEST) == (1, 1000_00)


def test_a_changed_limit_holds_for_the_next_buy(world: World) -> None:
    owner, client = world.add_merchant(max_open_buys=1)
    world.add_trader()
    assert [client.create(buy()).code for _ in range(2)] == [1, 2104]
    owner = world.change_merchant(owner, max_open_buys=3)
    world.let_time_pass(seconds=60)
    assert [client.create(buy()).code for _ in range(3)] == [1, 1, 2104]
    world.change_merchant(owner, max_open_buys=2)
    world.let_time_pass(seconds=60)
    assert client.create(buy()).code == 2104


def test_a_refused_buy_makes_as_many_requests_as_one_without_a_trader(world: World) -> None:
    _, client = world.add_merchant(max_open_buys=1)
    world.add_trader()
    client.create(buy())
    with world.requests("create_order") as requests:
        assert client.create(buy(merchant_order_no="A-2")).code == 2104
    assert requests == ["Query", "TransactWriteItems", "PutItem", "GetItem", "UpdateItem"]


@pytest.fixture
def money(world: World) -> MoneyWorld:
    """Return a world whose merchant may have one open buy."""
    money = MoneyWorld(world)
    money.merchants[0] = world.change_merchant(money.merchants[0], max_open_buys=1)
    return money


@pytest.mark.parametrize("way", BUY_ENDS)
def test_every_end_of_a_buy_frees_its_place_and_its_amount(
    money: MoneyWorld, way: tuple[tuple[Actor, Move], ...]
) -> None:
    money.suspend(0)  # the other trader has unique amounts
    number = money.create(OrderType.BUY, 1000_00)
    for actor, what in way:
        with pytest.raises(OpenLimitReached, match="max_open_buys"):
            money.create(OrderType.BUY, 500_00)
        if what is Move.EXPIRE:
            money.now += 900
        money.do(Step(number, actor, what, money.order(number).trader_id))
    money.check()
    assert not money.order(number).status.is_open
    assert money.seed.open_amounts(money.trader(1).trader_id) == set()
    money.create(OrderType.BUY, 1000_00)


def test_a_late_payment_counts_again_and_may_exceed(money: MoneyWorld) -> None:
    late = money.create(OrderType.BUY, 1000_00)
    money.now += 900
    money.sweep()
    money.create(OrderType.BUY, 500_00)
    money.do(Step(late, Actor.OPERATOR, Move.DISPUTE))
    owner = money.merchant().merchant_id
    key = counter_key(owner, Mode.LIVE, 0)
    row: Any = money.seed.get(money.seed.tables.orders, {"pk": key})
    assert (row["open_buys"], row["open_fen"]) == (2, 1500_00)
    money.do(Step(late, Actor.OPERATOR, Move.RESOLVE_CANCELLED))
    money.check()


def test_a_verified_draft_waits_for_a_place(world: World) -> None:
    drafts = DraftWorld(world)
    drafts.merchant = world.change_merchant(drafts.merchant, max_open_buys=1)
    trader = world.add_trader()
    one, two = drafts.hold("A-1").draft, drafts.hold("A-2").draft
    assert drafts.submit(one.pending_no).state is IdentityState.COMPLETED
    waits = drafts.submit(two.pending_no)
    assert waits.state is IdentityState.VERIFIED
    assert world.trader(trader.trader_id).counts.open_orders == 1
    drafts.now += 900
    drafts.sweep()
    assert drafts.submit(two.pending_no).state is IdentityState.COMPLETED
    assert drafts.verifier.asked == 2
    assert counter(world, drafts.merchant) == (1, 1000_00)


def sells_counted(world: World, merchant: Merchant, mode: Mode = Mode.LIVE) -> Any:
    """Return a merchant's counted open sells and their fen."""
    key = Account(AccountKind.MERCHANT, merchant.merchant_id, mode).key
    row: Any = world.get(world.tables.ledger, {"pk": key, "sk": "balance"})
    return row.get("open_sells", 0), row.get("open_sell_fen", 0)


def test_a_sell_beyond_the_number_is_refused_and_stores_nothing(world: World) -> None:
    owner, client = world.add_merchant(max_open_sells=2)
    world.fund(owner, FUNDS)
    assert [client.create(sell()).code for _ in range(2)] == [1, 1]
    before = world.items(world.tables.orders), world.balance(owner)
    with world.requests("create_order") as requests:
        reply = client.create(sell(merchant_order_no="A-3"))
    assert (reply.status, reply.code) == (409, 2105)
    assert reply.data == {"reason": "open_sell_limit_reached", "limit": "max_open_sells"}
    assert (world.items(world.tables.orders), world.balance(owner)) == before
    assert requests == ["TransactWriteItems", "PutItem", "GetItem", "UpdateItem"]
    assert sells_counted(world, owner) == (2, 2000_00)


def test_a_sell_beyond_the_amount_is_refused(world: World) -> None:
    owner, client = world.add_merchant(max_open_sell_cny_fen=2500_00)
    world.fund(owner, FUNDS)
    assert client.create(sell(cny_amount="1000.01")).code == 1
    assert client.create(sell(cny_amount="1500.00")).data["limit"] == "max_open_sell_cny"
    assert client.create(sell(cny_amount="2500.01")).data["limit"] == "max_open_sell_cny"
    assert client.create(sell(cny_amount="1499.99")).code == 1
    assert client.create(sell(cny_amount="1.00")).code == 2105
    assert sells_counted(world, owner) == (2, 2500_00)


def test_sells_are_limited_apart_from_buys_and_by_mode(world: World) -> None:
    owner, client = world.add_merchant(max_open_sells=1, max_open_buys=1)
    for mode in Mode:
        world.add_trader(mode=mode)
        world.fund(owner, FUNDS, mode)
    for is_test in (0, 1):
        assert client.create(sell(is_test=is_test)).code == 1
        assert client.create(buy(is_test=is_test)).code == 1
        assert client.create(sell(is_test=is_test)).code == 2105
    assert sells_counted(world, owner, Mode.LIVE) == sells_counted(world, owner, Mode.TEST)


def test_a_cancelled_sell_frees_its_place_once(world: World) -> None:
    owner, client = world.add_merchant(max_open_sells=1)
    world.fund(owner, FUNDS)
    first = client.create(sell())
    assert client.create(sell(merchant_order_no="A-2")).code == 2105
    assert [client.cancel(first).code for _ in range(2)] == [1, 1]
    assert sells_counted(world, owner) == (0, 0)
    assert client.create(sell(merchant_order_no="A-2")).code == 1


@pytest.mark.parametrize("way", SELL_ENDS)
def test_every_end_of_a_sell_frees_its_place_and_its_slot(
    world: World, way: tuple[tuple[Actor, Move], ...]
) -> None:
    money = MoneyWorld(world)
    money.suspend(1)  # the other trader has a cap, so it counts slots
    limits = {"max_open_sells": 1}
    money.merchants[0] = world.change_merchant(money.merchants[0], **limits)
    number = money.create(OrderType.SELL, 1000_00)
    for actor, what in way:
        with pytest.raises(OpenSellLimitReached, match="max_open_sells"):
            money.create(OrderType.SELL, 500_00)
        order = money.order(number)
        if what is Move.LAPSE:
            money.now += 1800
        if what is Move.CONFIRM:
            money.prove(number, order.trader_id)
        trader_id = money.traders[0].trader_id if what is Move.ASSIGN else order.trader_id
        money.do(Step(number, actor, what, trader_id))
    money.check()
    assert not money.order(number).status.is_open
    assert sum(money.trader(0).counts.slots.values()) == 0
    money.create(OrderType.SELL, 1000_00)


USUAL = {"max_open_buys": DEFAULT_MAX_OPEN_BUYS, "max_open_cny_fen": DEFAULT_MAX_OPEN_CNY_FEN}
UNLIMITED = {"max_open_buys": 10_000, "max_open_cny_fen": 10**12}


@pytest.mark.parametrize(("limits", "percent"), [(USUAL, 4.8), (UNLIMITED, 96.7)])
def test_one_merchant_no_longer_holds_all_liquidity(
    world: World, limits: dict[str, int], percent: float
) -> None:
    """Twenty buys of ¥700,000, all reported as paid without a receipt."""
    ids = [world.add_trader(available_micro=200_070 * 10**6).trader_id for _ in range(10)]
    _, client = world.add_merchant(**limits)
    for reply in [client.create(buy(cny_amount="700000.00")) for _ in range(20)]:
        if reply.code == 1:
            world.report_paid(reply.data["order_no"])
    traders = [world.trader(trader_id) for trader_id in ids]
    held = sum(trader.counts.held_micro for trader in traders)
    whole = held + sum(trader.counts.available_micro for trader in traders)
    assert round(100 * held / whole, 1) == percent


# One counter, three counters, and limits below what is open; ¥1,000 is the largest order.
CHANGES = (
    {"max_open_cny_fen": 9_000_00},
    {"max_open_cny_fen": 29_000_00},
    {"max_open_cny_fen": 30_000_00},
    {"max_open_cny_fen": 40_000_00},
    {"max_open_buys": 7},
    {"max_open_buys": 1_500},
    {"balance_shards": 3},
)


@pytest.mark.parametrize("seed", range(3))
def test_limits_are_exact_whatever_the_number_of_counters_was(world: World, seed: int) -> None:
    """Buys are accepted exactly while limits have room, before and after each change of them."""
    random = Random(seed)
    owner, client = world.add_merchant(slot_share=100, **WIDE)
    world.add_trader()
    opened: list[tuple[Any, int]] = []
    outcomes = Counter[tuple[bool, str]]()
    for _ in range(120):
        terms, roll = owner.terms, random.random()
        if roll < 0.06:
            owner = world.change_merchant(owner, **random.choice(CHANGES))
            world.let_time_pass(seconds=60)
        elif roll < 0.3 and opened:
            reply, _ = opened.pop(random.randrange(len(opened)))
            assert client.cancel(reply).code == 1
        else:
            fen = random.choice([1000_00, 1000_00, 333_33])
            fits_number = len(opened) < terms.max_open_buys
            fits_sum = sum(of for _, of in opened) + fen <= terms.max_open_cny_fen
            reply = client.create(buy(cny_amount=f"{fen / 100:.2f}"))
            assert reply.code == (1 if fits_number and fits_sum else 2104)
            limit = "" if reply.code == 1 else reply.data["limit"]
            outcomes[reply.code == 1, limit] += 1
            if reply.code == 1:
                opened.append((reply, fen))
    assert outcomes[True, ""] > 20
    assert outcomes[False, "max_open_cny"] + outcomes[False, "max_open_buys"] > 5
    shares = [counter(world, owner, shard=shard) for shard in range(10)]
    assert sum(count for count, _ in shares) == len(opened)
    assert sum(fen for _, fen in shares) == sum(fen for _, fen in opened)


def test_sells_are_limited_exactly_when_the_number_of_shards_changes(world: World) -> None:
    wide = {"max_open_sells": 1_000, "max_open_sell_cny_fen": 20_000_00, "max_cny_fen": 1000_00}
    owner, client = world.add_merchant(balance_shards=2, **wide)
    world.fund(owner, FUNDS)
    created = [client.create(sell()) for _ in range(21)]
    assert [reply.code for reply in created] == [1] * 20 + [2105]
    owner = world.change_merchant(owner, max_open_sells=15)
    world.let_time_pass(seconds=60)
    assert client.create(sell()).data["limit"] == "max_open_sells"
    for reply in created[:6]:
        assert client.cancel(reply).code == 1
        allowed = 1 if reply is created[5] else 2105
        assert client.create(sell()).code == allowed
    assert client.create(sell()).code == 2105
    world.change_merchant(owner, max_open_sells=1_000)
    world.let_time_pass(seconds=60)
    assert [client.create(sell()).code for _ in range(6)] == [1] * 5 + [2105]


def test_after_a_change_the_second_order_makes_two_requests_again(world: World) -> None:
    owner, client = world.add_merchant(**WIDE)
    world.add_trader()
    assert client.create(buy()).code == 1
    world.change_merchant(owner, max_open_buys=3)
    world.let_time_pass(seconds=60)
    with world.requests("create_order") as requests:
        assert [client.create(buy()).code for _ in range(2)] == [1, 1]
    assert requests[-2:] == ["Query", "TransactWriteItems"]
    assert len(requests) <= 10
