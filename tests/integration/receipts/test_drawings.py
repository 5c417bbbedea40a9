"""Which files are decoded: each once, ten of an uploader, two of a merchant at a time."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.drawings import CLAIM_SECONDS, DrawingStore
from orderdesk.adapters.dynamodb.keys import drawings_key
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.orders.render_receipt import (
    Answer,
    ClaimPorts,
    DrawingBusy,
    DrawingClaim,
    DrawingTask,
    once,
)
from tests.support.chance import SeededChance
from tests.support.world import World

MOST = 3
NOW_MS = 1_767_225_600_000
LATER_MS = NOW_MS + CLAIM_SECONDS * 1000 + 1
DRAWN: Answer = {"key": "k"}


@pytest.fixture
def store(world: World) -> DrawingStore:
    return DrawingStore(world.client, world.tables.guards)


def task(file: str, order_no: str = "B1", merchant_id: str = "m1") -> DrawingTask:
    return DrawingTask(f"{order_no}#payer", merchant_id, file)


def claimed(store: DrawingStore, asked: DrawingTask, now_ms: int = NOW_MS) -> DrawingClaim:
    claim = store.claim(asked, MOST, now_ms, SeededChance(Random(now_ms)).token())
    assert isinstance(claim, DrawingClaim)
    return claim


def test_a_file_is_decoded_once_and_its_answer_is_stored(store: DrawingStore) -> None:
    claim = claimed(store, task("a"))
    with pytest.raises(DrawingBusy):
        claimed(store, task("a"))
    store.finish(claim, DRAWN, "t1")
    assert store.claim(task("a"), MOST, LATER_MS, "t2") == DRAWN


def test_two_files_of_a_merchant_are_decoded_at_once(store: DrawingStore) -> None:
    first = claimed(store, task("a"))
    claimed(store, task("b", "B2"))
    with pytest.raises(DrawingBusy):
        claimed(store, task("c", "B3"))
    claimed(store, task("c", "B4", "m2"))
    store.finish(first, DRAWN, "t1")
    claimed(store, task("c", "B3"))


def test_a_file_that_finds_no_place_is_not_counted(store: DrawingStore, world: World) -> None:
    for file in "ab":
        claimed(store, task(file))
    for _ in range(MOST):
        with pytest.raises(DrawingBusy):
            claimed(store, task("c"))
    item: Any = world.get(world.tables.guards, {"pk": drawings_key("B1#payer")})
    assert item["drawings"] == 2


def test_an_uploader_is_refused_beyond_its_files(store: DrawingStore) -> None:
    for number in range(MOST):
        store.finish(claimed(store, task(f"{number}")), {"problem": "damaged"}, f"t{number}")
    with pytest.raises(UnfitReceipt) as refused:
        claimed(store, task("more"))
    assert refused.value.problem is ReceiptProblem.TRIED_OFTEN
    assert store.claim(task("0"), MOST, NOW_MS, "t") == {"problem": "damaged"}
    claimed(store, task("more", "B2"))


def test_the_claim_of_a_process_that_ended_runs_out(store: DrawingStore) -> None:
    lost = claimed(store, task("a"))
    again = claimed(store, task("a"), LATER_MS)
    store.finish(lost, {"problem": "damaged"}, "t1")
    with pytest.raises(DrawingBusy):
        claimed(store, task("a"), LATER_MS)
    store.finish(again, DRAWN, "t2")
    assert store.claim(task("a"), MOST, LATER_MS, "t3") == DRAWN


def ports(store: DrawingStore) -> ClaimPorts:
    return ClaimPorts(store, SeededChance(Random(1)), lambda: NOW_MS, lambda _: None)


def refusing(problem: ReceiptProblem) -> Callable[[], Answer]:
    def work() -> Answer:
        raise UnfitReceipt(problem)

    return work


def test_a_refusal_is_an_answer(store: DrawingStore) -> None:
    for work in (refusing(ReceiptProblem.DAMAGED), lambda: DRAWN):
        with pytest.raises(UnfitReceipt) as refused:
            once(task("a"), work, ports(store))
        assert refused.value.problem is ReceiptProblem.DAMAGED


def test_a_failure_is_no_answer_and_frees_the_place(store: DrawingStore) -> None:
    def failing() -> Answer:
        raise TryAgain

    for _ in range(MOST - 1):
        with pytest.raises(TryAgain):
            once(task("a"), failing, ports(store))
    assert once(task("a"), lambda: DRAWN, ports(store)) == DRAWN
