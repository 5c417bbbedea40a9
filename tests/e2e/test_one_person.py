"""What one operator did alone before powers were ruled: each is refused now, or a proposal.

Everything is called with the keys of the role on the deployed stack.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.meeting import DECIDER, NO_FINANCE, PROPOSER, Meeting
from tests.infra.portal_probes import request_withdrawal, visit_of
from tests.support.merchant_client import sell
from tests.support.operator_calls import People, Refused, call, is_refused_by_aws
from tests.support.requesting import ETHER
from tests.support.stack_seed import StackSeed

INVALID, STATE, SECOND_PERSON = 1002, 2003, 2301
WHY = "the bank says so"
TRADER = {"name": "丙", "min_cny": "1", "max_cny": "1000000"}
CODE = "https://qr.alipay.com/fkx123"
WALLET = {"method_type": "alipay", "real_name": "丙", "account": "a@b.cn", "qr_code": CODE}
CARD = {"method_type": "bank", "real_name": "丙", "bank": "b", "sub_bank": "s"}


@pytest.fixture
def meeting(stack_seed: StackSeed, people: People) -> Meeting:
    return Meeting.of_new_parties(stack_seed, people)


@pytest.fixture
def rates(stack_seed: StackSeed) -> Iterator[None]:
    """Restore the rates that all tests of the stack use."""
    yield
    stack_seed.set_rates(buy_e4=72360, sell_e4=71640)


def refusal(people: People, person: str, command: str, /, **parameters: Any) -> object:
    """Call a command that must be refused; return the code, None if AWS refused."""
    with pytest.raises(Refused) as refused:
        people.insist(person, command, **parameters)
    return refused.value.code


@pytest.mark.parametrize("role", ["admin", "finance", "developer", "viewer"])
def test_nobody_enters_a_merchants_portal_by_one_persons_invitation(
    meeting: Meeting, role: str
) -> None:
    asked = {"merchant_id": meeting.merchant.merchant_id, "name": "mei", "role": role}
    answer = meeting.people.insist(PROPOSER, "merchant.invite", **asked)
    assert "invite_url" not in repr(answer)
    assert answer["proposal"]["status"] == "open"
    number = answer["proposal"]["proposal_no"]
    assert refusal(meeting.people, PROPOSER, "proposal.reveal", proposal_no=number) == STATE
    assert refusal(meeting.people, PROPOSER, "proposal.approve", proposal_no=number) == (
        SECOND_PERSON
    )


def test_no_operator_sees_a_live_secret(meeting: Meeting) -> None:
    people, whose = meeting.people, {"merchant_id": meeting.merchant.merchant_id}
    added = people.insist(PROPOSER, "merchant.add", name=meeting.seed.new_name())
    assert added["test_api_secret"]
    assert added["api_key"] is None
    assert not {"api_secret", "callback_secret", "invite_url"} & added.keys()
    assert added["proposal"]["status"] == "open"
    for command in ("merchant.rotate-secret", "merchant.rotate-callback-secret"):
        assert refusal(people, PROPOSER, command, **whose) is None
    stopped = people.insist(PROPOSER, "merchant.revoke-secret", **whose, reason=WHY)
    assert "sk_" not in repr(stopped)
    assert meeting.client.post("/merchant/balance", {}).code == 1101


def test_who_admits_a_trader_gives_it_no_sell(meeting: Meeting) -> None:
    people = meeting.people
    assert "proposal" in people.insist(PROPOSER, "trader.add", **TRADER)
    trader_id = meeting.by_two("trader.add", **TRADER)["target"]
    account = {"trader_id": trader_id, **CARD, "card_number": "6200000000000001234"}
    assert "proposal" in people.insist(PROPOSER, "trader.add-method", **account)
    meeting.by_two("trader.add-method", **account)
    people.insist(PROPOSER, "trader.online", trader_id=trader_id)
    asked = {"order_no": meeting.order(sell()), "trader_id": trader_id}
    for person in (PROPOSER, DECIDER):
        number = people.proposed(person, "order.assign", **asked)
        assert refusal(people, person, "proposal.approve", proposal_no=number) == SECOND_PERSON
    assert people.insist("viewer-1", "order.show", order_no=asked["order_no"])["status"] == (
        "matching"
    )


def test_who_approves_an_account_sees_all_of_it(meeting: Meeting) -> None:
    people, trader = meeting.people, meeting.traders[0]
    asked = {"trader_id": trader.trader.trader_id, **WALLET}
    number = people.proposed(PROPOSER, "trader.add-method", **asked)
    shown = people.insist(DECIDER, "proposal.show", proposal_no=number)
    assert WALLET.items() <= shown["whole"]["after"].items()
    assert shown["before"] != shown["after"]
    assert shown["code"]["text"] == CODE
    assert shown["code"]["picture"].startswith("data:image/png;base64,")
    assert CODE not in repr(people.insist("viewer-1", "proposal.show", proposal_no=number))
    for digest in ("", "0" * 64):
        decision = {"proposal_no": number, "digest": digest}
        assert refusal(people, DECIDER, "proposal.approve", **decision) == STATE
    stored = meeting.seed.trader(trader.trader.trader_id).methods
    assert stored == trader.trader.methods


def test_support_takes_no_money_with_a_cancelled_buy(meeting: Meeting) -> None:
    people, number = meeting.people, meeting.disputed()
    before = meeting.seed.balance(meeting.merchant)
    asked = {"order_no": number, "outcome": "completed", "reason": WHY}
    proposal = people.proposed(NO_FINANCE, "order.resolve", **asked)
    assert refusal(people, NO_FINANCE, "proposal.approve", proposal_no=proposal) == SECOND_PERSON
    people.insist(NO_FINANCE, "proposal.reject", proposal_no=proposal, reason=WHY)
    number = people.proposed(PROPOSER, "order.resolve", **asked)  # nor does who did not open it
    assert refusal(people, PROPOSER, "proposal.approve", proposal_no=number) == SECOND_PERSON
    assert meeting.seed.balance(meeting.merchant) == before
    meeting.check_books()


@pytest.mark.usefixtures("rates")
def test_one_person_moves_no_rate_far_and_crosses_no_sides(people: People) -> None:
    crossed = {"order_type": "sell", "rate": "7.2361", "yes": True}
    for person in (PROPOSER, DECIDER):
        assert refusal(people, person, "rate.set", **crossed) == INVALID
    near, far = ({"order_type": "buy", "rate": rate, "yes": True} for rate in ("7.5900", "7.9500"))
    assert people.insist(PROPOSER, "rate.set", **near)["buy"]["rate"] == "7.5900"
    number = people.proposed(PROPOSER, "rate.set", **far)
    assert refusal(people, PROPOSER, "proposal.approve", proposal_no=number) == SECOND_PERSON


def test_a_request_whose_address_was_changed_is_not_taken_up(
    stack_seed: StackSeed, people: People
) -> None:
    visit = visit_of(stack_seed)
    number = request_withdrawal(visit)
    assert number is not None
    key = {"pk": f"requests#{visit.merchant.merchant_id}", "sk": number}
    row: Any = stack_seed.get(stack_seed.tables.ledger, dict(key))
    stack_seed.put(stack_seed.tables.ledger, {**row, "address": ETHER})
    assert refusal(people, PROPOSER, "withdraw.merchant", request_no=number) == STATE
    stack_seed.put(stack_seed.tables.ledger, row)
    taken = people.proposed(PROPOSER, "withdraw.merchant", request_no=number)
    stack_seed.put(stack_seed.tables.ledger, {**row, "address": ETHER, "proposal_no": taken})
    assert refusal(people, DECIDER, "proposal.approve", proposal_no=taken) == STATE


def test_no_role_reaches_any_of_it_by_the_path_of_one_person(people: People) -> None:
    for command in ("merchant.invite", "merchant.add", "trader.add-method", "order.resolve"):
        for person in (PROPOSER, NO_FINANCE):
            answer = call(people.stack, people.keys[person], f"solo/{command}")
            assert is_refused_by_aws(answer)
