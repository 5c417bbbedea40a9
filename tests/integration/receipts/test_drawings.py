"""Which files are decoded: each once, ten of an uploader, in a place each."""

from collections.abc import Callable

import pytest

from orderdesk.adapters import system
from orderdesk.adapters.dynamodb.drawings import CLAIM_SECONDS, DrawingStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.shares import Place
from orderdesk.services.orders.render_receipt import (
    Answer,
    ClaimPorts,
    DrawingBusy,
    DrawingClaim,
    DrawingTask,
    once,
)
from tests.support.world import World

MOST = 3
NOW_MS = 1_767_225_600_000
LATER_MS = NOW_MS + CLAIM_SECONDS * 1000 + 1
DRAWN: Answer = {"key": "k"}
CHANCE = system.SystemChance()


@pytest.fixture
def store(world: World) -> DrawingStore:
    return DrawingStore(world.client, world.tables.guards)


def task(file: str, order_no: str = "B1", merchant_id: str = "m1") -> DrawingTask:
    return DrawingTask(f"{order_no}#payer", merchant_id, file)


def places(owner: str) -> list[Place]:
    return [Place(owner, 0), Place(owner, 1), Place("", 0)]


def claimed(store: DrawingStore, asked: DrawingTask, now_ms: int = NOW_MS) -> DrawingClaim:
    claim = store.claim(asked, places(asked.owner), MOST, now_ms, CHANCE.token())
    assert isinstance(claim, DrawingClaim)
    return claim


def test_a_file_is_decoded_once_and_its_answer_is_stored(store: DrawingStore) -> None:
    claim = claimed(store, task("a"))
    with pytest.raises(DrawingBusy):
        claimed(store, task("a"))
    store.finish(claim, DRAWN, "t1")
    assert store.claim(task("a"), places("m1"), MOST, LATER_MS, "t2") == DRAWN


def test_a_busy_merchant_uses_common_places_and_leaves_others_theirs(store: DrawingStore) -> None:
    claims = [claimed(store, task("a", f"B{number}")) for number in range(3)]
    assert [claim.place for claim in claims] == places("m1")
    with pytest.raises(DrawingBusy):
        claimed(store, task("a", "B3"))
    for number, place in enumerate(places("m2")[:2]):
        assert claimed(store, task("a", f"C{number}", "m2")).place == place
    with pytest.raises(DrawingBusy):
        claimed(store, task("a", "C2", "m2"))
    store.finish(claims[2], DRAWN, "t1")
    assert claimed(store, task("a", "C2", "m2")).place == Place("", 0)


def test_a_file_that_finds_no_place_is_not_counted(store: DrawingStore, world: World) -> None:
    for number in range(3):
        claimed(store, task("a", f"C{number}"))
    for _ in range(MOST):
        with pytest.raises(DrawingBusy):
            claimed(store, task("c"))
    assert world.get(world.tables.guards, {"pk": Key.drawings("B1#payer")}) is None


def test_an_uploader_is_refused_beyond_its_files(store: DrawingStore) -> None:
    for number in range(MOST):
        store.finish(claimed(store, task(f"{number}")), {"problem": "damaged"}, f"done{number}")
    with pytest.raises(UnfitReceipt) as refused:
        claimed(store, task("more"))
    assert refused.value.problem is ReceiptProblem.TRIED_OFTEN
    assert store.claim(task("0"), places("m1"), MOST, NOW_MS, "t") == {"problem": "damaged"}
    claimed(store, task("more", "B2"))


def test_the_claim_of_a_process_that_ended_runs_out(store: DrawingStore) -> None:
    lost = claimed(store, task("a"))
    again = claimed(store, task("a"), LATER_MS)
    store.finish(lost, {"problem": "damaged"}, "t1")
    with pytest.raises(DrawingBusy):
        claimed(store, task("a"), LATER_MS)
    store.finish(again, DRAWN, "t2")
    assert store.claim(task("a"), places("m1"), MOST, LATER_MS, "t3") == DRAWN


def ports(store: DrawingStore) -> ClaimPorts:
    return ClaimPorts(store, 10, CHANCE, lambda: NOW_MS, lambda _: None)


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
