"""What operators' commands need of IAM and S3: a caller's rights, and links to stored files."""

from collections.abc import Collection, Iterator, Sequence
from itertools import batched
from typing import TYPE_CHECKING, Any, cast

from botocore.session import Session

from orderdesk.adapters.receipts import Bucket
from orderdesk.adapters.sending import CLIENT_CONFIG, call

if TYPE_CHECKING:
    from mypy_boto3_iam import IAMClient

_ALLOWED = "allowed"
_INVOKE = "execute-api:Invoke"
_ASSUMED_ROLE = "assumed-role/"
_ROOT = ":root"
_RESOURCES_MAX = 100  # an answer has at most 100 results by default, and may have fewer


class CallerRights:
    """The rights of one identity on the commands of one stage.

    `stage_arn` is `arn:…:execute-api:REGION:ACCOUNT:API/STAGE`. A policy that only a session has is
    not part of the simulation, so such a session may be refused what is listed. An emulator
    simulates one resource a request.
    """

    def __init__(
        self, session: Session, caller_arn: str, stage_arn: str, *, emulated: bool
    ) -> None:
        self._session = session
        self._caller_arn = caller_arn
        self._stage_arn = stage_arn
        self._resources_max = 1 if emulated else _RESOURCES_MAX

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        if self._caller_arn.endswith(_ROOT):  # no policy limits it, and IAM simulates none
            return frozenset(commands)
        client = cast("IAMClient", self._session.create_client("iam", config=CLIENT_CONFIG))
        source = self._source_arn(client)
        return frozenset(
            resource.rpartition("/")[2]
            for names in batched(commands, self._resources_max, strict=False)
            for resource in self._allowed_of(client, source, names)
        )

    def _allowed_of(self, client: "IAMClient", source: str, names: Sequence[str]) -> Iterator[str]:
        asked: dict[str, Any] = {
            "PolicySourceArn": source,
            "ActionNames": [_INVOKE],
            "ResourceArns": [f"{self._stage_arn}/POST/{name}" for name in names],
        }
        is_over = False
        while not is_over:
            answer = call(lambda: client.simulate_principal_policy(**asked))
            for result in answer["EvaluationResults"]:
                specific = result.get("ResourceSpecificResults")
                if not specific and result["EvalDecision"] == _ALLOWED:
                    yield result["EvalResourceName"]
                for each in specific or ():
                    if each["EvalResourceDecision"] == _ALLOWED:
                        yield each["EvalResourceName"]
            is_over = not answer.get("IsTruncated")
            asked["Marker"] = answer.get("Marker")

    def _source_arn(self, client: "IAMClient") -> str:
        """Return the ARN of the user, or of the role of a session, which lacks the role's path."""
        _, found, session = self._caller_arn.partition(_ASSUMED_ROLE)
        if not found:
            return self._caller_arn
        role = session.partition("/")[0]
        return call(lambda: client.get_role(RoleName=role))["Role"]["Arn"]


class KeptEvidence(Bucket):
    """The bucket of receipts."""

    def link(self, key: str, name: str) -> str:
        """Sign a download link; a browser must not render an upload, which may be any file."""
        return self.url(
            key,
            ResponseContentType="application/octet-stream",
            ResponseContentDisposition=f'attachment; filename="{name}"',
        )
