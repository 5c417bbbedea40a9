"""The codes of the operators' API that merchants do not have, and the table of its refusals.

`data.detail` of a refusal is the exception's own text. Clients show it, and it is not logged.
"""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.operators import (
    BalanceTooLow,
    IdempotencyConflict,
    OperatorRefusal,
    ReasonMissing,
    SecondPersonNeeded,
    TraderCannotCover,
    UnacceptableTerms,
    UnknownId,
)
from orderdesk.web.codes import CODES, UNKNOWN_ROUTE, Code, InvalidParameters
from orderdesk.web.operator.move_refusals import MoveConflict


class NotAnOperator(OperatorRefusal):
    """AWS allows the request, but its identity names no person."""

    def __init__(self) -> None:
        super().__init__(
            "your AWS identity names no person: call as an IAM user, or as a role that the stack's "
            "parameter OperatorRolePatterns lists"
        )


class UnknownCommand(OperatorRefusal):
    """The path is not exactly a command's."""

    def __init__(self) -> None:
        super().__init__("no such command: the path is / or /solo/ and the command's exact name")


OPERATOR_CODES: Mapping[str, Code] = MappingProxyType(
    {
        "not_found": Code(2002, 404, "there is no such thing", "对象不存在"),
        "state_conflict": Code(
            2003, 409, "the present state does not allow this", "当前状态不允许此操作"
        ),
        "insufficient_balance": Code(
            2102, 409, "the USDT balance is insufficient", "USDT 余额不足"
        ),
        "second_person_needed": Code(
            2301, 403, "another person has to decide this", "需要另一位操作员处理"
        ),
        "idempotency_conflict": Code(
            2302,
            409,
            "the idempotency key was used with other parameters",
            "该幂等键已用于其他参数",
        ),
        "not_an_operator": Code(
            2303, 403, "the AWS identity names no person", "该 AWS 身份不对应任何人员"
        ),
        "invalid_parameter": CODES["invalid_parameter"],
        UNKNOWN_ROUTE: CODES[UNKNOWN_ROUTE],
    }
)

_STATE_CONFLICT = "state_conflict"
_REASONS: Mapping[type[OperatorRefusal], str] = MappingProxyType(
    {
        UnknownId: "not_found",
        UnacceptableTerms: InvalidParameters.reason,
        ReasonMissing: InvalidParameters.reason,
        BalanceTooLow: "insufficient_balance",
        TraderCannotCover: "insufficient_balance",
        SecondPersonNeeded: "second_person_needed",
        IdempotencyConflict: "idempotency_conflict",
        NotAnOperator: "not_an_operator",
        UnknownCommand: UNKNOWN_ROUTE,
    }
)


def reason_of(refusal: OperatorRefusal) -> str:
    """Return the slug of a refusal; one that is not in the table forbids the present state."""
    return _REASONS.get(type(refusal), _STATE_CONFLICT)


def data_of(refusal: OperatorRefusal) -> dict[str, object]:
    """Return the envelope's `data` of a refusal."""
    match refusal:
        case UnacceptableTerms():
            fields = InvalidParameters(refusal.problems).data()
        case ReasonMissing():
            fields = InvalidParameters([FieldProblem("reason", "missing")]).data()
        case UnknownId():
            fields = {"kind": refusal.kind}
        case MoveConflict():
            fields = {"status": refusal.status.value}
        case _:
            fields = {}
    return {"reason": reason_of(refusal), "detail": str(refusal), **fields}
