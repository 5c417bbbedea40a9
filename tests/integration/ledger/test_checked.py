"""`ledger.check` on sealed books: what it finds between seals, and what it costs (section 13)."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.ledger.day_report import day_of
from orderdesk.domain.ledger.findings import FindingKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import date_in_china
from orderdesk.services.ledger import check
from orderdesk.services.ledger.check import OpenBooks, check_books
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.books import report_of_day
from tests.integration.ledger.test_sealing import SealedWorld, backdated
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld, Step


@pytest.fixture
def world(money: MoneyWorld) -> SealedWorld:
    return SealedWorld(money)


def sealed(world: SealedWorld, windows: int) -> None:
    """Trade in so many windows, and seal each."""
    for _ in range(windows):
        world.trade()
        world.next_window()
        assert world.sealer.found() == []


def checked(world: SealedWorld) -> OpenBooks:
    return check_books(world.sealer.ports, lambda _: None)


def kinds(books: OpenBooks) -> list[FindingKind]:
    return [each.finding.kind for each in books.findings]


def requests_of(world: SealedWorld, read: Callable[[SealedWorld], object]) -> int:
    """Count the requests of a read."""
    calls: list[Any] = []

    def add(**said: Any) -> None:
        calls.append(said)

    events = world.money.seed.client.meta.events
    events.register("before-call.dynamodb", add)
    try:
        read(world)
    finally:
        events.unregister("before-call.dynamodb", add)
    return len(calls)


def test_open_orders_of_now_are_no_finding(world: SealedWorld) -> None:
    sealed(world, 2)
    world.trade()
    assert checked(world).findings == []


def test_a_posting_that_was_deleted_after_its_seal_is_named(world: SealedWorld) -> None:
    sealed(world, 2)
    row = world.postings(world.key)[-1]
    world.money.seed.client.delete_item(
        TableName="Ledger", Key=to_item({"pk": row["pk"], "sk": row["sk"]})
    )
    assert kinds(checked(world)) == [FindingKind.ORDER_WITHOUT_POSTING]
    assert checked(world).sealed == frozenset()


def test_the_check_begins_before_the_newest_seal_in_a_busy_hour(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(world, 4)
    newest = world.sealer.seals.newest_first(limit=2)
    monkeypatch.setattr(check, "POSTINGS_MAX", newest[0].postings - newest[1].postings)
    row = world.postings(world.key)[-1]
    world.money.seed.client.delete_item(
        TableName="Ledger", Key=to_item({"pk": row["pk"], "sk": row["sk"]})
    )
    assert kinds(checked(world)) == [FindingKind.ORDER_WITHOUT_POSTING]


def test_the_check_asks_once_for_the_seals_of_a_day(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(world, 2)
    monkeypatch.setattr(check, "POSTINGS_MAX", 1)
    newest_first, asked = world.sealer.seals.newest_first, list[int]()

    def counted(before: int | None = None, limit: int = 1) -> Any:
        asked.append(limit)
        return newest_first(before, limit)

    monkeypatch.setattr(world.sealer.seals, "newest_first", counted)
    assert checked(world).findings == []
    assert asked == [check.SEALS_MAX]


def test_both_forged_sums_are_named_at_once(world: SealedWorld) -> None:
    sealed(world, 1)
    row = world.balance()
    changed = {"available_micro": 7, "a0": 3, "a1": 4}
    values = {name: row.get(name, 0) + micro for name, micro in changed.items()}
    world.change("Ledger", {"pk": world.key, "sk": "balance"}, **values)
    found = checked(world).findings
    assert [(each.finding.kind, each.finding.delta) for each in found] == [
        (FindingKind.BALANCE, delta) for delta in (each.finding.delta for each in found)
    ]
    assert {each.finding.delta for each in found} == {3, 4}


def test_money_that_moves_while_it_is_read_is_no_finding(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(world, 1)
    read, moved = DynamoBooks.balances, list[str]()

    def balances(books: DynamoBooks, keys: Any) -> Any:
        if len(moved) < check.READINGS_MAX:
            moved.append(world.money.create(OrderType.SELL, 100_00 + len(moved)))
        return read(books, keys)

    monkeypatch.setattr(DynamoBooks, "balances", balances)
    assert checked(world).findings == []
    assert len(moved) > 1, "it was read again"


def reported(world: SealedWorld) -> None:
    day = day_of(date_in_china(world.money.now))
    assert report_of_day(world.sealer.ports, lambda _: None, day).differences() == []


def stated(world: SealedWorld) -> None:
    """Read the last page of a merchant's statement of the last hour, with its balances."""
    client, table = world.money.seed.client, world.money.seed.tables.ledger
    postings, now = LedgerStatement(client, table), world.money.now
    span = Span(now - 3600)
    merchant_id = world.money.merchants[0].merchant_id
    position = first_position(postings, merchant_id, Mode.LIVE, span)
    statement(postings, merchant_id, Mode.LIVE, span, position, limit=100, now=now)


