"""The principal of an ARN: the parts that a caller chooses do not change it."""

import pytest

from orderdesk.domain.operators import principal_of

USER = "arn:aws:iam::123456789012:user/finance/alice"
ROLE = "arn:aws:sts::123456789012:assumed-role/Finance"
SSO = "arn:aws-cn:sts::123456789012:assumed-role/AWSReservedSSO_Finance_0123456789abcdef"


def test_a_user_is_itself() -> None:
    assert principal_of(USER) == USER
    assert principal_of("arn:aws:iam::123456789012:root") == "arn:aws:iam::123456789012:root"


def test_all_sessions_of_a_role_are_one() -> None:
    assert principal_of(f"{ROLE}/alice") == principal_of(f"{ROLE}/bob") == ROLE
    assert principal_of(f"{ROLE}Two/alice") != ROLE


def test_identity_center_names_its_users_itself() -> None:
    assert principal_of(f"{SSO}/alice@example.com") == f"{SSO}/alice@example.com"
    other = "arn:aws:sts::123456789012:assumed-role/NotAWSReservedSSO_Finance/alice"
    assert principal_of(other) == other.removesuffix("/alice")


@pytest.mark.parametrize(
    "who",
    [
        "",
        "os-user:alice",
        "alice",
        "arn:aws:iam::123456789012",
        "arn:aws:sts::123456789012:federated-user/alice",
    ],
)
def test_a_name_that_a_caller_chose_is_nobody(who: str) -> None:
    assert principal_of(who) is None
