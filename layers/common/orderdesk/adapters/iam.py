"""IAM's decisions: what a caller of the operators' API may call."""

from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, call

if TYPE_CHECKING:
    from mypy_boto3_iam import IAMClient

_INVOKE = "execute-api:Invoke"
_ASSUMED_ROLE = "assumed-role/"
_ROOT = ":root"


class CallerRights:
    """The rights of one identity on the commands of one stage.

    `stage_arn` is `arn:…:execute-api:REGION:ACCOUNT:API/STAGE`. A policy that only a session has is
    not part of the simulation, so such a session may be refused what is listed.
    """

    def __init__(self, session: Session, caller_arn: str, stage_arn: str) -> None:
        self._session = session
        self._caller_arn = caller_arn
        self._stage_arn = stage_arn

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        if self._caller_arn.endswith(_ROOT):  # no policy limits it, and IAM simulates none
            return frozenset(commands)
        client = cast("IAMClient", self._session.create_client("iam", config=CLIENT_CONFIG))
        source = self._source_arn(client)
        of_resource = {f"{self._stage_arn}/POST/{name}": name for name in commands}
        results = call(
            lambda: client.simulate_principal_policy(
                PolicySourceArn=source,
                ActionNames=[_INVOKE],
                ResourceArns=list(of_resource),
                MaxItems=1000,
            )
        )["EvaluationResults"]
        return frozenset(
            of_resource[resource["EvalResourceName"]]
            for result in results
            for resource in result.get("ResourceSpecificResults", [])
            if resource["EvalResourceDecision"] == "allowed"
        )

    def _source_arn(self, client: "IAMClient") -> str:
        """Return the ARN of the user, or of the role of a session, which lacks the role's path."""
        _, found, session = self._caller_arn.partition(_ASSUMED_ROLE)
        if not found:
            return self._caller_arn
        role = session.partition("/")[0]
        return call(lambda: client.get_role(RoleName=role))["Role"]["Arn"]
