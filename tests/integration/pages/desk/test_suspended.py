"""A suspended trader can make no move; operators settle its open orders (contract section 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, Receipt
from tests.integration.pages.conftest import Meanwhile
from tests.support.merchant_client import BANK
from tests.support.seed import Seed
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World


def suspend(seed: Seed, trader_id: str) -> None:
    """Write the suspension alone, without returning the trader's sells."""
    seed.client.update_item(
        TableName=seed.tables.traders,
        Key={"trader_id": {"S": trader_id}},
        UpdateExpression="SET suspended = :yes REMOVE rotation_key",
        ExpressionAttributeValues={":yes": {"BOOL": True}},
    )


def proven_sell(desk: TraderVisit) -> Order:
    order = desk.sell()
    receipt = Receipt("receipts/proof", "image/png", 1, order.since)
    desk.seed.put(desk.seed.tables.orders, order_item(replace(order, receipts=(receipt,))))
    return desk.order(order.order_no)


def paid_buy(desk: TraderVisit) -> Order:
    order = desk.buy()
    desk.seed.report_paid(order.order_no)
    return desk.order(order.order_no)


MOVES: list[tuple[Callable[[TraderVisit], Order], str]] = [
    (proven_sell, "confirm"),
    (TraderVisit.sell, "decline"),
    (TraderVisit.buy, "confirm"),
    (paid_buy, "confirm"),
    (paid_buy, "report"),
]


def everything(world: World) -> Any:
    tables = ("Orders", "Traders", "Ledger", "Audit")
    return [sorted(world.items(table), key=repr) for table in tables]


@pytest.mark.parametrize(("made", "what"), MOVES)
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "between read and write"])
def test_a_suspended_traders_move_is_refused(
    world: World,
    meanwhile: Meanwhile,
    made: Callable[[TraderVisit], Order],
    what: str,
    *,
    is_before: bool,
) -> None:
    desk = TraderVisit.of_new_trader(world)
    order, trader_id = made(desk), desk.trader.trader_id
    if is_before:
        suspend(world, trader_id)
    done = is_before or meanwhile("trader_desk", lambda: suspend(world, trader_id))
    before = everything(world)
    answer = desk.post(f"{ORDER}/{what}", order.order_no)
    assert done
    assert answer["statusCode"] == 403
    assert "You are suspended" in answer["body"]
    assert (everything(world) == before) is is_before
    assert desk.order(order.order_no) == order


@pytest.mark.parametrize("made", [TraderVisit.sell, proven_sell, TraderVisit.buy, paid_buy])
@pytest.mark.parametrize(("language", "told"), [("en", "You are suspended"), ("zh", "账号已停用")])
def test_the_desk_shows_the_order_and_offers_nothing(
    world: World, made: Callable[[TraderVisit], Order], language: str, told: str
) -> None:
    desk = TraderVisit.of_new_trader(world)
    order = made(desk)
    assert "<form" in desk.get(ORDER, order.order_no, lang=language)["body"].partition("<main")[2]
    suspend(world, desk.trader.trader_id)
    page = desk.get(ORDER, order.order_no, lang=language)
    main = page["body"].partition("<main")[2].partition("</main>")[0]
    assert page["statusCode"] == 200
    assert order.order_no in main
    assert told in main
    assert "<form" not in main
    assert "/confirm" not in main
    assert str(BANK["card_number"]) not in main, "whom a suspended trader has to pay is nobody"
    for what in ("confirm", "decline", "report"):
        asked = desk.get(f"{ORDER}/{what}", order.order_no)
        assert asked["statusCode"] == 303
