"""DynamoDB's expressions, evaluated by the emulator's engine."""

from collections.abc import Mapping
from typing import Any

from ministack.services import dynamodb  # type: ignore[import-untyped]

from tests.support.engine import quicken

type WireItem = Mapping[str, Any]

quicken()


def holds(expression: str, item: WireItem | None, request: Mapping[str, Any]) -> bool:
    """Return whether a request's condition or filter holds for an item; None is a missing item."""
    return bool(dynamodb._evaluate_condition(expression, item or {}, *_parts(request)))


def _parts(request: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    names = request.get("ExpressionAttributeNames", {})
    return request.get("ExpressionAttributeValues", {}), names


class Write:
    """A put or an update of a transaction."""

    def __init__(self, statement: Mapping[str, Any]) -> None:
        [(kind, request)] = statement.items()
        if kind not in {"Put", "Update"}:
            raise NotImplementedError(f"{kind} in a transaction")
        self.table, self.puts = str(request["TableName"]), kind == "Put"
        self.key: WireItem = request["Item" if self.puts else "Key"]
        self.returns_old = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        self._request = request

    def may_change(self, item: WireItem | None) -> bool:
        """Return whether the condition holds; True if there is none."""
        return holds(self._request.get("ConditionExpression", ""), item, self._request)

    def applied_to(self, item: WireItem | None) -> WireItem:
        if self.puts:
            return self.key
        after: WireItem = dynamodb._apply_update_expression(
            self.key if item is None else item,
            self._request["UpdateExpression"],
            *_parts(self._request),
        )[0]
        return after
