"""`order.assign` to `order.ask`: answers, refusals and audit entries."""

from typing import Any

import pytest

from orderdesk.domain.orders.notes import QUESTIONS_MAX
from orderdesk.domain.orders.transitions import Actor, Move
from tests.support.market import BUY_USDT, FUNDS, SELL_FEE, SELL_MERCHANT, SELL_USDT, Market
from tests.support.merchant_client import buy
from tests.support.operator_api import OperatorApi
from tests.support.world import World

SUPPORT, OTHER = "support-1", "support-2"
WHY = "the bank says so"


def detail(api: OperatorApi, command: str, status: int, /, **parameters: Any) -> str:
    """Call a command that must be refused; return the refusal's text."""
    found, envelope = api.call(SUPPORT, command, **parameters)
    assert found == status, envelope
    return str(envelope["data"]["detail"])


def test_a_choice_names_its_words(api: OperatorApi) -> None:
    asked: dict[str, Any] = {"order_no": "B1", "outcome": "x", "reason": WHY}
    _, envelope = api.call(SUPPORT, "order.resolve", **asked)
    [found] = envelope["data"]["fields"]
    assert found["problem"] == "must be 'completed' or 'cancelled'"


def test_a_sell_from_assigned_to_completed(market: Market, api: OperatorApi) -> None:
    order_no = market.sell()
    steps: list[tuple[str, dict[str, str], str]] = [
        ("order.assign", {"trader_id": market.trader_id}, "assigned"),
        ("order.dispute", {"reason": WHY}, "disputed"),
        ("order.resolve", {"outcome": "completed", "reason": WHY}, "completed"),
    ]
    for command, parameters, status in steps:
        person = OTHER if command == "order.resolve" else SUPPORT
        answer = api.data(person, command, order_no=order_no, **parameters)
        assert (answer["status"], answer["trader_id"]) == (status, market.trader_id)
        shown = api.data(SUPPORT, "order.show", order_no=order_no)
        assert {name: shown[name] for name in answer if name != "effect"} == {
            name: value for name, value in answer.items() if name != "effect"
        }
        again = api.data(person, command, order_no=order_no, **parameters)
        assert again == answer, "a repeat has the same answer"
    assert [e["by"] for e in answer["timeline"]] == ["merchant", *["operator"] * 3]
    assert (answer["effect"]["from"], answer["effect"]["money"]) == ("disputed", "captured")
    assert market.trader_money() == (FUNDS + SELL_USDT, 0, 0)
    trader = {"trader_id": market.trader_id}
    ended = {"from": "disputed", "to": "completed", "outcome": "completed"}
    assert [(row["action"], row["reason"], row["details"]) for row in market.audit()] == [
        ("order.assign", "", {"from": "matching", "to": "assigned"} | trader),
        ("order.dispute", WHY, {"from": "assigned", "to": "disputed"}),
        ("order.resolve", WHY, ended),
    ]
    assert market.postings(order_no) == [-SELL_MERCHANT, SELL_FEE, SELL_USDT]
    market.check_books()


def test_a_waiting_sell_is_cancelled_once_and_its_usdt_released(
    market: Market, api: OperatorApi
) -> None:
    order_no = market.sell()
    for _ in range(2):
        answer = api.data(SUPPORT, "order.cancel", order_no=order_no, reason=WHY)
        assert (answer["status"], market.merchant_money()) == ("cancelled", (FUNDS, 0))
    way = {"from": "matching", "to": "cancelled"}
    [entry] = market.audit()
    assert (entry["action"], entry["target"], entry["details"]) == ("order.cancel", order_no, way)
    assert market.postings(order_no) == []


def test_a_refused_move_has_the_status(market: Market, world: World, api: OperatorApi) -> None:
    _, client = world.add_merchant(identity_required=True)
    draft = client.create(buy()).data["pending_no"]
    for order_no, status in ((market.buy(), "pending"), (draft, "held")):
        found, envelope = api.call(
            SUPPORT, "order.resolve", order_no=order_no, outcome="completed", reason=WHY
        )
        assert (found, envelope["code"]) == (409, 2003)
        assert (envelope["data"]["reason"], envelope["data"]["status"]) == (
            "state_conflict",
            status,
        )


def test_a_late_payment_by_order_id(market: Market, api: OperatorApi) -> None:
    order_no = market.overdue_buy()
    order_id = str(market.order(order_no).order_id)
    disputed = api.data(SUPPORT, "order.dispute", order_no=order_id, reason=WHY)
    assert (disputed["order_no"], disputed["status"]) == (order_no, "disputed")
    assert [e["status"] for e in disputed["timeline"]] == ["pending", "expired", "disputed"]
    assert market.trader_money() == (FUNDS - BUY_USDT, BUY_USDT, 1)
    ended = {"order_no": order_id, "outcome": "cancelled", "reason": WHY}
    number = api.data(SUPPORT, "order.resolve", **ended)["proposal"]["proposal_no"]
    api.data(OTHER, "proposal.approve", proposal_no=number)
    assert market.trader_money() == (FUNDS, 0, 0)


