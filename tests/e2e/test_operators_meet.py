"""Operators, a merchant and traders at once against the same money, over HTTP with roles' keys.

Nothing is executed twice or by one person, and the books balance afterwards.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import pytest

from local.operators import POLICIES_OF
from local.stack import Stack
from orderdesk.domain.merchants.merchant import Merchant
from tests.e2e.busy import create
from tests.support.books import assert_books
from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.operator_calls import People, Refused, findings_about, session_of
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit

THREADS = examples(budget=16, full=60)
OF_EACH = examples(budget=1, full=4)
COPIES = 3  # of each request with an idempotency key

PROPOSER, *DECIDERS = "finance-1", "finance-2", "root"
PROPOSER_BY_ROLE = "finance-1 by a role"
NO_FINANCE = "support-1"
MONEY = ("fund.merchant", "fund.trader", "withdraw.merchant", "withdraw.trader")
BY_AWS, OWN_PROPOSAL, STATE, BALANCE = None, 2301, 2003, 2102

pytestmark = pytest.mark.deep  # `make test` makes fewer concurrent calls

type Call = Callable[[], Any]


@dataclass(frozen=True)
class Meeting:
    """A merchant and two traders, funded with postings, and the people who move their money."""

    seed: StackSeed
    people: People
    merchant: Merchant
    client: MerchantClient
    traders: list[TraderVisit]

    @property
    def owners(self) -> set[str]:
        """The ids of the merchant and the traders."""
        return {self.merchant.merchant_id, *self.trader_ids}

    @property
    def trader_ids(self) -> set[str]:
        return {visit.trader.trader_id for visit in self.traders}

    def money(self, command: str, amount: str) -> dict[str, Any]:
        """Return the parameters of a funding or withdrawal."""
        kind = command.partition(".")[2]
        trader_id = self.traders[0].trader.trader_id
        owner = {"merchant": self.merchant.merchant_id, "trader": trader_id}[kind]
        return {f"{kind}_id": owner, "amount": amount, "memo": "they meet"}

    def fund(self) -> None:
        """Fund everybody as an administrator who acts alone."""
        owners = [{"merchant_id": self.merchant.merchant_id}]
        owners += [{"trader_id": trader_id} for trader_id in sorted(self.trader_ids)]
        for owner in owners:
            command = f"solo/fund.{next(iter(owner)).removesuffix('_id')}"
            self.people.insist("root", command, **owner, amount="5000", memo="float")

    def order(self, params: dict[str, Any]) -> str:
        """Create an order with a number of its own; return its order_no."""
        number = self.seed.new_name()
        reply = create(self.client, params | {"merchant_order_no": number})
        assert reply.code == 1, reply
        return str(reply.data["order_no"])

    def disputed(self) -> str:
        """Create a buy that was paid after its merchant cancelled it."""
        order_no = self.order(buy(cny_amount="30.00"))
        assert self.client.post("/merchant/cancelOrder", {"order_no": order_no}).code == 1
        moved = {"order_no": order_no, "reason": "paid late"}
        self.people.insist(NO_FINANCE, "order.dispute", **moved)
        return order_no

    def trader_of(self, order_no: str) -> TraderVisit:
        order: Any = self.seed.get(self.seed.tables.orders, {"pk": order_no})
        return next(v for v in self.traders if v.trader.trader_id == order["trader_id"])


@pytest.fixture(params=[1, 32], ids=["1 shard", "32 shards"])
def meeting(
    request: pytest.FixtureRequest, stack: Stack, stack_seed: StackSeed, people: People
) -> Iterator[Meeting]:
    """Yield a meeting with a merchant of 1 or 32 balance shards."""
    stack_seed.clear_rotation()
    merchant, client = stack_seed.add_merchant()
    traders = [TraderVisit.of_new_trader(stack_seed, available_micro=0) for _ in range(2)]
    role = "AWSReservedSSO_Finance_Meeting"
    with session_of(stack, role, "Finance-1", POLICIES_OF["finance"]) as keys:
        people = replace(people, keys={**people.keys, PROPOSER_BY_ROLE: keys})
        meeting = Meeting(stack_seed, people, merchant, client, traders)
        meeting.fund()
        split = {"merchant_id": merchant.merchant_id, "balance_shards": request.param}
        people.insist("root", "solo/merchant.set", **split)
        yield meeting


def proposals_made(meeting: Meeting) -> list[str]:
    people, found = meeting.people, list[str]()
    for command in MONEY * OF_EACH * 2:
        found.append(people.proposed(PROPOSER, command, **meeting.money(command, "90")))
    rotation = {"merchant_id": meeting.merchant.merchant_id, "reason": "they meet"}
    found += [people.proposed(PROPOSER, "merchant.rotate-secret", **rotation) for _ in range(2)]
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
            yield partial(insist, NO_FINANCE, "order.resolve", **resolved)


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
    assert set(refused) <= {BY_AWS, OWN_PROPOSAL, STATE, BALANCE}, refused
    assert refused[BY_AWS] == len(numbers), "of support, who may not approve"

    shown = {p["proposal_no"]: p for p in meeting.people.listed("viewer-1", "proposal.list")}
    for number in numbers:
        answered = [each for name, each in outcomes if name == number and isinstance(each, dict)]
        assert_decided_once(shown[number], [e.get("proposal", e) for e in answered])
    rotated = [n for n in numbers if shown[n]["command"] == "merchant.rotate-secret"]
    assert sum(shown[number]["status"] == "executed" for number in rotated) <= 1
    made = answers_by_key(outcomes, {key for key, _ in keyed})
    ours = {n: p for n, p in shown.items() if p["target"] in meeting.owners}
    assert ours.keys() == {*numbers, *made}
    assert_audited(meeting, ours)
    assert_books(meeting.seed, {meeting.merchant.merchant_id}, meeting.trader_ids)
    orders: list[Any] = meeting.seed.items(meeting.seed.tables.orders, "order")
    mine = {o["order_no"] for o in orders if o["merchant_id"] == meeting.merchant.merchant_id}
    found = findings_about(meeting.people.checked(), meeting.owners | mine | ours.keys())
    assert found == []


def assert_decided_once(proposal: Any, answers: list[Any]) -> None:
    """Check that all answers are of one decision, by somebody other than the proposer."""
    decisions = {(a["status"], a["decided_by"], a["decided_at"]) for a in answers}
    stored = proposal["status"], proposal["decided_by"], proposal["decided_at"]
    assert decisions <= {stored}, (stored, decisions)
    if proposal["status"] == "executed":
        assert proposal["decided_by"] in DECIDERS
    else:
        assert proposal["status"] in {"rejected", "open"}
    if proposal["status"] == "open":
        assert proposal["command"] == "merchant.rotate-secret", "what it rests on has changed"


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
        executed, rejected = (proposal["status"] == each for each in ("executed", "rejected"))
        assert written[number, "proposal.approve"] == executed, number
        assert written[number, "proposal.reject"] == rejected, number
