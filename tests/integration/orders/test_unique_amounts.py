"""A trader with unique amounts has no two open buys of one amount and method (section 9)."""

import time
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.open_orders import CANCELS_AN_HOUR
from orderdesk.domain.orders.order_errors import NoTraderAvailable
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.retrying import MAX_PAUSE_MS
from tests.support.identities import identity
from tests.support.merchant_client import buy, sell
from tests.support.money_world import MoneyWorld, Step
from tests.support.seed import ALL_METHODS
from tests.support.world import World

FEN = 1000_00
URL = "https://m.example.com/cb"
PAY, CONFIRM = (Actor.PAYER, Move.PAY), (Actor.TRADER, Move.CONFIRM)
CANCEL, REPORT = (Actor.PAYER, Move.CANCEL), (Actor.TRADER, Move.DISPUTE)
WHERE_IT_STANDS_OPEN = [[], [PAY], [PAY, REPORT]]


@pytest.fixture
def money(world: World) -> MoneyWorld:
    """Return a world whose only trader in the rotation has unique amounts."""
    money = MoneyWorld(world)
    money.suspend(0)
    assert money.trader(1).terms.unique_amounts
    return money


def do(money: MoneyWorld, number: str, way: list[tuple[Actor, Move]]) -> None:
    for actor, what in way:
        if what is Move.EXPIRE:
            money.now += 900
        money.do(Step(number, actor, what, money.order(number).trader_id))
    money.check()


def test_an_amount_is_taken_on_one_method_only(world: World) -> None:
    trader = world.only_trader(unique_amounts=True, methods=ALL_METHODS)
    _, client = world.add_merchant()
    methods = ("bank", "wechat", "alipay")
    assert [client.create(buy(method_type=method)).code for method in methods] == [1, 1, 1]
    assert [client.create(buy(method_type=method)).code for method in methods] == [2101] * 3
    assert world.open_amounts(trader.trader_id) == {f"{method}:100000" for method in methods}


def test_live_and_test_traders_are_asked_alike(world: World) -> None:
    world.only_trader(mode=Mode.TEST, unique_amounts=True)
    _, client = world.add_merchant()
    assert [client.create(buy(is_test=1)).code for _ in range(2)] == [1, 2101]


def test_who_is_passed_over_keeps_its_turn(world: World) -> None:
    world.clear_rotation()
    _, client = world.add_merchant()
    unique = world.add_trader(unique_amounts=True, last_accepted_us=1)
    plain = world.add_trader(last_accepted_us=2)

    def taken_by(**parameters: Any) -> str:
        order: Any = world.get("Orders", {"pk": client.create(buy(**parameters)).data["order_no"]})
        return str(order["trader_id"])

    assert taken_by() == unique.trader_id
    assert taken_by() == plain.trader_id
    waited = world.trader(unique.trader_id).counts.last_accepted_us
    # It is the turn of the other trader, who has such an order.
    assert taken_by() == plain.trader_id
    assert world.trader(unique.trader_id).counts.last_accepted_us == waited
    assert taken_by(cny_amount="500.00") == unique.trader_id


@pytest.mark.parametrize("unique", [True, False])
def test_a_warm_buy_makes_two_requests(world: World, *, unique: bool) -> None:
    world.only_trader(unique_amounts=unique)
    _, client = world.add_merchant()
    client.create(buy(cny_amount="1.00"))
    with world.requests("create_order") as requests:
        assert client.create(buy(merchant_order_no="A-2", callback_url=URL)).code == 1
    assert requests == ["Query", "TransactWriteItems"]


def test_a_trader_without_the_option_keeps_no_amounts(world: World) -> None:
    trader = world.only_trader()
    _, client = world.add_merchant()
    replies = [client.create(buy()) for _ in range(2)]
    assert [reply.code for reply in replies] == [1, 1]
    assert client.cancel(replies[0]).code == 1
    item: Any = world.get("Traders", {"trader_id": trader.trader_id})
    assert world.amounts(item["trader_id"]) == {}
    assert all("unique_amount" not in order for order in world.items("Orders", "order"))


@pytest.mark.parametrize("way", WHERE_IT_STANDS_OPEN)
def test_an_amount_is_taken_while_its_order_is_open(
    money: MoneyWorld, way: list[tuple[Actor, Move]]
) -> None:
    do(money, money.create(OrderType.BUY, FEN), way)
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)
    assert money.create(OrderType.BUY, FEN + 1)


def test_sells_are_not_counted_and_not_kept_away(world: World) -> None:
    trader = world.only_trader(unique_amounts=True)
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    assert client.create(buy()).code == 1
    assert [client.create(sell()).code for _ in range(2)] == [1, 1]
    world.assign_sells()
    now = world.trader(trader.trader_id)
    assert (now.counts.open_orders, world.open_amounts(trader.trader_id)) == (3, {"bank:100000"})


