"""A seeded run of mixed orders in which attacks are hidden: each is found, and nothing else is."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.ledger.seals import FindingKind
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from tests.integration.ledger.test_sealing import SealedWorld, backdated
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld, Step

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
