"""Sealed days are proved again, and tables scanned: what no seal finds (contract section 13)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan
from orderdesk.domain.ledger.seals import Finding, FindingKind, day_end
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.ledger import reprove
from orderdesk.services.ledger.reprove import Reproved, ReprovePorts, prove_a_day, scan_tables
from tests.integration.ledger.test_sealing import SealedWorld, backdated
from tests.support.chance import SeededChance
from tests.support.money_world import MoneyWorld, Step
from tests.support.sealing import sealable

DAYS, DAY = 4, 86_400
ALWAYS: Callable[[], bool] = lambda: True  # noqa: E731 a name for the common case


@dataclass
class Old:
    """A money world with some sealed days, each with trade; `days` are their ends."""

    world: SealedWorld
    days: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        world, money = self.world, self.world.money
        world.next_window()
        world.sealer.seal()
        for _ in range(DAYS):
            _, sold, _ = world.trade()
            money.do(Step(sold, Actor.MERCHANT, Move.CANCEL))
            money.now = sealable(day_end(money.now) - 1)
            while world.sealer.end < day_end(money.now) - DAY:
                assert world.sealer.found() == []
            self.days.append(world.sealer.end)

    def ports(self, seed: int = 0) -> ReprovePorts:
        seeded, tables = self.world.money.seed, self.world.money.seed.tables
        scan, sealer = DynamoLedgerScan(seeded.client, tables), self.world.sealer
        chance = SeededChance(Random(seed))
        return ReprovePorts(sealer.ports.books, sealer.seals, scan, chance, threads=1)

    def prove_all(self) -> list[Reproved]:
        """Prove days until each was proved once."""
        proved: dict[int | None, Reproved] = {}
        for seed in range(100):
            one = prove_a_day(self.ports(seed), ALWAYS)
            proved[one.end] = one
            if proved.keys() >= {*self.days}:
                break
        assert [*sorted(end for end in proved if end is not None)] == self.days
        return [proved[end] for end in self.days]

    def found(self) -> list[tuple[int, Finding]]:
        """Return the findings of all days, each with its day."""
        all_days = self.prove_all()
        return [(one.end or 0, each) for one in all_days for each in one.findings]


@pytest.fixture
def old(money: MoneyWorld, monkeypatch: pytest.MonkeyPatch) -> Old:
    monkeypatch.setattr(reprove, "SEGMENTS", 3)
    return Old(SealedWorld(money))


def test_honest_days_are_proved_whole(old: Old) -> None:
    all_days = old.prove_all()
    assert [one.findings for one in all_days] == [[]] * DAYS
    assert all(one.accounts > 5 for one in all_days)
    assert scan_tables(old.ports(), ALWAYS) == []


def test_a_backdated_posting_without_its_balance_is_named(old: Old) -> None:
    world, day = old.world, old.days[1]
    backdated(world, day - 7200, 5)
    for _ in range(2):
        world.next_window()
        assert world.sealer.found() == [], "no seal reads a sealed window again"
    found = old.found()
    assert [(end, each.kind, each.account) for end, each in found] == [
        (day, FindingKind.CHANGED_DAY, world.key)
    ]
    assert found[0][1].delta == 5


@pytest.mark.parametrize("changed", [{"memo": "x"}, {"amount_micro": 7}, {}])
def test_a_posting_that_was_changed_later_is_named(old: Old, changed: dict[str, Value]) -> None:
    world = old.world
    row = next(r for r in world.postings(world.key) if r["at_us"] // 10**6 > old.days[0])
    key = {"pk": row["pk"], "sk": row["sk"]}
    if changed:
        world.change("Ledger", key, **changed)
    else:
        world.money.seed.client.delete_item(TableName="Ledger", Key=to_item(dict(key)))
    found = old.found()
    assert [(end, each.kind, each.account) for end, each in found] == [
        (old.days[1], FindingKind.CHANGED_DAY, world.key)
    ]


def test_a_busy_account_is_read_in_parts(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reprove, "AT_ONCE", 1)
    assert [one.findings for one in old.prove_all()] == [[]] * DAYS


def test_a_run_without_time_proves_a_part(old: Old) -> None:
    """Runs begin at any account, so each has its turn."""
    backdated(old.world, old.days[1] - 7200, 5)
    times: list[bool] = []

    def once() -> bool:
        times.append(not times)
        return times[-1]

    runs = []
    for seed in range(200):
        times.clear()
        runs.append(prove_a_day(old.ports(seed), once))
    assert {one.accounts for one in runs} == {1}
    assert 0 < sum(len(one.findings) for one in runs) < 50
    assert scan_tables(old.ports(), lambda: False) == []


MALFORMED: list[tuple[str, Item, str]] = [
    ("Orders", {"pk": "D1", "kind": "draft"}, "orders: D1"),
    ("Orders", {"pk": "notes#B1", "kind": "notes", "notes": 5}, "orders: notes#B1"),
    ("Orders", {"pk": "number#m#1", "kind": "reservation", "order_no": 5}, "orders: number#m#1"),
    ("Orders", {"pk": "x", "kind": "gift"}, "orders: x"),
    ("Orders", {"pk": "y"}, "orders: y"),
    ("Ledger", {"pk": "gifts", "sk": "1"}, "ledger: gifts 1"),
    ("Ledger", {"pk": "addresses#m", "sk": "book", "entries": 5}, "ledger: addresses#m book"),
]


def test_a_run_without_time_reads_a_part_of_each_table(old: Old) -> None:
    for table, item, _ in MALFORMED:
        old.world.money.seed.put(table, item)
    found = set[str]()
    for seed in range(20):
        times = iter([True, True])
        found |= {each.key for each in scan_tables(old.ports(seed), lambda: next(times, False))}  # noqa: B023
    assert found == {key for *_, key in MALFORMED}


def test_malformed_items_that_no_seal_reads_are_named(old: Old) -> None:
    for table, item, _ in MALFORMED:
        old.world.money.seed.put(table, item)
    old.world.next_window()
    assert old.world.sealer.found() == []
    found = scan_tables(old.ports(), ALWAYS)
    assert {each.kind for each in found} == {FindingKind.MALFORMED}
    assert sorted(each.key for each in found) == sorted(key for *_, key in MALFORMED)


def test_a_balance_of_an_account_that_nobody_knows_is_named(old: Old) -> None:
    for key in ("merchant:nobody:live", "merchant#x", "fee:nobody:test"):
        item: Item = {"pk": key, "sk": "balance", "available_micro": 7, "held_micro": 0}
        old.world.money.seed.put("Ledger", item)
    found = scan_tables(old.ports(), ALWAYS)
    assert {each.kind for each in found} == {FindingKind.UNKNOWN_ACCOUNT}
    assert [each.actual for each in found] == [7, 7, 7]


def test_what_a_seal_has_is_not_named_again(old: Old) -> None:
    *_, number = old.world.trade()
    old.world.change("Orders", {"pk": number}, cny_fen="5")
    assert scan_tables(old.ports(), ALWAYS)
    old.world.next_window()
    assert FindingKind.MALFORMED in {each.kind for each in old.world.sealer.found()}
    assert scan_tables(old.ports(), ALWAYS) == []


def test_books_without_a_whole_day_have_nothing_to_prove(money: MoneyWorld) -> None:
    world = SealedWorld(money)
    unsealed = ReprovePorts(
        world.sealer.ports.books,
        world.sealer.seals,
        DynamoLedgerScan(money.seed.client, money.seed.tables),
        SeededChance(Random(0)),
    )
    assert prove_a_day(unsealed, ALWAYS) == Reproved(None, 0, ())
    world.next_window()
    world.sealer.seal()
    assert prove_a_day(unsealed, ALWAYS).end is None
