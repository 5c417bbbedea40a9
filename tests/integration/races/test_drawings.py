"""Uploads that meet at the last place for decoding: one gets it, and the other asks again."""

import pytest

from orderdesk.adapters.dynamodb.drawings import DrawingStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.receipts.shares import Place
from orderdesk.services.orders.render_receipt import DrawingBusy, DrawingClaim, DrawingTask
from tests.support.schedule import Cases, Outcomes, Stage
from tests.support.world import World

NOW_MS = 1_767_225_600_000
CHANCE = SystemChance()
LAST = Place("", 0)


@pytest.mark.deep
def test_two_uploads_meet_at_the_last_place(world: World, stage: Stage) -> None:
    store = DrawingStore(world.client, world.tables.guards)

    def begin() -> Cases:
        def claim(name: str) -> DrawingClaim:
            task = DrawingTask(f"{name}#payer", name, "file")
            claim = store.claim(task, [LAST], 3, NOW_MS, CHANCE.token())
            assert isinstance(claim, DrawingClaim)
            return claim

        return {name: (lambda name=name: claim(name)) for name in "ab"}  # type: ignore[misc]

    def check(outcomes: Outcomes) -> None:
        won = [each for each in outcomes.values() if isinstance(each, DrawingClaim)]
        lost = [each for each in outcomes.values() if isinstance(each, DrawingBusy)]
        assert (len(won), len(lost)) == (1, 1)
        store.finish(won[0], {"key": "k"}, CHANCE.token())
        again = DrawingTask("c#payer", "c", "file")
        assert isinstance(store.claim(again, [LAST], 3, NOW_MS, CHANCE.token()), DrawingClaim)

    stage.every_order(begin, check)
