"""Who visits the pages, what may happen meanwhile, and what no template may get."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import CallbackAddress, Merchant, MerchantKey
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.pages import frame
from orderdesk.web.pages.templates import render
from tests.integration.pages.identity.customer import Customer, customer_of
from tests.support.payer import Payer
from tests.support.trader import TraderVisit
from tests.support.world import World

WITH_SECRETS = (CallbackAddress, Draft, Merchant, MerchantKey, Order, Trader)

type Meanwhile = Callable[[str, Callable[[], object]], list[bool]]


@pytest.fixture
def trader(world: World) -> TraderVisit:
    """Return a trader who is logged in at the desk."""
    return TraderVisit.of_new_trader(world)


@pytest.fixture
def payer(world: World) -> Payer:
    """Return the payer of a new order."""
    return Payer.of_new_order(world)


@pytest.fixture
def customer(world: World) -> Customer:
    """Return the customer of a new draft."""
    return customer_of(world)


@pytest.fixture
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> float:
    """Stop the clock at the beginning of the limits' next window, and return the time."""
    window = (time.time() // 600 + 1) * 600
    monkeypatch.setattr(time, "time", lambda: window)
    return window


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


@pytest.fixture(autouse=True)
def discreet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if a page's template gets an object that has more than its reader may see."""
    found = set[tuple[str, str]]()

    def watched(template: str, values: Mapping[str, object]) -> str:
        reached = {type(each) for each in _within(values)}
        found.update((template, each.__name__) for each in reached.intersection(WITH_SECRETS))
        return render(template, values)

    monkeypatch.setattr(frame, "render", watched)
    yield
    assert found == set()


def _within(value: object) -> Iterator[object]:
    """Yield what a template reaches from a value."""
    yield value
    if is_dataclass(value):
        yield from _within([getattr(value, field.name) for field in fields(value)])
    elif isinstance(value, Mapping):
        yield from _within(list(value.values()))
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            yield from _within(each)