def test_a_late_payment_without_cover_says_so(market: Market, api: OperatorApi) -> None:
    order_no = market.buy()
    assert market.client.post("/merchant/cancelOrder", {"order_no": order_no}).code == 1
    market.buy(cny_amount="7000.00")
    assert detail(api, "order.dispute", 409, order_no=order_no, reason=WHY) == (
        f"trader {market.trader_id} has less than the 138.197899 USDT available that must be held "
        "again: fund the trader first"
    )


def test_a_trader_that_does_not_fit_is_refused_with_every_rule(
    market: Market, api: OperatorApi
) -> None:
    order_no = market.sell()
    trader = market.world.add_trader(name="small", max_cny_fen=100_00, methods=())
    text = detail(api, "order.assign", 409, order_no=order_no, trader_id="small")
    assert text.startswith(f"trader {trader.trader_id} cannot take {order_no}: ")
    assert "it has no bank method" in text
    assert "this is 1000.00" in text


def test_a_reason_is_required(market: Market, api: OperatorApi) -> None:
    order_no = market.sell()
    status, envelope = api.call(SUPPORT, "order.cancel", order_no=order_no)
    assert (status, envelope["code"]) == (400, 1002)
    assert envelope["data"]["fields"] == [{"field": "reason", "problem": "missing"}]


@pytest.fixture
def disputed(market: Market, api: OperatorApi) -> str:
    order_no = market.overdue_buy()
    api.data(SUPPORT, "order.dispute", order_no=order_no, reason=WHY)
    return order_no


def test_a_question_is_kept_once_and_audited(
    market: Market, api: OperatorApi, disputed: str
) -> None:
    money, before = market.trader_money(), market.order(disputed)
    for _ in range(2):
        told = api.data(SUPPORT, "order.ask", order_no=disputed, text="Which bank?", to="payer")
        assert [(n["by"], n["to"], n["text"]) for n in told["notes"]] == [
            ("operator", "payer", "Which bank?")
        ]
    [entry] = [e for e in market.audit() if e["action"] == "order.ask"]
    assert (entry["reason"], entry["details"]) == ("Which bank?", {"to": "payer"})
    after = market.order(disputed)
    assert (after.version, after.sequence) == (before.version + 1, before.sequence)
    assert after.dispute.notes == 1
    assert market.trader_money() == money
    shown = api.data(SUPPORT, "order.show", order_no=disputed)
    assert (shown["notes"], shown["new_answer"]) == (told["notes"], False)


def test_questions_are_bounded_and_resolved_orders_take_none(
    api: OperatorApi, disputed: str
) -> None:
    for number in range(QUESTIONS_MAX):
        api.data(SUPPORT, "order.ask", order_no=disputed, text=f"question {number}")
    text = detail(api, "order.ask", 409, order_no=disputed, text="one more")
    assert "10 questions" in text
    ended = {"order_no": disputed, "outcome": "cancelled", "reason": WHY}
    api.data(SUPPORT, "order.resolve", alone=True, **ended)
    assert "is cancelled" in detail(api, "order.ask", 409, order_no=disputed, text="and now?")


@pytest.mark.parametrize("text", ["", "a\u202eb", "a\nb", "x" * 256])
def test_an_unfit_question_is_a_bad_field(api: OperatorApi, disputed: str, text: str) -> None:
    assert detail(api, "order.ask", 400, order_no=disputed, text=text).startswith("text: ")


def test_the_customer_of_a_sell_cannot_be_asked(market: Market, api: OperatorApi) -> None:
    sold = market.sell()
    api.data(SUPPORT, "order.assign", order_no=sold, trader_id=market.trader_id)
    api.data(SUPPORT, "order.dispute", order_no=sold, reason=WHY)
    for to in ("both", "payer"):
        assert "ask its trader" in detail(api, "order.ask", 409, order_no=sold, text="Paid?", to=to)
    shown = api.data(SUPPORT, "order.show", order_no=sold)
    assert shown["actions"][0]["to"] == ["trader"]


def test_who_moved_it_and_who_returned_it_are_shown(market: Market, api: OperatorApi) -> None:
    order_no = market.sell()
    api.data(SUPPORT, "order.assign", order_no=order_no, trader_id=market.trader_id)
    market.move(order_no, Move.DECLINE, Actor.TRADER)
    api.data(SUPPORT, "order.assign", order_no=order_no, trader_id=market.trader_id)
    market.prove(order_no)
    shown = api.data(SUPPORT, "order.show", order_no=order_no)
    assert (shown["receipts"], shown["passed_over"]) == (1, [market.trader_id])
    assert [e["by"] for e in shown["timeline"]] == ["merchant", "operator", "trader", "operator"]
    assert "secret-key" not in str(shown)
