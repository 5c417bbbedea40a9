"""The principal behind an operator's ARN: what IAM vouches for, without what a caller may choose.

Two operators are two principals. A caller of AssumeRole chooses the name of its session, so every
session of a role is one principal. IAM Identity Center names the sessions of its own roles, which
nobody else can change, so each of their users is a principal.
"""

_ASSUMED_ROLE = "assumed-role/"
_OF_IDENTITY_CENTER = "AWSReservedSSO_"
# GetFederationToken lets a caller choose the name in its ARN.
_FEDERATED_USER = "federated-user/"
_ARN_PARTS = 6


def principal_of(who: str) -> str | None:
    """Give the principal of a caller's ARN, as STS gives it; None if the ARN does not name one."""
    parts = who.split(":", _ARN_PARTS - 1)
    if len(parts) < _ARN_PARTS or parts[0] != "arn":
        return None
    resource = parts[-1]
    if resource.startswith(_FEDERATED_USER):
        return None
    if not resource.startswith(_ASSUMED_ROLE):
        return who
    role = resource.removeprefix(_ASSUMED_ROLE).partition("/")[0]
    if role.startswith(_OF_IDENTITY_CENTER):
        return who
    return ":".join([*parts[:-1], _ASSUMED_ROLE + role])
