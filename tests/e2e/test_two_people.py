"""What one person of finance could do alone with its own keys before there were proposals.

Every request is signed with the keys of an operator of the deployed stack.
"""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from local.operators import POLICIES_OF
from local.stack import Stack
from orderdesk.adapters.system import now_us
from tests.e2e.script import orderdesk
from tests.support.operator_calls import Keys, call, is_refused_by_aws, session_of
from tests.support.payouts import pay_out
from tests.support.stack_seed import StackSeed

FUNDS_MICRO = 10**10
SECOND_PERSON = (403, 2301)


@pytest.fixture(scope="module")
def users(operators: list[dict[str, str]]) -> dict[str, Keys]:
    return {each["name"]: Keys.of(each) for each in operators}


@pytest.fixture
def finance(users: dict[str, Keys]) -> Keys:
    return users["finance-1"]


def data(stack: Stack, keys: Keys, command: str, /, **parameters: Any) -> Any:
    """Call a command that must succeed; return its data."""
    envelope = call(stack, keys, command, **parameters).json()
    assert envelope["code"] == 1, envelope
    return envelope["data"]


def proposed(stack: Stack, keys: Keys, command: str, /, **parameters: Any) -> str:
    """Call a command that must propose and do nothing else; return the proposal_no."""
    answer = data(stack, keys, command, **parameters)
    assert answer.keys() <= {"proposal", "withdrawal_no"}
    assert answer["proposal"]["status"] == "open"
    return str(answer["proposal"]["proposal_no"])


def digest_of(stack: Stack, keys: Keys, number: str) -> str:
    """Return the digest of what a proposal would execute."""
    return str(data(stack, keys, "proposal.show", proposal_no=number)["digest"])


def refusal(answer: httpx.Response) -> tuple[int, int]:
    return answer.status_code, answer.json()["code"]


def test_nobody_approves_a_proposal_of_its_own(
    stack_seed: StackSeed, users: dict[str, Keys], finance: Keys
) -> None:
    stack, (merchant, _) = stack_seed.stack, stack_seed.add_merchant()
    stack_seed.fund(merchant, FUNDS_MICRO)
    asked = {"merchant_id": merchant.merchant_id, "amount": "1000", "memo": "m"}
    number = proposed(stack, finance, "withdraw.merchant", **asked)
    seen = {"proposal_no": number, "digest": digest_of(stack, finance, number)}
    held = (FUNDS_MICRO - 10**9, 10**9)
    assert stack_seed.balance(merchant) == held
    assert refusal(call(stack, finance, "proposal.approve", **seen)) == SECOND_PERSON
    for role in ("AWSReservedSSO_Finance_1", "AWSReservedSSO_Other_2"):
        with session_of(stack, role, "Finance-1", POLICIES_OF["finance"]) as same_person:
            answer = call(stack, same_person, "proposal.approve", **seen)
            assert refusal(answer) == SECOND_PERSON
    assert is_refused_by_aws(call(stack, users["viewer-1"], "proposal.approve", **seen))
    assert refusal(call(stack, users["support-1"], "proposal.approve", **seen)) == SECOND_PERSON
    assert stack_seed.balance(merchant) == held
    done = data(stack, users["finance-2"], "proposal.approve", **seen)
    assert (done["proposed_by"], done["decided_by"]) == ("finance-1", "finance-2")
    pay_out(stack_seed, now_us)
    assert stack_seed.balance(merchant) == (FUNDS_MICRO - 10**9, 0)


def test_nobody_names_another_person(stack_seed: StackSeed, finance: Keys) -> None:
    stack, (merchant, _) = stack_seed.stack, stack_seed.add_merchant()
    asked = {"merchant_id": merchant.merchant_id, "amount": "1", "memo": "m"}
    for name in ("proposed_by", "person", "operator", "alone"):
        answer = call(stack, finance, "fund.merchant", **asked, **{name: "finance-2"})
        assert refusal(answer) == (400, 1002)


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
