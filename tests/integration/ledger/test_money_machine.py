"""The books under any interleaving of orders, moves, actors, kills and clock."""

from contextlib import ExitStack
from itertools import count
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.integration.ledger.money_machine import MoneyMachine
from tests.support.chance import SeededChance
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld
from tests.support.order_table import CASES
from tests.support.world import open_world


class Machine(MoneyMachine):
    def __init__(self) -> None:
        self.opened = ExitStack()
        world, names = self.opened.enter_context(open_world()), count(1)
        # Merchants and traders have the same names in each run.
        world.new_name = lambda: f"{next(names):012x}"  # type: ignore[method-assign]
        super().__init__(lambda: MoneyWorld(world, SeededChance(Random(0))))

    def teardown(self) -> None:
        self.opened.close()


@pytest.mark.deep
def test_the_books_under_any_interleaving() -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples(full=60),
            stateful_step_count=examples(budget=20, full=45),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert {case[:5] for case in CASES} >= Machine.seen


def test_every_row_of_the_table_on_the_same_books() -> None:
    """What examples rarely draw is here for sure: each row, one after another, and then sealed."""

    class Walks(Machine):
        seen: ClassVar[set[Any]] = set()

    machine = Walks()
    try:
        for case in CASES:
            machine.walk(case)
            machine.the_books_are_right()
        machine.wait_and_sweep(86_400)
    finally:
        machine.teardown()
    assert {case[:5] for case in CASES} == Walks.seen
