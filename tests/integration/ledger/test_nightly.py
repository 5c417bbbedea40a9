"""The nightly check: in as many invocations as it takes, each from where the last one ended."""

import json
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.operator import runs
from orderdesk.adapters.dynamodb.operator.runs import RunStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.check_run import night_of
from tests.support.market import FundedBooks, funded_books
from tests.support.world import World

BEIJING_2AM = 1_900_000_800 - 1_900_000_800 % 86_400 + 18 * 3600


class Left:
    """Remaining milliseconds: enough for some questions, then too little."""

    def __init__(self, questions: int) -> None:
        self.left: Iterator[int] = chain(repeat(900_000, questions), repeat(1))

    def get_remaining_time_in_millis(self) -> int:
        return next(self.left)


@pytest.fixture
def books(world: World) -> FundedBooks:
    return funded_books(world)


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_night_is_read_in_parts_and_finished_once(
    books: FundedBooks, capsys: pytest.CaptureFixture[str]
) -> None:
    row: Any = books.world.get("Ledger", {"pk": books.key(), "sk": "balance"})
    key = {"pk": books.key(), "sk": "balance"}
    books.set("Ledger", key, "available_micro", row["available_micro"] + 5)
    capsys.readouterr()
    module = books.world.cold_start("check_ledger")
    answers: list[Any] = []
    while not answers or not answers[-1]:
        answers.append(module.handler({}, Left(4)))
        assert len(answers) < 100
    assert len(answers) > 10
    assert answers[-1] == {"unpaid_percent": 0, "findings": 1, "moving": 0, "finished": 1}
    logged = lines(capsys.readouterr().out)
    [finding] = [line for line in logged if line.get("message") == "finding"]
    assert (finding["level"], finding["kind"], finding["account"]) == (
        "ERROR",
        "balance",
        books.key(),
    )
    assert module.handler({}, Left(1000)) == {}


def test_a_malformed_item_is_a_metric_and_never_ends_the_night(
    books: FundedBooks, capsys: pytest.CaptureFixture[str]
) -> None:
    item: Item = {"pk": "B1", "kind": "order"}
    books.world.put("Orders", item)
    capsys.readouterr()
    module = books.world.cold_start("check_ledger")
    assert module.handler({}, Left(1000))["findings"] == 1
    [metric] = [line for line in lines(capsys.readouterr().out) if "_aws" in line]
    assert (metric["ledger_findings"], metric["ledger_finished"]) == ([1], [1])


def test_a_night_begins_at_two_in_beijing() -> None:
    before, after = night_of(BEIJING_2AM - 1), night_of(BEIJING_2AM)
    assert before != after
    assert night_of(BEIJING_2AM + 86_399) == after


def test_of_two_parts_at_the_same_time_one_is_stored(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "PIECE_BYTES", 100)
    now = [10**9]
    store = RunStore(world.client, "Guards", "nightly", SystemChance(), lambda: now[0])
    assert store.load("r") is None
    first, second = bytes(range(251)), b"2" * 99
    store.save("r", first, 0)
    with pytest.raises(ChangedMeanwhile):
        store.save("r", first, 0)
    assert store.load("r") == (first, 1)
    store.save("r", second, 1)
    with pytest.raises(ChangedMeanwhile):
        store.save("r", first, 1)
    assert store.load("r") == (second, 2)
    other = RunStore(world.client, "Guards", "report.day#x", SystemChance(), lambda: now[0])
    assert other.load("r") is None, "a run of another scope"
    now[0] += runs.LIFE_SECONDS + 1
    assert store.load("r") is None
