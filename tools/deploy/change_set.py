"""Execute the change set that a preview showed and somebody approved.

    .venv/bin/python -m tools.deploy.change_set ARN

Nothing is built again: template, parameters and code are those of the preview. CloudFormation
deletes all other change sets of a stack when it executes one, so an outdated one is refused. Exits
with 1 if the change set cannot be executed or the deployment fails.
"""

import sys
from typing import Any

from botocore.exceptions import ClientError, WaiterError
from botocore.session import Session

_WAIT = {"Delay": 15, "MaxAttempts": 220}  # 55 minutes; a canary takes five


def execute(formation: Any, arn: str, wait: dict[str, int]) -> str:
    """Execute a change set and return the stack's last status. Raises: botocore's errors."""
    described = formation.describe_change_set(ChangeSetName=arn)
    stack = described["StackId"]
    is_new = _status(formation, stack) == "REVIEW_IN_PROGRESS"
    formation.execute_change_set(ChangeSetName=arn, ClientRequestToken=arn.rpartition("/")[2])
    waiter = formation.get_waiter("stack_create_complete" if is_new else "stack_update_complete")
    waiter.wait(StackName=stack, WaiterConfig=wait)
    return _status(formation, stack)


def _status(formation: Any, stack: str) -> str:
    return str(formation.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"])


def main() -> int:
    arn = sys.argv[1]
    try:
        print(execute(Session().create_client("cloudformation"), arn, _WAIT))
    except (ClientError, WaiterError) as error:
        print(f"change_set: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