def test_a_late_payment_opens_its_amount_again_beside_an_equal_one(money: MoneyWorld) -> None:
    late = money.create(OrderType.BUY, FEN)
    do(money, late, [(Actor.CLOCK, Move.EXPIRE)])
    money.now += 86_400
    other = money.create(OrderType.BUY, FEN, merchant=1)
    do(money, late, [(Actor.OPERATOR, Move.DISPUTE)])
    assert money.trader(1).counts.open_orders == 2
    do(money, other, [PAY, CONFIRM])
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)
    do(money, late, [(Actor.OPERATOR, Move.RESOLVE_COMPLETED)])
    assert money.create(OrderType.BUY, FEN)
    money.check()


ENDS = [([(Actor.CLOCK, Move.EXPIRE)], 86_400), ([CANCEL], 3_600)]


@pytest.mark.parametrize(("way", "seconds"), ENDS)
def test_after_an_unpaid_end_only_the_same_merchant_may_repeat_the_amount(
    money: MoneyWorld, way: list[tuple[Actor, Move]], seconds: int
) -> None:
    do(money, money.create(OrderType.BUY, FEN), way)
    money.now += seconds - 1
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN, merchant=1)
    repeated = money.create(OrderType.BUY, FEN)
    do(money, repeated, [PAY, CONFIRM])
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN, merchant=1)
    money.now += 1
    assert money.create(OrderType.BUY, FEN, merchant=1)
    money.check()


def test_a_discount_makes_a_taken_amount_payable_by_a_near_one(world: World) -> None:
    trader = world.only_trader(unique_amounts=True)
    _, client = world.add_merchant()
    asked = {"cny_amount": "100.00", "max_discount": "0.02"}
    paid = []
    for number in range(3):
        data = client.create(buy(merchant_order_no=f"A-{number}", **asked)).data
        assert data["requested_cny_amount"] == "100.00"
        paid.append(data["cny_amount"])
        found = client.query(order_no=data["order_no"]).data
        assert (found["cny_amount"], found["requested_cny_amount"]) == (paid[-1], "100.00")
    assert paid == ["100.00", "99.99", "99.98"]
    assert world.open_amounts(trader.trader_id) == {"bank:10000", "bank:9999", "bank:9998"}
    refused = client.create(buy(merchant_order_no="A-3", **asked))
    assert (refused.code, refused.data["nearby"]) == (2101, ["99.97", "100.01", "100.02", "100.03"])
    again = client.create(buy(merchant_order_no="A-1", **asked))
    assert (again.code, again.data["same"]) == (2001, True)


def test_nothing_changes_for_a_merchant_that_allows_no_discount(world: World) -> None:
    world.only_trader(unique_amounts=True)
    _, client = world.add_merchant()
    assert "requested_cny_amount" not in client.create(buy()).data
    refused = client.create(buy(merchant_order_no="A-2"))
    assert refused.code == 2101
    assert refused.data["nearby"] == ["999.98", "999.99", "1000.01", "1000.02"]


def test_an_amount_is_not_lowered_below_a_range(world: World) -> None:
    world.only_trader(unique_amounts=True, min_cny_fen=99_99)
    _, client = world.add_merchant(min_cny_fen=99_98)
    asked = {"cny_amount": "100.00", "max_discount": "1.00"}
    codes = [client.create(buy(merchant_order_no=f"A-{n}", **asked)).code for n in range(2)]
    refused = client.create(buy(merchant_order_no="A-2", **asked))
    assert [*codes, refused.code] == [1, 1, 2101]
    assert refused.data["nearby"] == ["100.01", "100.02", "100.03", "100.04"]


def test_nearby_is_missing_if_more_than_the_amount_is_in_the_way(world: World) -> None:
    world.only_trader(unique_amounts=True, max_open=1)
    _, client = world.add_merchant()
    assert client.create(buy()).code == 1
    refused = client.create(buy(merchant_order_no="A-2"))
    assert (refused.code, "nearby" in refused.data) == (2101, False)


def test_a_taken_amount_costs_one_read_more(world: World) -> None:
    world.clear_rotation()
    for _ in range(3):
        world.add_trader(unique_amounts=True)
    _, client = world.add_merchant()
    for _ in range(3):
        assert client.create(buy()).code == 1
    with world.requests("create_order") as requests:
        assert client.create(buy(merchant_order_no="A-2", max_discount="0.10")).code == 1
    assert requests == ["Query", "TransactWriteItems", "BatchGetItem", "TransactWriteItems"]


def test_under_an_agreement_a_taken_amount_is_refused_before_a_draft_is_held(world: World) -> None:
    world.only_trader(unique_amounts=True)
    _, client = world.add_merchant(identity_required=True)
    assert client.create(buy(**identity())).code == 1
    refused = client.create(buy(merchant_order_no="A-2"))
    assert (refused.code, len(refused.data["nearby"])) == (2101, 4)
    held = client.create(buy(merchant_order_no="A-2", max_discount="0.01"))
    assert held.data["result_status"] == "pending_identity"


@pytest.mark.parametrize("discount", ["-0.01", "1.01", "0.001", "x", True])
def test_a_discount_is_zero_to_one(world: World, discount: object) -> None:
    _, client = world.add_merchant()
    refused = client.create(buy(max_discount=discount))
    assert refused.code == 1002
    assert [field["field"] for field in refused.data["fields"]] == ["max_discount"]


