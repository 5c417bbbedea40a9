"""The principal behind an operator's ARN: the part that IAM vouches for.

Two operators are two principals. A caller of AssumeRole chooses the name of its session, so all
sessions of a role are one principal. IAM Identity Center names the sessions of its own roles, and
nobody else can change the names, so each of their users is a principal.
"""

_ASSUMED_ROLE = "assumed-role/"
_OF_IDENTITY_CENTER = "AWSReservedSSO_"
# A caller of GetFederationToken chooses the name in its ARN.
_FEDERATED_USER = "federated-user/"
_ARN_PARTS = 6


def principal_of(who: str) -> str | None:
    """Return the principal of a caller's ARN from STS; None if the ARN does not identify one."""
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
