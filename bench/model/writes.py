"""Write requests of a transaction, parsed once."""

from collections.abc import Mapping
from typing import Any

from bench.model.expressions import Names, WireItem, holds, updated


class Write:
    """A put or an update of a transaction."""

    def __init__(self, statement: Mapping[str, Any]) -> None:
        [(kind, request)] = statement.items()
        if kind not in {"Put", "Update"}:
            raise NotImplementedError(f"{kind} in a transaction")
        self.table, self.puts = str(request["TableName"]), kind == "Put"
        self.key: WireItem = request["Item" if self.puts else "Key"]
        self.returns_old = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        self._update = request.get("UpdateExpression", "")
        self._condition = request.get("ConditionExpression", "")
        self._names: Names = tuple(sorted(request.get("ExpressionAttributeNames", {}).items()))
        self._values = request.get("ExpressionAttributeValues", {})

    def may_change(self, item: WireItem | None) -> bool:
        """Return whether the condition holds; True if there is none."""
        return not self._condition or holds(self._condition, item, self._names, self._values)

    def applied_to(self, item: WireItem | None) -> WireItem:
        """Return the item after the write."""
        if self.puts:
            return self.key
        return updated(self._update, self.key if item is None else item, self._names, self._values)
