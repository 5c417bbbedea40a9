"""A sell that was taken back from its trader: History, its page, and the late proof (section 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import (
    LATE_PROOF_SECONDS,
    DecidedClaim,
    LateProof,
    Order,
    OrderStatus,
    Receipt,
    Return,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.orders.move import MovePorts, move_order
from tests.integration.pages.conftest import Meanwhile
from tests.support import receipt_samples as samples
from tests.support.merchant_client import BANK
from tests.support.seed import Seed, with_changes
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

HISTORY = "/trader/history"


@pytest.fixture
def returned(world: World, trader: TraderVisit) -> str:
    """Return the number of a sell that lapsed."""
    order = trader.sell()
    moves = MovePorts(OrderMoveStore(world.client, world.tables), SystemChance(), lambda _: None)
    assert order.expire_time is not None
    move_order(order.order_no, Move.LAPSE, By(Actor.CLOCK), moves, order.expire_time)
    return order.order_no


def stored(world: World, number: str) -> Any:
    return world.get("Orders", {"pk": number})


@pytest.mark.parametrize("is_paid", [True, False])
def test_the_trader_whose_usdt_a_claim_took_sees_it(
    world: World, trader: TraderVisit, returned: str, *, is_paid: bool
) -> None:
    other, whose = TraderVisit.of_new_trader(world), trader.trader.trader_id
    proof = Receipt("drawn/late", "image/png", 1, trader.order(returned).since, 1)
    ended = with_changes(
        trader.order(returned),
        status=OrderStatus.COMPLETED,
        trader_id=other.trader.trader_id,
        late_proofs=(LateProof(whose, proof),),
        claims=(DecidedClaim("P1", proof.time, whose, is_paid),),
    )
    world.put("Orders", order_item(ended))
    for language, credited, taken in (
        ("en", "credited to you", "were taken back"),
        ("zh", "已记入您的账户", "此订单的 USDT 已收回"),
    ):
        page = other.get(ORDER, returned, lang=language)["body"]
        assert (credited in page, page.count(taken)) == (not is_paid, int(is_paid))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Returned", "I have paid: hand in the proof")),
        ("zh", ("已退回", "我已付款：提交凭证")),
    ],
)
def test_its_former_trader_hands_in_the_proof(
    world: World, trader: TraderVisit, returned: str, language: str, words: tuple[str, str]
) -> None:
    if "receipts" in stored(world, returned):
        pytest.fail("it has no proof yet")
    history = trader.get(HISTORY, lang=language)["body"]
    assert words[0] in history
    assert returned in history
    page = trader.get(ORDER, returned, lang=language)["body"]
    assert words[1] in page
    assert trader.upload(returned, samples.png(), lang=language)["statusCode"] == 303
    order = stored(world, returned)
    assert (order["status"], order["trader_id"]) == ("disputed", trader.trader.trader_id)
    assert len(order["receipts"]) == 1
    assert words[1] not in trader.get(ORDER, returned, lang=language)["body"]


def test_the_trader_that_has_it_now_is_warned(
    world: World, trader: TraderVisit, returned: str
) -> None:
    other = TraderVisit.of_new_trader(world)
    order = stored(world, returned)
    taken = {**order, "status": "assigned", "trader_id": other.trader.trader_id}
    world.put("Orders", {**taken, "desk_key": f"{other.trader.trader_id}#trader"})
    assert "hand in the proof" in trader.get(ORDER, returned, lang="en")["body"]
    assert "Do not pay before" not in other.get(ORDER, returned, lang="en")["body"]
    assert trader.upload(returned, samples.png())["statusCode"] == 303
    assert "Your proof was received" in trader.get(ORDER, returned, lang="en")["body"]
    for language, warning, usual in (
        ("en", "Do not pay before", "Pay the customer<"),
        ("zh", "请先不要付款", "请向客户付款<"),
    ):
        page = other.get(ORDER, returned, lang=language)["body"]
        assert (page.count(f"<h1>{warning}"), usual in page) == (1, False)
        assert warning in other.get("/trader/orders", lang=language)["body"]


CLAIM = {
    "en": {
        None: ("proof received", "Your proof was received"),
        True: ("claim paid", "139.586824 USDT were credited"),
        False: ("claim rejected", "Your claim was rejected"),
    },
    "zh": {
        None: ("凭证已收到", "客服会根据您的凭证处理"),
        True: ("申诉成立，已入账", "139.586824 USDT 已计入您的余额"),
        False: ("申诉不成立", "USDT 未入账"),
    },
}


@pytest.mark.parametrize("ended", [OrderStatus.COMPLETED, OrderStatus.CANCELLED])
@pytest.mark.parametrize("is_paid", [None, True, False])
@pytest.mark.parametrize("language", CLAIM)
def test_its_former_trader_sees_how_the_claim_ended(
    world: World,
    trader: TraderVisit,
    returned: str,
    ended: OrderStatus,
    language: str,
    *,
    is_paid: bool | None,
) -> None:
    other, who = TraderVisit.of_new_trader(world).trader.trader_id, trader.trader.trader_id
    found = OrderStore(world.client, world.tables.orders).order(returned)
    assert found is not None
    [back] = found.late.returns
    long_ago = back.time - 2 * LATE_PROOF_SECONDS
    claims = () if is_paid is None else (DecidedClaim("P1", back.time, who, is_paid),)
    over = with_changes(
        found,
        status=ended,
        trader_id=other if ended is OrderStatus.COMPLETED else None,
        returns=(Return(who, long_ago, back.sequence),),
        late_proofs=(LateProof(who, Receipt("k", "image/png", 1, long_ago)),),
        claims=claims,
    )
    world.put("Orders", order_item(over))
    state, notice = CLAIM[language][is_paid]
    history = trader.get(HISTORY, lang=language)["body"]
    assert returned in history
    assert state in history
    page = trader.get(ORDER, returned, lang=language)["body"]
    assert notice in page
    assert "<form" not in page.partition("<h1")[2], "nothing can be handed in again"
    proofless = with_changes(over, late_proofs=(), claims=())
    world.put("Orders", order_item(proofless))
    assert returned not in trader.get(HISTORY)["body"]
    assert trader.get(ORDER, returned)["statusCode"] == 404


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
