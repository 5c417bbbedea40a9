"""The harness finds a fault of each kind, and names a schedule that shows it again."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from orderdesk.adapters import sending
from orderdesk.adapters.dynamodb import transactions
from orderdesk.adapters.dynamodb.orders import creation as creations
from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore, reservation_write
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.errors import ChangedMeanwhile, Throttled
from orderdesk.domain.orders.moves import OrderChange
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ports import NewBuy, Nonce
from tests.integration.races.calls import creation, off_duty
from tests.support.money_world import MoneyWorld, Step
from tests.support.schedule import Cases, Check, Fault, Outcomes, ScheduleFailed, Stage

BUY = OrderType.BUY


def drop_the_condition(patch: pytest.MonkeyPatch, money: MoneyWorld) -> None:
    """Write an order whatever its version is."""
    change = Write.change

    def unconditional(*arguments: Any) -> Write:
        update = {**change(*arguments).action["Update"]}
        del update["ConditionExpression"], update["ExpressionAttributeValues"][":version_before"]
        return Write({"Update": update}, transactions.never("no condition"))

    patch.setattr(Write, "change", unconditional)


def use_a_read_after_a_wait(patch: pytest.MonkeyPatch, money: MoneyWorld) -> None:
    """Repeat a lost commit with the new version, but with what was decided before."""
    store, commit = money.store, money.store.commit

    def stubborn(change: OrderChange, token: str) -> None:
        try:
            commit(change, token)
        except ChangedMeanwhile:
            now = money.order(change.before.order_no)
            before = replace(change.before, version=now.version)
            after = replace(change.after, version=now.version + 1)
            commit(replace(change, before=before, after=after), f"{token}x")

    patch.setattr(store, "commit", stubborn)


def take_an_answer_for_lost(patch: pytest.MonkeyPatch, money: MoneyWorld) -> None:
    """Treat a request without an answer as one that had no effect."""

    def hasty[T](send: Callable[[], T]) -> T:
        try:
            return send()
        except sending.UNANSWERED:
            raise Throttled from None

    patch.setattr(transactions, "persistently", hasty)


def reserve_too_late(patch: pytest.MonkeyPatch, money: MoneyWorld) -> None:
    """Write the order first, and its merchant_order_no in a transaction of its own."""
    patch.setattr(creations, "reservation_write", creations.ending_write)

    def late(self: NewOrderStore, buy: NewBuy, nonce: Nonce | None, token: str) -> None:
        guards: Sequence[Write] = self._guards(buy.order, nonce)
        writes = [*guards, *creations.buy_writes(self._tables, buy)]
        transact(self._client, writes, token)
        reservation = reservation_write(self._tables.orders, buy.order)
        transact(self._client, [reservation], f"{token}x")

    patch.setattr(NewOrderStore, "commit_buy", late)


def two_moves(money: MoneyWorld) -> Cases:
    off_duty(money, 1)  # so that the order has no unique amount
    number = money.create(BUY, 1000_00)
    trader_id = money.order(number).trader_id
    return {
        "confirm": partial(money.do, Step(number, Actor.TRADER, Move.CONFIRM, trader_id)),
        "cancel": partial(money.do, Step(number, Actor.MERCHANT, Move.CANCEL)),
    }


def one_buy(money: MoneyWorld) -> Cases:
    return {"buy": creation(money, BUY)}


def two_of_a_number(money: MoneyWorld) -> Cases:
    return {name: creation(money, BUY, number="ONE") for name in ("a", "b")}


FAULTS = {
    "a dropped condition": (drop_the_condition, two_moves),
    "a read used after a wait": (use_a_read_after_a_wait, two_moves),
    "an answer taken for lost": (take_an_answer_for_lost, one_buy),
    "a number reserved too late": (reserve_too_late, two_of_a_number),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_it_is_found_and_named(
    money: MoneyWorld, stage: Stage, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    seed, prepare = FAULTS[kind]
    cases = prepare(money)
    before = len(money.seed.items(money.seed.tables.orders, "order"))
    one_of = len(cases) if prepare is two_moves else 0

    def check(outcomes: Outcomes) -> None:
        made = len(money.seed.items(money.seed.tables.orders, "order")) - before
        assert made == (0 if one_of else 1)
        refused = [each for each in outcomes.values() if isinstance(each, Exception)]
        assert len(refused) == len(cases) - 1
        money.check()

    def search(check: Check) -> None:
        if len(cases) > 1:
            stage.every_order(lambda: cases, check)
        else:
            stage.every_fault(lambda: cases, check, [Fault.LOST])

    search(check)
    with monkeypatch.context() as patch:
        seed(patch, money)
        with pytest.raises(ScheduleFailed) as failed:
            search(check)
        [schedule] = re.findall("SCHEDULE='(.*)'", str(failed.value))
        with pytest.raises(ScheduleFailed):
            stage.follow(schedule, lambda: cases, check)


def test_a_schedule_is_run_alone(
    money: MoneyWorld, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As SCHEDULE='…' does, from the text of a failure."""
    cases = two_moves(money)
    ends = list[Outcomes]()
    monkeypatch.setenv("SCHEDULE", "confirm cancel cancel confirm!lost")
    stage.every_order(lambda: cases, ends.append)
    [end] = ends
    assert isinstance(end["confirm"], Exception)
    assert not isinstance(end["cancel"], Exception)
