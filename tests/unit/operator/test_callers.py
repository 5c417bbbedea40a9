"""Whom a caller's ARN identifies."""

import pytest

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
