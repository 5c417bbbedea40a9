"""A stopped account: no new order gets it, and nobody pays to it (contract section 6)."""

import json

import pytest

from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex
from orderdesk.domain.callbacks.events import callback_event
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.order_errors import NoTraderAvailable, ProofMissing
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.trader import with_account_stopped
from orderdesk.services.operator.actions import ProposalNeeded
from orderdesk.services.operator.traders import resume_account, set_method, stop_account
from orderdesk.services.traders.stops import StopPorts, mark_buys
from orderdesk.web.merchant.views import callback_data
from orderdesk.web.pages.values import grouped_card
from tests.support import receipt_samples as samples
from tests.support.faults import Killed, killed_at
from tests.support.merchant_client import buy
from tests.support.money_world import MoneyWorld, Step
from tests.support.payer import Payer
from tests.support.seed import BANK_METHOD, a_trader
from tests.support.trader import TraderVisit
from tests.support.world import World

FEN = 1000_00
TERMS = "/trader/settings/methods/{method_type}/terms"
STOP = {"on": "stop", "daily_cny": "", "version": "of an old page"}


def bought(trader: TraderVisit, world: World, **parameters: object) -> Payer:
    _, client = world.add_merchant(slot_share=100)
    return Payer.of_link(world, client.create(buy(**parameters)).data["pay_url"])


def stop(money: MoneyWorld, which: int = 0, key: str = "bank") -> tuple[Order, ...]:
    """Stop an account of a trader as an operator; return the marked buys."""
    trader_id = money.traders[which].trader_id
    _, method = stop_account(money.command_ports, trader_id, key, "frozen")
    index = DeskOrderIndex(money.seed.client, money.seed.tables.orders)
    ports = StopPorts(index, money.register, money.moves)
    done = mark_buys(trader_id, method, ports, money.now)
    assert done.unseen == 0
    return done.orders


def test_one_press_stops_the_account_and_warns_its_payers(
    trader: TraderVisit, world: World
) -> None:
    payer = bought(trader, world)
    account = (grouped_card(BANK_METHOD.card_number), BANK_METHOD.real_name, BANK_METHOD.bank)
    assert all(text in payer.get()["body"] for text in account)
    usual = {"status": "pending", "expire_time": payer.order()["expire_time"]}
    assert json.loads(payer.get("/status")["body"]) == usual
    held = world.trader(trader.trader.trader_id).counts.held_micro
    assert trader.post(TERMS, form=STOP, method_type="bank")["statusCode"] == 303
    words = {"en": ("Do not pay", "I have already paid"), "zh": ("请勿付款", "我已付款")}
    for language, shown in words.items():
        page = payer.get(lang=language)["body"]
        assert all(text in page for text in shown)
        assert not [text for text in account if text in page]
    assert json.loads(payer.get("/status")["body"]) == usual | {"stopped": True}
    assert payer.post("/paid")["statusCode"] == 422, "a receipt is needed"
    assert world.trader(trader.trader.trader_id).counts.held_micro == held
    _, client = world.add_merchant()
    assert client.create(buy()).code == 2101
    assert client.create(buy(method_type="wechat")).code == 1
    assert "停用" in trader.get("/trader/settings", lang="zh")["body"]
    assert trader.post(TERMS, form=STOP, method_type="bank")["statusCode"] == 303


def test_a_payer_who_has_paid_sends_a_receipt(trader: TraderVisit, world: World) -> None:
    payer = bought(trader, world)
    trader.post(TERMS, form=STOP, method_type="bank")
    assert payer.upload(samples.png())["statusCode"] == 303
    assert payer.order()["status"] == "paid"


def test_a_wallets_code_is_not_shown_either(trader: TraderVisit, world: World) -> None:
    payer = bought(trader, world, method_type="wechat")
    assert payer.get("/code.png")["statusCode"] == 303
    trader.post(TERMS, form=STOP, method_type="wechat")
    assert payer.get("/code.png")["statusCode"] == 404
    assert "data:image" not in payer.get()["body"]


