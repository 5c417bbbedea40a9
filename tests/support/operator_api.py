"""The operators' API in this process, called as persons whom AWS has identified."""

import json
from collections.abc import Collection, Mapping
from typing import Any, cast

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from events.gateway import operator_event
from orderdesk.wiring import operators
from tests.support.payouts import pay_out
from tests.support.world import World

ACCOUNT = "123456789012"
FUNCTION = "operator_api"


def arn_of_user(name: str) -> str:
    return f"arn:aws:iam::{ACCOUNT}:user/{name}"


class OperatorApi:
    """Calls the function's handler with API Gateway's events.

    `allowed` is what IAM answers about the caller's rights, None for all commands but to a person
    whose name begins with `viewer`; moto has no simulation of policies.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._handler = world.cold_start(FUNCTION).handler
        self.allowed: Collection[str] | None = None
        session = world.modules[FUNCTION].clients.session
        session.register("before-call.iam.SimulatePrincipalPolicy", self._simulate)

    def call(
        self, person: str, command: str, /, *, alone: bool = False, **parameters: Any
    ) -> tuple[int, dict[str, Any]]:
        """Call a command as an IAM user; return the HTTP status and the envelope."""
        path = f"/solo/{command}" if alone else f"/{command}"
        if command == "proposal.approve" and "digest" not in parameters:
            parameters["digest"] = self._seen(parameters["proposal_no"])
        status, _, envelope = self.send(arn_of_user(person), path, json.dumps(parameters).encode())
        if command == "proposal.approve" and (envelope["data"] or {}).get("status") == "approved":
            pay_out(self._world, lambda: cast("Any", operators).now_us())
            return self.call(person, "proposal.show", proposal_no=parameters["proposal_no"])
        return status, envelope

    def _seen(self, proposal_no: str) -> str:
        """Return the digest of a proposal; a viewer's look is not audited."""
        _, envelope = self.call("viewer-1", "proposal.show", proposal_no=proposal_no)
        return str((envelope["data"] or {}).get("digest", "none"))

    def data(self, person: str, command: str, /, **parameters: Any) -> Any:
        """Call a command that must succeed; return its data."""
        status, envelope = self.call(person, command, **parameters)
        assert (status, envelope["code"]) == (200, 1), envelope
        return envelope["data"]

    def parts(self, person: str, command: str, /, **parameters: Any) -> list[Any]:
        """Call a command for each of its pages or parts; return their data."""
        found = [self.data(person, command, **parameters)]
        while (after := found[-1]["next"]) is not None:
            found.append(self.data(person, command, **parameters, after=after))
            assert len(found) < 200
        return found

    def items(self, person: str, command: str, /, **parameters: Any) -> list[Any]:
        """Return the items of all pages of a list."""
        return [
            each for part in self.parts(person, command, **parameters) for each in part["items"]
        ]

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
        is_viewer = "/viewer" in resources["PolicySourceArn"]
        results = [
            {
                "EvalResourceName": value,
                "EvalResourceDecision": "allowed"
                if self._allows(value.rpartition("/")[2], is_viewer=is_viewer)
                else "implicitDeny",
            }
            for name, value in resources.items()
            if name.startswith("ResourceArns.")
        ]
        parsed = {"EvaluationResults": [{"ResourceSpecificResults": results}]}
        return AWSResponse("", 200, HTTPHeaders(), None), parsed

    def _allows(self, command: str, *, is_viewer: bool) -> bool:
        return not is_viewer if self.allowed is None else command in self.allowed
