"""Operators, a merchant and traders at once against the same money, over HTTP with roles' keys.

Nothing is executed twice or by one person, and the books balance afterwards. Every order of two
requests is tried in tests/integration/races; here the deployed stack shows that it is the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from local.operators import POLICIES_OF
from local.stack import Stack
from tests.e2e.meeting import DECIDER, NO_FINANCE, PROPOSER, Meeting
from tests.support.merchant_client import buy, sell
from tests.support.operator_calls import People, Refused, session_of
from tests.support.stack_seed import StackSeed

THREADS = 16
OF_EACH = 1
COPIES = 3  # of each request with an idempotency key

DECIDERS = (DECIDER, "root")
PROPOSER_BY_ROLE = "finance-1 by a role"
RESET = "trader.reset-code"
MONEY = ("fund.merchant", "fund.trader", "withdraw.merchant", "withdraw.trader")
OWN_PROPOSAL, STATE, BALANCE = 2301, 2003, 2102

type Call = Callable[[], Any]
DONE = {"approved", "executed"}


@pytest.fixture
def meeting(stack: Stack, stack_seed: StackSeed, people: People) -> Iterator[Meeting]:
    """Yield a meeting with a merchant of 32 balance shards."""
    role = "AWSReservedSSO_Finance_Meeting"
    with session_of(stack, role, "Finance-1", POLICIES_OF["finance"]) as keys:
        people = replace(people, keys={**people.keys, PROPOSER_BY_ROLE: keys})
        meeting = Meeting.of_new_parties(stack_seed, people)
        split = {"merchant_id": meeting.merchant.merchant_id, "balance_shards": 32}
        people.insist("root", "solo/merchant.set", **split)
        yield meeting


def proposals_made(meeting: Meeting) -> list[str]:
    people, found = meeting.people, list[str]()
    for command in MONEY * OF_EACH * 2:
        found.append(people.proposed(PROPOSER, command, **meeting.money(command, "90")))
    reset = {"trader_id": meeting.traders[1].trader.trader_id, "reason": "they meet"}
    found += [people.proposed(PROPOSER, RESET, **reset) for _ in range(2)]
    return found


def decisions(meeting: Meeting, number: str) -> Iterator[Call]:
    """Yield what people do about one proposal, each in its own thread."""
    insist = partial(meeting.people.insist, proposal_no=number)
    for person in (*DECIDERS, PROPOSER, PROPOSER_BY_ROLE, NO_FINANCE):
        yield partial(insist, person, "proposal.approve")
    key = f"approve-{number}"
    yield from [partial(insist, DECIDERS[0], "proposal.approve", idempotency_key=key)] * COPIES
    for person in (PROPOSER, DECIDERS[1]):
        yield partial(insist, person, "proposal.reject", reason="they meet")


def money_requests(meeting: Meeting) -> Iterator[tuple[str, Call]]:
    """Yield new fundings and withdrawals, each several times with the same idempotency key."""
    live = [(command, False) for command in MONEY]
    for number, (command, is_test) in enumerate([*live, ("fund.merchant", True)] * OF_EACH):
        key = f"{meeting.merchant.merchant_id}-{number}"
        asked = meeting.money(command, "41") | {"idempotency_key": key, "is_test": is_test}
        for _ in range(COPIES):
            yield key, partial(meeting.people.insist, PROPOSER, command, **asked)


def orders_and_moves(meeting: Meeting) -> Iterator[Call]:
    """Yield orders, and moves that exclude each other."""
    insist, client = meeting.people.insist, meeting.client
    for _ in range(4 * OF_EACH):
        yield partial(meeting.order, buy(cny_amount="20.00"))
        yield partial(meeting.order, sell(cny_amount="20.00"))
    for _ in range(OF_EACH):
        pending, waiting = (meeting.order(kind(cny_amount="10.00")) for kind in (buy, sell))
        visit = meeting.trader_of(pending)
        yield from [partial(visit.move, pending, "confirm")] * 2
        yield partial(client.post, "/merchant/cancelOrder", {"order_no": pending})
        yield partial(client.post, "/merchant/cancelOrder", {"order_no": waiting})
        why = {"reason": "they meet"}
        trader_id = meeting.traders[1].trader.trader_id
        yield partial(insist, NO_FINANCE, "order.cancel", order_no=waiting, **why)
        assigned = {"order_no": waiting, "trader_id": trader_id, **why}
        yield partial(insist, NO_FINANCE, "order.assign", **assigned)
        disputed = meeting.disputed()
        for outcome in ("completed", "cancelled", "completed"):
            resolved = {"order_no": disputed, "outcome": outcome, **why}
            yield partial(insist, "root", "solo/order.resolve", **resolved)


def outcome_of(call: Call) -> Any:
    try:
        return call()
    except Refused as refused:
        return refused


def test_a_proposal_is_executed_once(meeting: Meeting) -> None:
    numbers = proposals_made(meeting)
    decided = {number: list(decisions(meeting, number)) for number in numbers}
    keyed = list(money_requests(meeting))
    moves = list(orders_and_moves(meeting))
    calls = [("order", call) for call in moves] + keyed
    calls += [(number, call) for number, each in decided.items() for call in each]
    Random(1).shuffle(calls)
    with ThreadPoolExecutor(THREADS) as pool:
        outcomes = list(pool.map(lambda named: (named[0], outcome_of(named[1])), calls))
    refused = Counter(each.code for _, each in outcomes if isinstance(each, Refused))
    assert set(refused) <= {OWN_PROPOSAL, STATE, BALANCE}, refused

    shown = {p["proposal_no"]: p for p in meeting.people.listed("viewer-1", "proposal.list")}
    for number in numbers:
        answered = [each for name, each in outcomes if name == number and isinstance(each, dict)]
        assert_decided_once(shown[number], [e.get("proposal", e) for e in answered])
    rotated = [n for n in numbers if shown[n]["command"] == RESET]
    assert sum(shown[number]["status"] == "executed" for number in rotated) <= 1
    made = answers_by_key(outcomes, {key for key, _ in keyed})
    ours = {n: p for n, p in shown.items() if p["target"] in meeting.owners}
    assert ours.keys() == {*numbers, *made}
    assert_audited(meeting, ours)
    meeting.check_books(ours)


def assert_decided_once(proposal: Any, answers: list[Any]) -> None:
    """Check that all answers are of one decision, by somebody other than the proposer."""
    decisions = {(a["status"], a["decided_by"], a["decided_at"]) for a in answers}
    stored = proposal["status"], proposal["decided_by"], proposal["decided_at"]
    assert decisions <= {stored}, (stored, decisions)
    if proposal["status"] in DONE:
        assert proposal["decided_by"] in DECIDERS
    else:
        assert proposal["status"] in {"rejected", "open"}
    if proposal["status"] == "open":
        assert proposal["command"] == RESET, "what it rests on has changed"


def answers_by_key(outcomes: list[tuple[str, Any]], keys: set[str]) -> set[str]:
    """Check that all requests with one key were answered alike; return the proposals made."""
    made = set[str]()
    for key in keys:
        answers = [each for name, each in outcomes if name == key]
        if any(isinstance(each, Refused) for each in answers):
            assert {each.code for each in answers} == {BALANCE}
            continue
        proposals = {each["proposal"]["proposal_no"] for each in answers if "proposal" in each}
        transfers = {each.get("transfer_id", each.get("audit_id")) for each in answers}
        assert len(proposals or transfers) == 1, answers
        made |= proposals
    return made


def assert_audited(meeting: Meeting, proposals: dict[str, Any]) -> None:
    """Check that each proposal has one entry of its making and one of its decision."""
    entries: list[Any] = meeting.seed.items(meeting.seed.tables.audit)
    written = Counter((e.get("proposal_no"), e["action"]) for e in entries)
    for number, proposal in proposals.items():
        assert written[number, proposal["command"]] == 1
        rejected, is_approved = proposal["status"] == "rejected", proposal["status"] in DONE
        assert written[number, "proposal.approve"] == is_approved, number
        assert written[number, "proposal.reject"] == rejected, number