@pytest.mark.parametrize("discount", ["0.00", "0", "1.00", 1, 0.5])
def test_a_discount_may_be_a_number_or_a_text(world: World, discount: object) -> None:
    world.only_trader()
    _, client = world.add_merchant()
    created = client.create(buy(max_discount=discount))
    assert (created.code, created.data["cny_amount"]) == (1, "1000.00")


def test_a_claim_that_read_before_a_late_payment_does_not_overlook_it(money: MoneyWorld) -> None:
    late = money.create(OrderType.BUY, FEN)
    do(money, late, [(Actor.CLOCK, Move.EXPIRE)])
    book: Any = money.create_ports.book
    commit = book.commit_buy

    def after_the_late_payment(*arguments: Any) -> None:
        book.commit_buy = commit
        do(money, late, [(Actor.OPERATOR, Move.DISPUTE)])
        commit(*arguments)

    book.commit_buy = after_the_late_payment
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)
    assert money.trader(1).counts.open_orders == 1


def test_the_option_begins_while_equal_buys_are_open(money: MoneyWorld) -> None:
    money.set_unique_amounts(1, unique=False)
    equal = [money.create(OrderType.BUY, FEN) for _ in range(3)]
    money.set_unique_amounts(1, unique=True)
    money.check()
    for number in equal:
        with pytest.raises(NoTraderAvailable):
            money.create(OrderType.BUY, FEN)
        do(money, number, [CANCEL])
    last = money.create(OrderType.BUY, FEN)
    money.check()
    money.set_unique_amounts(1, unique=False)
    money.create(OrderType.BUY, FEN)
    money.set_unique_amounts(1, unique=True)
    do(money, last, [CANCEL])
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)


def test_the_option_begins_while_a_sell_of_the_amount_is_open(money: MoneyWorld) -> None:
    money.set_unique_amounts(1, unique=False)
    do(money, money.create(OrderType.SELL, FEN), [(Actor.CLOCK, Move.ASSIGN)])
    money.set_unique_amounts(1, unique=True)
    money.check()
    assert money.create(OrderType.BUY, FEN)


@pytest.mark.parametrize("way", [None, [CANCEL], [PAY]])
def test_the_option_begins_with_the_orders_that_are_open_then(
    money: MoneyWorld, way: list[tuple[Actor, Move]] | None
) -> None:
    """Between the read and the write an order is created, ends, or moves."""
    money.set_unique_amounts(1, unique=False)
    first = money.create(OrderType.BUY, FEN)

    def meanwhile() -> None:
        if way is None:
            money.create(OrderType.BUY, FEN)
        else:
            do(money, first, way)

    money.before_change.then = meanwhile
    money.set_unique_amounts(1, unique=True)
    money.check()
    expected = {None: 2, CANCEL: 0, PAY: 1}[way[0] if way else None]
    records = money.seed.amounts(money.trader(1).trader_id).values()
    assert sum(len(record.open_orders) for record in records) == expected


def test_the_option_waits_for_an_index_that_lags(
    money: MoneyWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    money.set_unique_amounts(1, unique=False)
    money.create(OrderType.BUY, FEN)
    looks, paused = count(), list[int]()
    shown = money.register.open_orders
    operator = replace(money.operator, pause_ms=paused.append)
    monkeypatch.setattr(money, "command_ports", replace(money.command_ports, operator=operator))
    monkeypatch.setattr(
        money.register, "open_orders", lambda trader_id: shown(trader_id) if next(looks) else []
    )
    money.set_unique_amounts(1, unique=True)
    assert len([ms for ms in paused if ms > MAX_PAUSE_MS // 2]) == 1
    money.check()
    money.set_unique_amounts(1, unique=False)
    monkeypatch.setattr(money.register, "open_orders", lambda _: [])
    with pytest.raises(TryAgain):
        money.set_unique_amounts(1, unique=True)
    assert not money.trader(1).terms.unique_amounts


MANY_COUNTERS = {"max_open_buys": 5_000, "max_open_cny_fen": 10**9, "max_cny_fen": 10_000_00}


@pytest.mark.parametrize("terms", [{}, MANY_COUNTERS], ids=["one counter", "ten counters"])
def test_beyond_twenty_cancels_an_hour_an_amount_is_not_reserved(
    world: World, monkeypatch: pytest.MonkeyPatch, terms: dict[str, int]
) -> None:
    """One merchant's cycles of create and cancel keep no amount from another one."""
    at = time.time()
    monkeypatch.setattr(time, "time", lambda: at)
    world.only_trader(unique_amounts=True)
    (_, client), (_, other) = world.add_merchant(**terms), world.add_merchant()
    amounts = [f"{1000 + n}.00" for n in range(CANCELS_AN_HOUR + 2)]
    for amount in amounts:
        assert client.cancel(client.create(buy(cny_amount=amount))).code == 1
    codes = [other.create(buy(cny_amount=amount)).code for amount in amounts]
    assert codes == [2101] * CANCELS_AN_HOUR + [1, 1]
