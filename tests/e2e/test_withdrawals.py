"""Withdrawals on the deployed stack: many concurrent ones on one balance, and two IAM users."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from random import sample
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from local.stack import Stack
from orderdesk.adapters.system import now_us
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import AccountKind
from orderdesk.domain.merchants.withdrawal_errors import WithdrawalRefused
from orderdesk.domain.merchants.withdrawals import RequestStatus
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import (
    BalanceTooLow,
    ProposalDecided,
    RequestDecided,
    SecondPersonNeeded,
)
from orderdesk.domain.orders.order_errors import InsufficientBalance, NoTraderAvailable
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus
from orderdesk.services.expire_proposals import expire_proposals
from orderdesk.services.operator.proposals import list_proposals
from tests.e2e.script import orderdesk
from tests.support.faults import answer_lost
from tests.support.money_world import FUNDS_MICRO, OPERATORS, MoneyWorld
from tests.support.payouts import pay_out
from tests.support.stack_seed import StackSeed

PROPOSED, EACH_MICRO = 20, 90 * 10**6
A_SELL_FEN = 333_33
REFUSED = (
    *(SecondPersonNeeded, ProposalDecided, BalanceTooLow, InsufficientBalance),
    NoTraderAvailable,  # the trader's USDT is held, or it has an equal buy open
    TryAgain,  # nothing was written: too many conflicts on the balance
)

type Attempt = Callable[[], Proposal | str]


@pytest.mark.parametrize("kind", [AccountKind.MERCHANT, AccountKind.TRADER])
def test_200_decisions_and_orders_at_once_against_one_balance(
    money: MoneyWorld, kind: AccountKind
) -> None:
    proposer, *others = OPERATORS
    account = money.withdrawn_account(kind, Mode.LIVE)
    withdrawals = [money.propose(account, EACH_MICRO, proposer) for _ in range(PROPOSED // 2)]
    fundings = [money.propose_funding(account, EACH_MICRO, proposer) for _ in range(PROPOSED // 2)]
    numbers = [proposal.proposal_no for proposal in (*withdrawals, *fundings)]
    side = OrderType.SELL if kind is AccountKind.MERCHANT else OrderType.BUY
    attempts: list[Attempt] = [lambda: money.create(side, A_SELL_FEN)] * 40
    attempts += [lambda: money.propose(account, EACH_MICRO, proposer)] * 20
    for number in numbers:
        attempts += [partial(money.decide, number, "approve", who) for who in (*OPERATORS, *others)]
        attempts += [partial(money.decide, number, "reject", who) for who in others]
    assert len(attempts) == 200

    def outcome(attempt: Attempt) -> Proposal | str | Exception:
        try:
            return attempt()
        except REFUSED as refusal:
            return refusal

    with ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(outcome, sample(attempts, len(attempts))))
    for number in numbers:
        decided = [p for p in outcomes if isinstance(p, Proposal) and p.proposal_no == number]
        stored = money.proposal(number)
        assert decided in ([stored], []), "one decision for each"
        assert stored.decided_by != proposer
    paid, funded = (
        sum(money.proposal(p.proposal_no).status is ProposalStatus.EXECUTED for p in proposals)
        for proposals in (withdrawals, fundings)
    )
    assert paid + funded
    now = money.balance(account)
    assert now.available_micro + now.held_micro == FUNDS_MICRO + EACH_MICRO * (funded - paid)
    money.check()


def test_all_that_can_happen_to_requests_at_once(money: MoneyWorld) -> None:
    numbers = [money.request_withdrawal(EACH_MICRO).request_no for _ in range(8)]

    def at_once(attempts: list[Callable[[], object]]) -> None:
        def outcome(attempt: Callable[[], object]) -> None:
            with suppress(*REFUSED, RequestDecided, WithdrawalRefused):
                attempt()

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(outcome, sample(attempts, len(attempts))))

    for _ in range(2):
        taking: list[Callable[[], object]] = [
            partial(money.take_up, number, who) for number in numbers for who in OPERATORS
        ]
        at_once([*taking, *(partial(money.cancel_request, number) for number in numbers[::4])])
        money.check()
        taken = [money.request(number).proposal_no for number in numbers]
        over = money.now + LIFE_SECONDS
        deciding: list[Callable[[], object]] = [
            partial(money.decide, number, what, who)
            for number in filter(None, taken)
            for what, who in (("approve", "bob"), ("approve", "cid"), ("reject", "ann"))
        ]
        at_once([*deciding, partial(expire_proposals, money.expiry_ports, over, lambda: True)])
        money.check()
    statuses = Counter(money.request(number).status for number in numbers)
    paid = statuses[RequestStatus.APPROVED]
    account = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
    now = money.balance(account)
    assert now.available_micro + now.held_micro == FUNDS_MICRO - EACH_MICRO * paid
    assert now.held_micro == EACH_MICRO * statuses[RequestStatus.REQUESTED]


@pytest.mark.parametrize("kind", [AccountKind.MERCHANT, AccountKind.TRADER])
@pytest.mark.parametrize("times", [1, 2])
def test_a_step_whose_answer_is_lost_is_done_once(
    money: MoneyWorld, kind: AccountKind, times: int
) -> None:
    module: Any = SimpleNamespace(dynamodb=money.seed.client)
    account = money.withdrawn_account(kind, Mode.LIVE)
    for what in ("approve", "reject"):
        with answer_lost(module, "TransactWriteItems", times) as calls:
            proposed = money.propose(account, EACH_MICRO, OPERATORS[0])
        assert len(calls) == times + 1
        listed = list_proposals(money.proposals, money.now, limit=100, open_only=True).items
        assert [p for p in listed if p.plan.target == account.owner] == [proposed]
        with answer_lost(module, "TransactWriteItems", times) as calls:
            money.decide(proposed.proposal_no, what, OPERATORS[1])
        assert len(calls) == times + 1 + (what == "approve"), "the payout is a request more"
    now = money.balance(account)
    assert (now.available_micro, now.held_micro) == (FUNDS_MICRO - EACH_MICRO, 0)


def keys_of_a_new_user(stack: Stack) -> dict[str, str]:
    iam, name = stack.client("iam"), f"operator-{uuid4().hex[:8]}"
    iam.create_user(UserName=name)
    allowed = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
    iam.put_user_policy(UserName=name, PolicyName="all", PolicyDocument=policy)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {
        "AWS_ACCESS_KEY_ID": key["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
    }


def test_the_proposer_is_who_iam_says(stack: Stack, stack_seed: StackSeed) -> None:
    merchant, _ = stack_seed.add_merchant()
    stack_seed.fund(merchant, 10**9)
    ours, others = keys_of_a_new_user(stack), keys_of_a_new_user(stack)
    words = ("withdraw", "merchant", merchant.merchant_id, "7", "--memo", "m", "--json")
    proposed: Any = json.loads(orderdesk(stack, *words, keys=ours).stdout)
    number = proposed["withdrawal_no"]
    approve = ("withdraw", "approve", number, "--digest", proposed["proposal"]["digest"], "--json")
    assert proposed["proposal"]["proposed_by"].startswith("operator-")
    for name in ("root", "somebody"):
        keys = {**ours, "USER": name, "LOGNAME": name, "USERNAME": name}
        refused = orderdesk(stack, *approve, keys=keys)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "another person" in refused.stderr
    assert stack_seed.balance(merchant) == (993 * 10**6, 7 * 10**6)
    approved = orderdesk(stack, *approve, keys=others)
    assert approved.returncode == 0, approved.stderr
    assert json.loads(approved.stdout)["status"] == "approved"
    pay_out(stack_seed, now_us)
    assert stack_seed.balance(merchant) == (993 * 10**6, 0)
