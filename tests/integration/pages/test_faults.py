"""A busy table and an order that cannot be read, at the pay page and at the desk."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from tests.support.payer import Payer
from tests.support.trader import ORDER, TraderVisit
from tests.support.visitors import Answer
from tests.support.world import World

type Look = Callable[[], Answer]


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor's requests for one order; `back` begins the address that a refused form links."""

    function: str
    order_no: str
    page: Look
    status: Look
    form: Look
    back: str


def of_payer(world: World) -> Visit:
    payer = Payer.of_new_order(world)
    get, post = payer.get, payer.post
    return Visit(
        "pay_page", payer.order_no, get, partial(get, "/status"), partial(post, "/paid"), "../"
    )


def of_trader(world: World) -> Visit:
    trader = TraderVisit.of_new_trader(world)
    order_no = trader.buy().order_no
    page, status = partial(trader.get, ORDER, order_no), partial(trader.get, "/trader/status")
    confirm = partial(trader.post, f"{ORDER}/confirm", order_no)
    return Visit("trader_desk", order_no, page, status, confirm, '../../orders"')


@pytest.mark.parametrize("visited", [of_payer, of_trader])
def test_a_table_that_throttles_is_busy(
    world: World, monkeypatch: pytest.MonkeyPatch, visited: Callable[[World], Visit]
) -> None:
    visit = visited(world)
    visit.page()
    client = world.modules[visit.function].dynamodb

    def throttled(**_: Any) -> None:
        raise client.exceptions.ProvisionedThroughputExceededException(
            {"Error": {"Code": "ThrottlingException"}}, "GetItem"
        )

    monkeypatch.setattr(client, "get_item", throttled)
    answer = visit.page()
    assert (answer["statusCode"], answer["headers"]["Retry-After"]) == (503, "1")
    assert "Reload this page" in answer["body"]
    assert json.loads(visit.status()["body"]) == {"reason": "try_again"}
    refused = visit.form()
    assert refused["statusCode"] == 503
    assert f'href="{visit.back}' in refused["body"]


@pytest.mark.parametrize("visited", [of_payer, of_trader])
def test_an_order_that_cannot_be_read_is_an_internal_error(
    world: World, visited: Callable[[World], Visit]
) -> None:
    visit = visited(world)
    stored = world.get("Orders", {"pk": visit.order_no}) or {}
    world.put("Orders", {**stored, "status": "unheard of"})
    answer = visit.page()
    assert answer["statusCode"] == 500
    assert "Something went wrong" in answer["body"]
    assert "unheard" not in answer["body"]
