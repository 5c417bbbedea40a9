"""The rights of a caller, as IAM simulates them."""

from types import SimpleNamespace
from typing import Any, cast

from botocore.session import Session

from orderdesk.adapters.operator import CallerRights

STAGE = "arn:aws:execute-api:eu-west-1:123456789012:api/v1"


def test_a_truncated_answer_is_read_to_its_end() -> None:
    """IAM may return fewer results than there are (SimulatePrincipalPolicy, MaxItems)."""
    names = ["order.list", "order.show", "fund.merchant"]

    def simulate(*, Marker: str = "0", **_: Any) -> dict[str, Any]:  # noqa: N803 - IAM's name
        at = int(Marker)
        name = f"{STAGE}/POST/{names[at]}"
        result = {"EvalResourceName": name, "EvalDecision": "allowed"}
        more = {"IsTruncated": True, "Marker": str(at + 1)} if at < 2 else {"IsTruncated": False}
        return {"EvaluationResults": [result], **more}

    iam = SimpleNamespace(simulate_principal_policy=simulate)
    session = SimpleNamespace(create_client=lambda *_, **__: iam)
    person = "arn:aws:iam::123456789012:user/ann"
    rights = CallerRights(cast("Session", session), person, STAGE, emulated=False)
    assert rights.allowed(names) == set(names)
