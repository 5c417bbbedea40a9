"""`ledger.check` on sealed books: what it finds between seals, and what it costs (section 13)."""

from collections.abc import Callable
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
from orderdesk.domain.ledger.day_report import day_of
from orderdesk.domain.ledger.sealing import DRIFTS_MIN
from orderdesk.domain.ledger.seals import FindingKind
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import date_in_china
from orderdesk.services.ledger import check
from orderdesk.services.ledger.check import READINGS_MAX, OpenBooks, check_books
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.books import report_of_day
from tests.integration.ledger.test_sealing import SealedWorld
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


def move_while_read(monkeypatch: pytest.MonkeyPatch, moves: list[Callable[[], object]]) -> None:
    """Make one of the moves that are left at the beginning of each reading of the balances."""
    read = DynamoBooks.balances

    def balances(books: DynamoBooks, keys: Any) -> Any:
        if moves:
            moves.pop()()
        return read(books, keys)

    monkeypatch.setattr(DynamoBooks, "balances", balances)


def create(world: SealedWorld, kind: OrderType) -> Callable[[], object]:
    return lambda: world.money.create(kind, 100_00)


def complete(world: SealedWorld, kind: OrderType) -> Callable[[], object]:
    """Create an order and complete it."""
    return lambda: world.money.completed(kind, 100_00)


def cancel(world: SealedWorld, kind: OrderType) -> Callable[[], object]:
    """Cancel an order that is open before."""
    number = world.money.create(kind, 100_00)
    return lambda: world.money.do(Step(number, Actor.MERCHANT, Move.CANCEL))


def reopen(world: SealedWorld, _: OrderType) -> Callable[[], object]:
    """Dispute a cancelled buy."""
    number = world.money.create(OrderType.BUY, 100_00)
    world.money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
    return lambda: world.money.do(Step(number, Actor.OPERATOR, Move.DISPUTE))


KINDS = pytest.mark.parametrize("kind", OrderType)
MOVING = pytest.mark.parametrize("moving", [create, complete, cancel, reopen])
type Moving = Callable[[SealedWorld, OrderType], Callable[[], object]]


@KINDS
@MOVING
def test_money_that_moves_alike_in_each_reading_is_no_finding(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch, moving: Moving, kind: OrderType
) -> None:
    sealed(world, 1)
    moves = [moving(world, kind) for _ in range(3 * READINGS_MAX)]
    move_while_read(monkeypatch, moves)
    assert checked(world).findings == []
    assert len(moves) < 3 * READINGS_MAX


@KINDS
@MOVING
def test_counters_that_move_alike_while_each_seal_is_made_are_no_finding(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch, moving: Moving, kind: OrderType
) -> None:
    moves = list[Callable[[], object]]()
    move_while_read(monkeypatch, moves)
    for _ in range(DRIFTS_MIN + 1):
        world.trade()
        world.next_window()
        moves.append(moving(world, kind))
        assert world.sealer.found() == []
        assert moves == []


def test_a_counter_that_differs_while_others_move_is_named(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(world, 1)
    row = world.balance()
    world.change("Ledger", {"pk": world.key, "sk": "balance"}, open_sells=row["open_sells"] + 5)
    move_while_read(monkeypatch, [create(world, OrderType.BUY) for _ in range(READINGS_MAX)])
    assert kinds(checked(world)) == [FindingKind.OPEN_SELLS]


@pytest.mark.parametrize(
    "find", [lambda world: checked(world).findings, lambda world: world.sealer.found()]
)
def test_an_order_that_the_index_shows_late_is_no_finding(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch, find: Callable[[SealedWorld], Any]
) -> None:
    sealed(world, 1)
    late = {world.money.create(OrderType.BUY, 100_00), world.money.completed(OrderType.SELL)}
    world.next_window()
    read, looks = DynamoBooks.created, list[int]()

    def created(books: DynamoBooks, start: int, end: int) -> Any:
        looks.append(start)
        return set(read(books, start, end)) - (late if len(looks) == 1 else set())

    monkeypatch.setattr(DynamoBooks, "created", created)
    assert find(world) == []
    assert len(looks) > 1


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
