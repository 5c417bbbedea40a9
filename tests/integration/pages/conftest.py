"""What may happen while a page handles a request."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.world import World

type Meanwhile = Callable[[str, Callable[[], object]], list[bool]]


@pytest.fixture
def meanwhile(world: World) -> Meanwhile:
    """Return a function that runs something between a page's last read and its first write.

    It returns a list that is [True] afterwards.
    """

    def arrange(function: str, what: Callable[[], object]) -> list[bool]:
        done: list[bool] = []

        def first(model: Any, **_: Any) -> None:
            if model.name == "TransactWriteItems" and not done:
                done.append(True)
                what()

        if function not in world.modules:
            world.cold_start(function)
        world.modules[function].dynamodb.meta.events.register("before-call.dynamodb", first)
        return done

    return arrange
