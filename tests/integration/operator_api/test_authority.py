"""Powers need two people on whatever path they are reached (contract section 11)."""

from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.operator import moves
from orderdesk.services.operator.actions import ProposalNeeded
from tests.support.market import Market
from tests.support.money_world import Interruption
from tests.support.operator_api import OperatorApi
from tests.support.trader import TraderVisit
from tests.support.world import World

FIRST, SECOND = "finance-1", "finance-2"
SUPPORT, OTHER = "support-1", "support-2"
WHY = "the bank says so"
TRADER = {"name": "丙", "min_cny": "1", "max_cny": "1000000"}
WALLET = {"method_type": "alipay", "real_name": "丙", "account": "a@b.cn"}

CODE = "https://qr.alipay.com/fkx123"


def proposed(api: OperatorApi, person: str, command: str, **parameters: Any) -> Any:
    answer = api.data(person, command, **parameters)
    assert "proposal" in answer, (person, command, answer)
    assert "invite_url" not in repr(answer)
    return answer["proposal"]


def by_two(api: OperatorApi, command: str, **parameters: Any) -> Any:
    """Propose and approve a command; return the proposal."""
    made = proposed(api, FIRST, command, **parameters)
    return api.data(SECOND, "proposal.approve", proposal_no=made["proposal_no"])


def resolve(api: OperatorApi, person: str, order_no: str, outcome: str = "completed") -> Any:
    asked = {"order_no": order_no, "outcome": outcome, "reason": WHY}
    return api.data(person, "order.resolve", **asked)


def test_a_new_traders_code_is_the_halves_of_two_people(world: World, api: OperatorApi) -> None:
    answer = api.data(FIRST, "trader.add", **TRADER)
    made, trader_id = answer["proposal"], answer["trader_id"]
    assert trader_id == made["target"] in made["summary"]
    api.data(SECOND, "proposal.approve", proposal_no=made["proposal_no"])
    halves = [
        api.data(person, "proposal.reveal", proposal_no=made["proposal_no"])["secret"]
        for person in (FIRST, SECOND)
    ]
    shown = api.data(FIRST, "trader.show", trader_id=trader_id)
    assert (shown["name"], shown["duty"]) == ("丙", "offline")
    replaced = by_two(api, "trader.reset-code", trader_id=trader_id)
    status, _ = api.call(FIRST, "proposal.reveal", proposal_no=made["proposal_no"])
    assert status == 409, "a code that was replaced is not read"
    assert replaced["status"] == "executed"
    assert not [half for half in halves if half in repr(world.items("Audit"))]


def test_a_code_that_opened_a_session_is_not_read_again(world: World, api: OperatorApi) -> None:
    trader_id = by_two(api, "trader.add", **TRADER)["target"]
    for _ in range(2):
        number = by_two(api, "trader.reset-code", trader_id=trader_id)["proposal_no"]
        halves = [
            api.data(person, "proposal.reveal", proposal_no=number)["secret"]
            for person in (FIRST, SECOND)
        ]
        visit = TraderVisit(world, world.trader(trader_id), "-".join(halves))
        assert visit.log_in()["statusCode"] == visit.log_in()["statusCode"] == 303
        status, answer = api.call(SECOND, "proposal.reveal", proposal_no=number)
        assert (status, answer["code"]) == (409, 2003)


def test_whose_hands_are_on_a_trader_gives_it_no_order(market: Market, api: OperatorApi) -> None:
    """The victim's sell goes to no trader whom the same person helped to admit or to change."""
    trader_id = by_two(api, "trader.add", **TRADER)["target"]
    account = {"trader_id": trader_id, "method_type": "bank", "real_name": "丙", "bank": "b"}
    by_two(api, "trader.add-method", **account, sub_bank="s", card_number="6200000000000001234")
    by_two(api, "fund.trader", trader_id=trader_id, amount="5000", memo="m")
    sold = market.sell()
    asked = {"order_no": sold, "trader_id": trader_id}
    for person in (FIRST, SECOND):
        made = proposed(api, person, "order.assign", **asked)
        assert (market.merchant.merchant_id in made["summary"], sold in made["summary"]) == (
            True,
            True,
        )
        api.data(person, "proposal.reject", proposal_no=made["proposal_no"], reason="r")
    assert api.data(SUPPORT, "order.assign", **asked)["status"] == "assigned"