def whole(world: SealedWorld) -> None:
    assert checked(world).findings == []


@pytest.mark.parametrize("read", [whole, reported, stated])
def test_a_read_costs_the_same_at_any_age(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch, read: Callable[[SealedWorld], object]
) -> None:
    monkeypatch.setattr(check, "POSTINGS_MAX", 6)
    sealed(world, 3)
    young = requests_of(world, read)
    sealed(world, 9)
    old = requests_of(world, read)
    assert old <= young + 2, "the open buys of the windows between are read"
    if read is stated:
        assert old <= 20


ORDERS = 10_000
WINDOW_ORDERS = 12
FUNDED_MICRO = 40_000 * 10**6
STEPS: list[tuple[Actor, Move]] = [
    (Actor.PAYER, Move.PAY),
    (Actor.TRADER, Move.CONFIRM),
    (Actor.OPERATOR, Move.DISPUTE),
    (Actor.OPERATOR, Move.RESOLVE_COMPLETED),
    (Actor.OPERATOR, Move.RESOLVE_CANCELLED),
    (Actor.MERCHANT, Move.CANCEL),
]
P, C, D, RC, RX, X = STEPS
WAYS = {
    OrderType.BUY: [[P, C], [P, C], [P, C], [P, D, RC], [P, D, RX], [X]],
    OrderType.SELL: [[C], [C], [C], [X], [D, RC]],
}
type Found = set[tuple[FindingKind, str]]


class Run(SealedWorld):
    """Mixed orders of a merchant; some end a window or two after they were created.

    `kept` is one that was open in the last seal, and stays open in the window.
    """

    def __init__(self, money: MoneyWorld, chance: Random) -> None:
        super().__init__(money)
        self.chance, self.made, self.kept = chance, 0, ""
        self._left: deque[tuple[str, list[tuple[Actor, Move]]]] = deque()
        money.merchants[0] = money.seed.change_merchant(money.merchants[0], max_open_sells=1_000)
        self.live = next(t.trader_id for t in money.traders if t.mode is Mode.LIVE)

    def trade(self) -> tuple[str, str, str]:
        raise AssertionError("orders are made by `window`")

    def fund(self) -> None:
        """Fund the merchant and the traders as operators do."""
        self.money.fund(
            AccountKind.MERCHANT, self.money.merchants[0].merchant_id, Mode.LIVE, FUNDED_MICRO
        )
        for trader in self.money.traders:
            if trader.mode is Mode.LIVE:
                self.money.fund(AccountKind.TRADER, trader.trader_id, Mode.LIVE, FUNDED_MICRO)

    def order(self) -> str:
        """Create an order; end it now, or later as one of a few open ones."""
        money, chance = self.money, self.chance
        side = chance.choice(list(OrderType))
        number = money.create(side, chance.randrange(100_00, 500_00))
        way = chance.choice(WAYS[side])
        if side is OrderType.SELL and way != [X]:
            money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, self.live))
            money.prove(number, self.live)
        self.made += 1
        if side is OrderType.BUY:  # what is not paid expires
            self._end(number, way[:1])
            way = way[1:]
        self._left.append((number, way))
        if len(self._left) > chance.randrange(8):
            self._end(*self._left.popleft())
        return number

    def _end(self, number: str, way: list[tuple[Actor, Move]]) -> None:
        for actor, move in way:
            trader = self.money.order(number).trader_id if actor is Actor.TRADER else None
            self.money.do(Step(number, actor, move, trader))

    def completed(self) -> str:
        """Complete one more buy."""
        number = self.money.create(OrderType.BUY, 200_00)
        self._end(number, [P, C])
        return number

    def window(self, attack: Callable[["Run"], Found] | None = None) -> Found:
        """Trade for a window with an attack hidden in it; return what the attack must show."""
        expected: Found = set()
        at = self.chance.randrange(WINDOW_ORDERS)
        kept = self._left.popleft() if self._left else None
        self.kept = kept[0] if kept else ""
        for number in range(WINDOW_ORDERS):
            if number == at and attack is not None:
                expected = attack(self)
            self.order()
            self.money.now += 1
        self._left.extendleft([kept] if kept else [])
        self.next_window()
        return expected

    def sealed(self) -> Found:
        """Make the seal that is due, and return what is new in it."""
        return {(each.kind, each.account or each.key) for each in self.sealer.found()}

    def own(self, **added: int) -> dict[str, int]:
        """Return the merchant's balance with something added."""
        row = self.balance()
        return {name: row.get(name, 0) + micro for name, micro in added.items()}

    def set_balance(self, **added: int) -> None:
        self.change("Ledger", {"pk": self.key, "sk": "balance"}, **self.own(**added))

    @property
    def parity(self) -> int:
        return self.money.now // 900 % 2


