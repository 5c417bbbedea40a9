"""The local stack's operators: IAM users with the template's managed policies (section 10)."""

from typing import Any

from local.stack import Stack

# Each policy adds to the one before it (docs/runbook.md).
POLICIES_OF = {
    "viewer": ("ViewerPolicyArn",),
    "support": ("ViewerPolicyArn", "SupportPolicyArn"),
    "finance": ("ViewerPolicyArn", "SupportPolicyArn", "FinancePolicyArn"),
}
# Two with the role finance: one proposes a withdrawal, the other approves it.
ROLE_OF = {
    "finance-1": "finance",
    "finance-2": "finance",
    "support-1": "support",
    "viewer-1": "viewer",
}


def add_operators(stack: Stack) -> list[dict[str, str]]:
    """Create the users, each with a key; return their part of stack.json."""
    iam = stack.client("iam")
    return [_added(iam, stack, name, role) for name, role in ROLE_OF.items()]


def _added(iam: Any, stack: Stack, name: str, role: str) -> dict[str, str]:
    iam.create_user(UserName=name)
    for output in POLICIES_OF[role]:
        iam.attach_user_policy(UserName=name, PolicyArn=stack.outputs[output])
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {
        "name": name,
        "role": role,
        "access_key_id": key["AccessKeyId"],
        "secret_access_key": key["SecretAccessKey"],
    }