def test_who_proposed_a_destination_decides_no_order_of_it_alone(
    market: Market, api: OperatorApi
) -> None:
    """Also while nobody has approved it."""
    proposed(api, FIRST, "trader.reset-code", trader_id=market.trader_id)
    order_no = market.disputed_buy()
    assert "proposal" in resolve(api, FIRST, order_no)
    assert resolve(api, SECOND, order_no)["status"] == "completed"


def test_hands_fade_after_seven_days(market: Market, api: OperatorApi) -> None:
    by_two(api, "trader.reset-code", trader_id=market.trader_id)
    items = [row for row in market.world.items("Guards") if str(row["pk"]).startswith("hands#")]
    assert {row["pk"] for row in items} == {
        f"hands#{market.trader_id}#{person}" for person in (FIRST, SECOND)
    }
    for row in items:
        market.world.put("Guards", {**row, "until": 1})
    asked = {"order_no": market.sell(), "trader_id": market.trader_id}
    assert api.data(FIRST, "order.assign", **asked)["status"] == "assigned"


def test_a_race_with_ones_own_hands_becomes_a_proposal(market: Market) -> None:
    ports = market.office.acting(market.office.proposer)
    seen = Interruption(ports.reads, "record", after=True)
    pk = f"hands#{market.trader_id}#{ports.operator.who}"
    seen.then = lambda: market.world.put("Guards", {"pk": pk, "until": 4_000_000_000})
    with pytest.raises(ProposalNeeded):
        moves.assign(market.sell(), market.trader_id, ports)
    assert seen.calls == 2


def test_what_was_done_meanwhile_is_not_approved(market: Market, api: OperatorApi) -> None:
    """Two people propose one move; after the first approval the second has nothing to do."""
    order_no = market.buy()
    market.move(order_no, Move.CANCEL, Actor.PAYER)
    api.data(SUPPORT, "order.dispute", order_no=order_no, reason=WHY)
    asked = {"order_no": order_no, "outcome": "completed", "reason": WHY}
    first, late = (proposed(api, person, "order.resolve", **asked) for person in (SUPPORT, OTHER))
    api.data(SECOND, "proposal.approve", proposal_no=first["proposal_no"])
    status, envelope = api.call(SECOND, "proposal.approve", proposal_no=late["proposal_no"])
    assert (status, envelope["code"]) == (409, 2003)
    number = {"proposal_no": late["proposal_no"]}
    assert api.data(SECOND, "proposal.show", **number)["status"] == "open"
    assert api.data(SECOND, "proposal.reject", **number, reason="r")["status"] == "rejected"


def test_an_end_that_was_proposed_for_an_earlier_dispute_is_not_approved(
    market: Market, api: OperatorApi
) -> None:
    order_no = market.buy()
    market.move(order_no, Move.CANCEL, Actor.PAYER)
    again = {"order_no": order_no, "reason": WHY}
    api.data(SUPPORT, "order.dispute", **again)
    late = proposed(api, FIRST, "order.resolve", **again, outcome="completed")
    by_two(api, "order.resolve", **again, outcome="cancelled")
    api.data(SUPPORT, "order.dispute", **again)
    status, envelope = api.call(SECOND, "proposal.approve", proposal_no=late["proposal_no"])
    assert (status, envelope["code"]) == (409, 2003)
    assert market.order(order_no).status is OrderStatus.DISPUTED


def test_a_late_sweep_changes_nothing_that_a_dispute_rests_on(
    market: Market, api: OperatorApi
) -> None:
    proposed(api, FIRST, "trader.reset-code", trader_id=market.trader_id)
    order_no = market.overdue_buy()
    made = proposed(api, FIRST, "order.dispute", order_no=order_no, reason=WHY)
    api.data(SECOND, "proposal.approve", proposal_no=made["proposal_no"])
    assert market.order(order_no).status is OrderStatus.DISPUTED