def forged_balance(run: Run) -> Found:
    run.set_balance(available_micro=5)
    return {(FindingKind.BALANCE, run.key)}


def forged_sum(run: Run) -> Found:
    run.set_balance(**{"available_micro": 11, f"a{1 - run.parity}": 11})
    return {(FindingKind.BALANCE, run.key)}


def changed_price(run: Run) -> Found:
    """Change the rate of an order that was open when it was sealed."""
    row: Any = run.money.seed.get("Orders", {"pk": run.kept})
    run.change("Orders", {"pk": run.kept}, base_rate_e4=row["base_rate_e4"] + 1)
    return {(FindingKind.CHANGED_PRICE, run.key)}


def held_made_available(run: Run) -> Found:
    run.money.create(OrderType.SELL, 100_00)  # stays open, so that what is held covers the others
    sums = {f"a{run.parity}": 5, f"h{run.parity}": -5}
    run.set_balance(available_micro=5, held_micro=-5, **sums)
    return {(FindingKind.BALANCE, run.key), (FindingKind.HELD, run.key)}


def deleted_posting(run: Run) -> Found:
    number = run.completed()
    [row] = [row for row in run.postings(run.key) if row["transfer_id"] == number]
    run.money.seed.client.delete_item(
        TableName="Ledger", Key=to_item({"pk": row["pk"], "sk": row["sk"]})
    )
    return {(FindingKind.ORDER_WITHOUT_POSTING, run.key)}


def undecided_posting(run: Run) -> Found:
    backdated(run, run.money.now, 5)
    return {(FindingKind.POSTING_WITHOUT_DECISION, run.key)}


def backdated_with_balance(run: Run) -> Found:
    at = run.sealer.end - 60
    backdated(run, at, 5)
    run.set_balance(**{"available_micro": 5, f"a{at // 900 % 2}": 5})
    return {(FindingKind.BALANCE, run.key)}


def wrong_price(run: Run) -> Found:
    number = run.money.create(OrderType.BUY, 200_00)
    row: Any = run.money.seed.get("Orders", {"pk": number})
    changed = {"service_micro": -7, "merchant_micro": 7, "merchant_actual_micro": 7}
    values = {name: row[name] + micro for name, micro in changed.items()}
    run.change("Orders", {"pk": number}, **values)
    run._end(number, [P, C])
    return {(FindingKind.PRICE, run.key)}


def deleted_order(run: Run) -> Found:
    """Delete a completed order: four accounts have postings and changes without a reason."""
    number = run.completed()
    key = to_item({"pk": number})
    accounts = [f"{kind}:{run.key.split(':')[1]}:live" for kind in ("merchant", "deposit", "fee")]
    accounts.append(f"trader:{run.money.order(number).trader_id}:live")
    run.money.seed.client.delete_item(TableName="Orders", Key=key)
    kinds = (FindingKind.POSTING_WITHOUT_ORDER, FindingKind.BALANCE)
    return {(kind, account) for kind in kinds for account in accounts}


ATTACKS: list[Callable[[Run], Found]] = [
    *(
        forged_balance,
        forged_sum,
        changed_price,
        held_made_available,
        deleted_posting,
        undecided_posting,
    ),
    *(backdated_with_balance, wrong_price, deleted_order),
]
"""Each leaves the books as it made them, so a sum that two of them change differs by their sum."""


@pytest.mark.deep
def test_each_hidden_attack_is_found_and_nothing_else(money: MoneyWorld) -> None:
    """An attack is found by the next seal, or by the one after it; a few windows are between."""
    run = Run(money, Random(21))
    windows = examples(budget=500, full=2_000, search=ORDERS) // WINDOW_ORDERS
    apart = windows // (len(ATTACKS) + 1)
    hidden = {apart * number: attack for number, attack in enumerate(ATTACKS, 1)}
    expected: Found = set()
    found: Found = set()
    for number in range(windows):
        if number % 20 == 0:
            run.fund()
        expected |= run.window(hidden.get(number))
        found |= run.sealed()
        if number - 1 in hidden or number not in hidden:
            assert found == expected, (number, hidden.get(number - 1))
            found, expected = set(), set()