def test_an_unpaid_buy_expires_at_its_own_time_with_the_reason(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    which = [t.trader_id for t in money.traders].index(str(money.order(number).trader_id))
    assert [order.order_no for order in stop(money, which)] == [number]
    assert stop(money, which) == (money.order(number),), "safe to repeat"
    before = money.order(number)
    with pytest.raises(ProofMissing):
        money.do(Step(number, Actor.PAYER, Move.PAY))
    money.now += 899
    assert money.sweep() == {}
    money.now += 1
    assert money.sweep() == {"orders_expired": 1}
    after = money.order(number)
    money.check()
    event = callback_event(before, after, callback_data)
    assert event is not None
    sent = json.loads(event.body)
    assert (sent["type"], sent["data"]["reason"]) == ("order.expired", "payee_stopped")
    late = money.do(Step(number, Actor.PAYER, Move.PAY_LATE))
    assert late.status is OrderStatus.DISPUTED
    disputed = callback_event(after, late, callback_data)
    assert disputed is not None
    assert "reason" not in json.loads(disputed.body)["data"]
    money.check()


def test_a_reported_payment_is_disputed_at_once(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    which = [t.trader_id for t in money.traders].index(str(money.order(number).trader_id))
    money.do(Step(number, Actor.PAYER, Move.PAY))
    money.now += 60
    assert money.sweep() == {}
    assert [order.order_no for order in stop(money, which)] == [number]
    assert money.sweep() == {"orders_disputed": 1}
    assert money.order(number).timeline[-1].by == "clock"
    done = money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.traders[which].trader_id))
    assert done.status is OrderStatus.COMPLETED, "the money has arrived after all"
    money.check()


def test_only_the_accounts_buys_are_marked(money: MoneyWorld) -> None:
    numbers = [money.create(OrderType.BUY, FEN) for _ in range(2)]
    sold = money.create(OrderType.SELL, FEN)
    money.do(Step(sold, Actor.OPERATOR, Move.ASSIGN, money.traders[0].trader_id))
    marked = {order.order_no for order in stop(money)}
    own = {n for n in numbers if money.order(n).trader_id == money.traders[0].trader_id}
    assert marked == own
    stop(money, 1)
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)


def test_a_stop_that_died_is_finished_by_stopping_again(money: MoneyWorld) -> None:
    number = money.create(OrderType.BUY, FEN)
    which = [t.trader_id for t in money.traders].index(str(money.order(number).trader_id))
    for request in range(8):
        try:
            with killed_at(money.seed, request, "before-call"):
                stop(money, which)
            break
        except Killed:
            money.check()
    assert [order.order_no for order in stop(money, which)] == [number]


def test_only_two_operators_resume_it_and_its_stopped_buys_stay_so(money: MoneyWorld) -> None:
    stop(money, 1)
    number = money.create(OrderType.BUY, FEN)
    stop(money)
    trader_id = money.traders[0].trader_id
    set_method(money.command_ports, trader_id, BANK_METHOD.account_key, BANK_METHOD)
    with pytest.raises(NoTraderAvailable):
        money.create(OrderType.BUY, FEN)  # setting it again does not lift the stop
    with pytest.raises(ProposalNeeded):
        resume_account(money.command_ports.acting(money.acting("ann")), trader_id, "bank")
    resume_account(money.command_ports, trader_id, "bank")
    assert money.order(money.create(OrderType.BUY, FEN)).trader_id == trader_id
    assert money.order(number).pay_page.payee_stopped_at == money.now


def test_a_stop_needs_a_reason_and_an_account(money: MoneyWorld) -> None:
    trader_id = money.traders[0].trader_id
    with pytest.raises(UnacceptableTerms, match="a reason is required"):
        stop_account(money.command_ports, trader_id, "bank", " ")
    with pytest.raises(UnknownId):
        stop_account(money.command_ports, trader_id, "bank5", "frozen")


def test_a_stop_is_of_the_number_and_bounded() -> None:
    trader = with_account_stopped(a_trader("t1", methods=(BANK_METHOD,)), BANK_METHOD, 5)
    assert trader.accounts_on(MethodType.BANK) == []
    many = a_trader("t1", methods=(BANK_METHOD,), stops={f"bank:{n}": n for n in range(40)})
    kept = with_account_stopped(many, BANK_METHOD, 99).stops
    assert len(kept) == 15 + 1
    assert {BANK_METHOD.mark, "bank:39", "bank:25"} <= kept.keys()