def test_an_order_that_ended_long_ago_is_not_disputed(market: Market, api: OperatorApi) -> None:
    for seconds, status in ((7 * 24 * 3600 + 9, 409), (7 * 24 * 3600 - 60, 200)):
        order_no = market.buy()
        market.move(order_no, Move.CANCEL, Actor.PAYER)
        order = market.order(order_no)
        ended = replace(order.timeline[-1], time=order.since - seconds)
        market.put(replace(order, timeline=(*order.timeline[:-1], ended)))
        found, _ = api.call(SUPPORT, "order.dispute", order_no=order_no, reason=WHY)
        assert found == status


def test_one_person_resolves_up_to_a_sum_a_day(market: Market, api: OperatorApi) -> None:
    """Each order is of 138.197899 USDT."""
    for _ in range(2):
        assert resolve(api, SUPPORT, market.disputed_buy())["status"] == "completed"
    day = [row for row in market.world.items("Guards") if str(row["pk"]).startswith("solo#")]
    assert [row["spent_micro"] for row in day] == [2 * 138_197_899]
    market.world.put("Guards", {**day[0], "spent_micro": 2_000_000_000 - 138_197_898})
    order_no = market.disputed_buy()
    made = resolve(api, SUPPORT, order_no)
    assert made["proposal"]["after"]["outcome"] == "completed"
    assert resolve(api, OTHER, order_no)["status"] == "completed"


def test_who_decides_sees_everything_and_others_do_not(market: Market, api: OperatorApi) -> None:
    asked = {"trader_id": market.trader_id, **WALLET, "qr_code": CODE}
    made = proposed(api, FIRST, "trader.add-method", **asked)
    number = made["proposal_no"]
    assert CODE not in repr(api.data("viewer-1", "proposal.show", proposal_no=number))
    shown = api.data(SECOND, "proposal.show", proposal_no=number)
    assert shown["whole"]["after"] == {**shown["after"], **WALLET, "qr_code": CODE}
    assert shown["code"]["text"] == CODE
    assert shown["code"]["picture"].startswith("data:image/png;base64,")
    assert shown["digest"] == made["digest"]
    entry = api.data("viewer-1", "audit.list")["items"][-1]
    assert (entry["who"], entry["action"]) == (SECOND, "proposal.show")
    for digest in ("", "0" * 64):
        status, envelope = api.call(SECOND, "proposal.approve", proposal_no=number, digest=digest)
        assert (status, envelope["code"]) == (409, 2003)
    by_support = api.call(SUPPORT, "proposal.show", proposal_no=number)
    assert by_support[0] == 200
    api.data(SECOND, "proposal.approve", proposal_no=number, digest=shown["digest"])
    later = api.data(SECOND, "proposal.show", proposal_no=number)
    assert CODE not in repr(later), "it is kept only while the proposal is open"


def test_who_may_not_call_a_command_does_not_decide_it(market: Market, api: OperatorApi) -> None:
    made = proposed(api, FIRST, "trader.reset-code", trader_id=market.trader_id)
    api.allowed = {"proposal.approve", "proposal.reject", "order.resolve"}
    for command, more in (("approve", {"digest": made["digest"]}), ("reject", {"reason": "r"})):
        asked = {"proposal_no": made["proposal_no"], **more}
        status, envelope = api.call(SUPPORT, f"proposal.{command}", **asked)
        assert (status, envelope["code"]) == (403, 2301)


@pytest.mark.parametrize("command", ["order.unassign", "trader.suspend"])
def test_who_takes_a_proven_sell_back_has_opened_its_dispute(
    market: Market, api: OperatorApi, command: str
) -> None:
    order_no, trader = market.sell(), {"trader_id": market.trader_id}
    api.data(SUPPORT, "order.assign", order_no=order_no, **trader)
    market.prove(order_no)
    asked = trader if command == "trader.suspend" else {"order_no": order_no}
    api.data(SUPPORT, command, **asked, reason=WHY)
    assert market.order(order_no).status is OrderStatus.DISPUTED
    assert "proposal" in resolve(api, SUPPORT, order_no)
    assert resolve(api, OTHER, order_no)["status"] == "completed"
