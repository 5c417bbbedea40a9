"""One decision for many orders of one merchant or trader (contract section 11)."""

from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.operator import moves
from tests.support.market import Market
from tests.support.operator_api import OperatorApi

SUPPORT, OTHER, THIRD = "support-1", "support-2", "support-3"
VIEWER = "viewer-1"
WHY = "the card is frozen"


def resolve(
    api: OperatorApi, person: str, numbers: list[str], outcome: str = "cancelled", **more: Any
) -> Any:
    asked = {"order_nos": numbers, "outcome": outcome, "reason": WHY, **more}
    return api.data(person, "order.resolve", **asked)


def proposed(api: OperatorApi, person: str, numbers: list[str], outcome: str) -> Any:
    return resolve(api, person, numbers, outcome)["proposal"]


def without_word(market: Market, api: OperatorApi) -> str:
    """Return a disputed buy with neither a receipt nor its trader's word."""
    order_no = market.buy()
    market.move(order_no, Move.CANCEL, Actor.PAYER)
    api.data(SUPPORT, "order.dispute", order_no=order_no, reason=WHY)
    return order_no


def test_what_one_person_may_end_is_ended_at_once(market: Market, api: OperatorApi) -> None:
    numbers = [market.disputed_buy() for _ in range(3)]
    first = resolve(api, SUPPORT, numbers, idempotency_key="k1")
    assert first["results"] == [
        {"order_no": number, "status": "cancelled", "refused": None} for number in numbers
    ]
    assert resolve(api, SUPPORT, numbers, idempotency_key="k1") == first
    assert [row["target"] for row in market.audit()] == numbers, "each once"
    other: dict[str, Any] = {"order_nos": numbers, "outcome": "completed", "reason": WHY}
    status, refused = api.call(SUPPORT, "order.resolve", idempotency_key="k1", **other)
    assert (status, refused["code"]) == (409, 2302)


def test_one_part_that_needs_two_people_makes_the_whole_list_a_proposal(
    market: Market, api: OperatorApi
) -> None:
    plain, grave = market.disputed_buy(), without_word(market, api)
    made = proposed(api, OTHER, [plain, grave], "completed")
    assert made["before"] == {plain: "disputed", grave: "disputed"}
    assert "2 orders, 276.395798 USDT" in made["summary"]
    assert market.trader_id in made["summary"]
    assert market.trader_id in made["after"][grave]
    assert {market.order(each).status.value for each in (plain, grave)} == {"disputed"}
    done = api.data(THIRD, "proposal.approve", proposal_no=made["proposal_no"])
    assert done["status"] == "executed"
    assert [each["status"] for each in done["results"]] == ["completed", "completed"]
    assert api.data(VIEWER, "proposal.show", proposal_no=made["proposal_no"]) == done
    entries = [each for each in market.audit() if each["action"] == "order.resolve"]
    assert {each["proposal_no"] for each in entries} == {made["proposal_no"]}
    assert {each["who"] for each in entries if each["target"] == plain} == {THIRD}
    market.check_books()


def test_the_sum_of_a_list_counts_for_the_day(market: Market, api: OperatorApi) -> None:
    """Each order is of 138.197899 USDT; one of two fits into what is left."""
    resolve(api, SUPPORT, [market.disputed_buy()])
    [day] = [row for row in market.world.items("Guards") if str(row["pk"]).startswith("solo#")]
    market.world.put("Guards", {**day, "spent_micro": 2_000_000_000 - 138_197_899})
    numbers = [market.disputed_buy() for _ in range(2)]
    assert "proposal" in resolve(api, SUPPORT, numbers)
    assert "results" in resolve(api, SUPPORT, numbers[:1])


def test_an_order_that_moved_meanwhile_holds_back_no_other(
    market: Market, api: OperatorApi
) -> None:
    moved, grave = market.disputed_buy(), without_word(market, api)
    made = proposed(api, OTHER, [moved, grave], "cancelled")
    assert api.data(SUPPORT, "order.resolve", order_no=moved, outcome="completed", reason=WHY)
    done = api.data(THIRD, "proposal.approve", proposal_no=made["proposal_no"])
    first, second = done["results"]
    assert (first["status"], second["status"]) == ("completed", "cancelled")
    assert moved in first["refused"]
    assert second["refused"] is None
    _, again = api.call(THIRD, "proposal.approve", proposal_no=made["proposal_no"])
    assert again["code"] == 2003
    market.check_books()


def test_a_list_that_stopped_half_way_is_continued_and_not_rejected(
    market: Market, api: OperatorApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [without_word(market, api) for _ in range(3)]
    made = proposed(api, OTHER, numbers, "completed")
    number = made["proposal_no"]
    whole, calls = moves.make, []

    def dies(order_no: str, *given: Any, **named: Any) -> Any:
        calls.append(order_no)
        if len(calls) == 2:
            raise RuntimeError
        return whole(order_no, *given, **named)

    monkeypatch.setattr(moves, "make", dies)
    assert api.call(THIRD, "proposal.approve", proposal_no=number)[0] == 500
    monkeypatch.undo()
    shown = api.data(VIEWER, "proposal.show", proposal_no=number)
    assert shown["status"] == "begun"
    assert [market.order(each).status.value for each in numbers].count("completed") == 1
    refused = api.call(OTHER, "proposal.reject", proposal_no=number, reason="no")
    assert refused[1]["code"] == 2003
    assert api.call(OTHER, "proposal.approve", proposal_no=number)[1]["code"] == 2301
    done = api.data(SUPPORT, "proposal.approve", proposal_no=number)
    assert [each["refused"] for each in done["results"]] == [None] * 3
    entries = [each for each in market.audit() if each["action"] == "order.resolve"]
    targets = [market.trader_id, *numbers]  # it was proposed once, and each moved once
    assert sorted(each["target"] for each in entries) == sorted(targets)
    assert done["decided_by"] == THIRD
    market.check_books()


def test_a_list_is_of_one_party_and_its_orders_can_be_moved(
    market: Market, api: OperatorApi
) -> None:
    number = market.disputed_buy()
    other_trader = market.world.add_trader()
    elsewhere = market.buy()
    market.put(replace(market.order(elsewhere), merchant_id="m", trader_id=other_trader.trader_id))
    wrong: list[dict[str, Any]] = [
        {"order_nos": []},
        {"order_nos": [number, number]},
        {"order_nos": [number, elsewhere]},
        {"order_nos": [number] * 51},
        {"order_nos": [number], "order_no": number},
        {"order_nos": [number], "amount": "10.00"},
        {},
    ]
    for asked in wrong:
        asked |= {"outcome": "completed", "reason": WHY}
        _, refused = api.call(SUPPORT, "order.resolve", **asked)
        assert refused["code"] == 1002, asked
    pending = market.buy()
    _, refused = api.call(
        OTHER,
        "order.resolve",
        order_nos=[pending, without_word(market, api)],
        outcome="completed",
        reason=WHY,
    )
    assert refused["code"] == 2003, "a proposed list has only orders that can be moved"
    unknown: dict[str, Any] = {"order_nos": ["B1"], "outcome": "completed", "reason": WHY}
    assert api.call(SUPPORT, "order.resolve", **unknown)[1]["code"] == 2002
