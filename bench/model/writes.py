"""Write requests, read once: which item, under which condition, to what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.model.expressions import Names, Values, WireItem, holds, updated


@dataclass(frozen=True, slots=True)
class Write:
    """A put or an update of a transaction."""

    table: str
    key: WireItem
    puts: bool
    update: str
    condition: str
    names: Names
    values: Values
    returns_old: bool

    @classmethod
    def of(cls, request: Mapping[str, Any]) -> "Write":
        """Read what `Put` or `Update` are given."""
        names = request.get("ExpressionAttributeNames", {})
        puts = "Item" in request
        return cls(
            table=request["TableName"],
            key=request["Item"] if puts else request["Key"],
            puts=puts,
            update=request.get("UpdateExpression", ""),
            condition=request.get("ConditionExpression", ""),
            names=tuple(sorted(names.items())),
            values=request.get("ExpressionAttributeValues", {}),
            returns_old=request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD",
        )

    @classmethod
    def in_transaction(cls, statement: Mapping[str, Any]) -> "Write":
        """Read one of a transaction's statements."""
        [(kind, request)] = statement.items()
        if kind not in {"Put", "Update"}:
            raise NotImplementedError(f"{kind} in a transaction")
        return cls.of(request)

    def may_change(self, item: WireItem | None) -> bool:
        """Tell whether the condition holds; there may be none."""
        return not self.condition or holds(self.condition, item, self.names, self.values)

    def applied_to(self, item: WireItem | None) -> WireItem:
        """Give the item as it is afterwards."""
        if self.puts:
            return self.key
        return updated(self.update, self.key if item is None else item, self.names, self.values)
