"""Whom a caller's ARN identifies, and its rights as IAM simulates them."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from botocore.session import Session

from orderdesk.adapters.operator import CallerRights
from orderdesk.domain.operators import ROOT, is_same_person, person_of

ROLES = ("AWSReservedSSO_*",)
IAM = "arn:aws:iam::123456789012:"
STS = "arn:aws:sts::123456789012:"


@pytest.mark.parametrize(
    ("arn", "person"),
    [
        (f"{IAM}user/finance-1", "finance-1"),
        (f"{IAM}user/desk/finance-1", "finance-1"),
        ("arn:aws-cn:iam::123456789012:user/finance-1", "finance-1"),
        (f"{STS}assumed-role/AWSReservedSSO_Finance_0a1b/li@example.com", "li@example.com"),
    ],
)
def test_a_user_or_a_session_of_a_listed_role_is_a_person(arn: str, person: str) -> None:
    assert person_of(arn, ROLES, allow_root=False) == person


@pytest.mark.parametrize(
    "arn",
    [
        "",
        "finance-1",
        f"{IAM}root",
        f"{IAM}user/",
        f"{IAM}user/a b",
        f"{STS}federated-user/finance-2",
        f"{STS}assumed-role/Deployer/finance-2",
        f"{STS}assumed-role/My_AWSReservedSSO_x/finance-2",
        f"{STS}assumed-role/AWSReservedSSO_x",
        f"{STS}assumed-role/AWSReservedSSO_x/a/b",
        "urn:aws:iam::123456789012:user/finance-1",
    ],
)
def test_nobody_else_is_a_person(arn: str) -> None:
    assert person_of(arn, ROLES, allow_root=False) is None


def test_root_is_a_person_only_where_that_is_allowed() -> None:
    assert person_of(f"{IAM}root", (), allow_root=True) == ROOT
    assert person_of(f"{IAM}user/root", (), allow_root=False) == ROOT


def test_one_person_under_two_roles_and_in_another_case_is_one_person() -> None:
    names = [
        person_of(f"{STS}assumed-role/{role}/{session}", ("Desk*",), allow_root=False)
        for role, session in (("DeskFinance", "li"), ("DeskSupport", "Li"))
    ]
    one, other = names
    assert one is not None
    assert other is not None
    assert is_same_person(one, other)
    assert not is_same_person(one, "wang")


STAGE = "arn:aws:execute-api:eu-west-1:123456789012:api/v1"


def test_a_truncated_answer_is_read_to_its_end() -> None:
    """IAM may return fewer results than there are (SimulatePrincipalPolicy, MaxItems)."""
    names = ["order.list", "order.show", "fund.merchant"]

    def simulate(*, Marker: str = "0", **_: Any) -> dict[str, Any]:  # noqa: N803 - IAM's name
        at = int(Marker)
        name = f"{STAGE}/POST/{names[at]}"
        result = {"EvalResourceName": name, "EvalDecision": "allowed"}
        more = {"IsTruncated": True, "Marker": str(at + 1)} if at < 2 else {"IsTruncated": False}
        return {"EvaluationResults": [result], **more}

    iam = SimpleNamespace(simulate_principal_policy=simulate)
    session = SimpleNamespace(create_client=lambda *_, **__: iam)
    person = "arn:aws:iam::123456789012:user/ann"
    rights = CallerRights(cast("Session", session), person, STAGE, emulated=False)
    assert rights.allowed(names) == set(names)
