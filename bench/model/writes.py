"""Write requests, read once: which item, under which condition, to what."""

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
        """Tell whether the condition holds; there may be none."""
        return not self._condition or holds(self._condition, item, self._names, self._values)

    def applied_to(self, item: WireItem | None) -> WireItem:
        """Give the item as it is afterwards."""
        if self.puts:
            return self.key
        return updated(self._update, self.key if item is None else item, self._names, self._values)
