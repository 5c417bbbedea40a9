"""Every statement of the operators' policies is needed: without it, a command fails.

`test_operator_roles.py` shows that no statement is missing.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.stack import Stack
from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex
from orderdesk.domain.modes import Mode
from orderdesk_cli.aws_rights import is_denied
from orderdesk_cli.wiring import Office
from tests.infra.operator_commands import COMMANDS, Role, Scene, office_of
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed

type Probe = Callable[[Scene, Office], bool]
"""Makes a request that needs the statement; returns whether it succeeded."""

ROLES = {
    "ViewerPolicy": Role.VIEWER,
    "SupportPolicy": Role.SUPPORT,
    "FinancePolicy": Role.FINANCE,
}


def runs(name: str, *own: str) -> Probe:
    """Return a probe of a command; `own` arguments replace its usual ones."""

    def probe(scene: Scene, office: Office) -> bool:
        command = COMMANDS[name]
        result = Terminal(office).run(*name.split(), *(own or command.rest(scene)))
        is_refused = "lacks the right" in result.stderr
        return not is_refused and (result.exit_code == 0 or command.may_complain)

    return probe


def sells_waiting(scene: Scene, office: Office) -> bool:
    """Query the waiting sells as the console does."""
    index = WaitingSellIndex(office._dynamodb, scene.seed.tables.orders)
    try:
        list(index.waiting(Mode.LIVE, 1))
    except ClientError as error:
        if is_denied(error):
            return False
        raise
    return True


PROBES: dict[tuple[str, str], Probe] = {
    ("ViewerPolicy", "FindStack"): runs("rate show"),
    ("ViewerPolicy", "ReadMerchant"): runs("rate show"),
    ("ViewerPolicy", "ListMerchants"): runs("merchant list"),
    ("ViewerPolicy", "ReadTrader"): runs("trader show"),
    ("ViewerPolicy", "ListTraders"): runs("trader list"),
    ("ViewerPolicy", "ReadOrder"): runs("order show"),
    ("ViewerPolicy", "FindNumbers"): runs("order find"),
    ("ViewerPolicy", "ListOrdersOfMerchant"): runs("order list", "--merchant", "m1"),
    ("ViewerPolicy", "ListOrdersOfTrader"): runs("order list", "--trader", "t1"),
    ("ViewerPolicy", "ListWaitingSells"): sells_waiting,
    ("ViewerPolicy", "ScanOrders"): runs("ledger check"),
    ("ViewerPolicy", "ReadBalance"): runs("merchant show"),
    ("ViewerPolicy", "ReadShards"): runs("merchant show"),
    ("ViewerPolicy", "ListWithdrawals"): runs("withdraw list"),
    ("ViewerPolicy", "ScanLedger"): runs("ledger balances"),
    ("ViewerPolicy", "FindCallbacksOfOrder"): runs("order show"),
    ("ViewerPolicy", "FindCallbacksInTrouble"): runs("callback dead"),
    ("ViewerPolicy", "ReadAudit"): runs("audit"),
    ("ViewerPolicy", "ReadUploads"): runs("order evidence"),
    ("ViewerPolicy", "ReadPictures"): runs("order evidence"),
    ("SupportPolicy", "MoveOrder"): runs("order assign"),
    ("SupportPolicy", "SettleTrader"): runs("trader online"),
    ("SupportPolicy", "SettleAccounts"): runs("order cancel"),
    ("SupportPolicy", "PostSettlement"): runs("order resolve"),
    ("SupportPolicy", "AppendToAudit"): runs("trader online"),
    ("SupportPolicy", "ReadCallback"): runs("callback redeliver"),
    ("SupportPolicy", "StartCallbackAgain"): runs("callback redeliver"),
    ("SupportPolicy", "SendCallback"): runs("callback redeliver"),
    ("FinancePolicy", "AddMerchant"): runs("merchant add"),
    ("FinancePolicy", "ChangeMerchant"): runs("merchant set"),
    ("FinancePolicy", "CheckMerchant"): runs("fund merchant"),
    ("FinancePolicy", "AddTrader"): runs("trader add"),
    ("FinancePolicy", "ChangeTrader"): runs("trader set"),
    ("FinancePolicy", "MoveFunds"): runs("withdraw approve"),
    ("FinancePolicy", "PostFunds"): runs("fund merchant"),
    ("FinancePolicy", "OpenSecrets"): runs("merchant rotate-secret"),
    ("FinancePolicy", "SealSecrets"): runs("merchant add"),
}


@pytest.fixture(scope="module")
def keys(operators: list[dict[str, str]]) -> dict[Role, tuple[str, str]]:
    return {
        Role[each["role"].upper()]: (each["access_key_id"], each["secret_access_key"])
        for each in operators
    }


@contextmanager
def without(stack: Stack, policy: str, sid: str) -> Iterator[None]:
    """Remove one statement from a policy with immediate effect, and restore it at the end."""
    document = in_force(stack, policy)
    rest = [statement for statement in document["Statement"] if statement["Sid"] != sid]
    assert len(rest) == len(document["Statement"]) - 1
    replace(stack, policy, {**document, "Statement": rest})
    try:
        yield
    finally:
        replace(stack, policy, document)


def in_force(stack: Stack, policy: str) -> dict[str, Any]:
    iam, arn = stack.client("iam"), stack.outputs[f"{policy}Arn"]
    version = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    found = iam.get_policy_version(PolicyArn=arn, VersionId=version)["PolicyVersion"]
    document: dict[str, Any] = found["Document"]
    return document


def replace(stack: Stack, policy: str, document: dict[str, Any]) -> None:
    """Set a policy's document and delete the previous version: IAM keeps at most five."""
    iam, arn = stack.client("iam"), stack.outputs[f"{policy}Arn"]
    before = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    iam.create_policy_version(PolicyArn=arn, PolicyDocument=json.dumps(document), SetAsDefault=True)
    iam.delete_policy_version(PolicyArn=arn, VersionId=before)


@pytest.mark.parametrize(("policy", "sid"), sorted(PROBES))
def test_without(
    stack: Stack,
    stack_seed: StackSeed,
    keys: dict[Role, tuple[str, str]],
    policy: str,
    sid: str,
) -> None:
    probe, scene, key = PROBES[policy, sid], Scene(stack_seed), keys[ROLES[policy]]
    assert probe(scene, office_of(stack, *key)), "fails even with the whole policy"
    with without(stack, policy, sid):
        assert not probe(scene, office_of(stack, *key)), "succeeds without it: not needed"


def test_every_statement_has_a_probe(stack: Stack) -> None:
    there = {
        (policy, statement["Sid"])
        for policy in ROLES
        for statement in in_force(stack, policy)["Statement"]
    }
    assert there == PROBES.keys()
