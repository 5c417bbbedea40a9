"""The operators' API in this process, called as persons whom AWS has identified."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from events.gateway import operator_event
from tests.support.world import World

ACCOUNT = "123456789012"
FUNCTION = "operator_api"


def arn_of_user(name: str) -> str:
    return f"arn:aws:iam::{ACCOUNT}:user/{name}"


class OperatorApi:
    """Calls the function's handler with API Gateway's events.

    `allowed` is what IAM answers for `rights.list`; moto has no simulation of policies.
    """

    def __init__(self, world: World) -> None:
        self._handler = world.cold_start(FUNCTION).handler
        self.allowed: Collection[str] = ()
        session = world.modules[FUNCTION].clients.session
        session.register("before-call.iam.SimulatePrincipalPolicy", self._simulate)

    def call(
        self, person: str, command: str, /, *, alone: bool = False, **parameters: Any
    ) -> tuple[int, dict[str, Any]]:
        """Call a command as an IAM user; return the HTTP status and the envelope."""
        path = f"/solo/{command}" if alone else f"/{command}"
        status, _, envelope = self.send(arn_of_user(person), path, json.dumps(parameters).encode())
        return status, envelope

    def data(self, person: str, command: str, /, **parameters: Any) -> Any:
        """Call a command that must succeed; return its data."""
        status, envelope = self.call(person, command, **parameters)
        assert (status, envelope["code"]) == (200, 1), envelope
        return envelope["data"]

    def send(
        self,
        arn: str | None,
        path: str,
        body: bytes = b"{}",
        *,
        method: str = "POST",
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, Mapping[str, str], dict[str, Any]]:
        """Send one event of a path; return the status, headers and envelope."""
        route = "/solo/{command}" if path.startswith("/solo/") else "/{command}"
        event = operator_event(route, path, "", arn=arn, headers=headers) | {"path": path}
        event |= {"httpMethod": method, "body": body.decode()}
        response = self._handler(event, None)
        return response["statusCode"], response["headers"], json.loads(response["body"])

    def _simulate(self, params: Mapping[str, Any], **_: Any) -> tuple[Any, dict[str, Any]]:
        resources = params["body"]
        results = [
            {
                "EvalResourceName": value,
                "EvalResourceDecision": "allowed"
                if value.rpartition("/")[2] in self.allowed
                else "implicitDeny",
            }
            for name, value in resources.items()
            if name.startswith("ResourceArns.")
        ]
        parsed = {"EvaluationResults": [{"ResourceSpecificResults": results}]}
        return AWSResponse("", 200, HTTPHeaders(), None), parsed
