"""The merchants' request rates in the Guards table: one item a merchant, a token bucket's time."""

from typing import Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import calls_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.request_rate import NS_PER_SECOND, cost_ns, latest_start_ns

_USED = "used_until_ns"
_KEPT_SECONDS = 3_600
# Each round is lost only if another container brings the time of a bucket past the clock in
# between. That is possible once per idle time.
_ROUNDS = 3


class CallCountStore(TableStore):
    """Counts calls with one UpdateItem, or two while the merchant is busy.

    If an answer is lost, the calls may count twice, which is the safe side.
    """

    def count(self, merchant_id: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        """Move the merchant's time forward; the arithmetic is `request_rate.used_until_ns`."""
        cost = cost_ns(calls, max_rps)
        latest = latest_start_ns(calls, max_rps, now_ns)
        if latest < now_ns:
            return None
        idle = f"attribute_not_exists({_USED}) OR {_USED} <= :now"
        busy = f"{_USED} BETWEEN :now AND :latest"
        for _ in range(_ROUNDS):
            used = self._set(merchant_id, ":used", idle, {":used": now_ns + cost, ":now": now_ns})
            if used is None:
                return now_ns + cost
            if used > latest:
                return None
            values = {":cost": cost, ":now": now_ns, ":latest": latest}
            before = self._set(merchant_id, f"{_USED} + :cost", busy, values)
            if before is None:
                return used + cost
            if before > latest:
                return None
        raise TryAgain

    def _set(self, merchant_id: str, to: str, condition: str, values: dict[str, int]) -> int | None:
        """Set the time; if the condition fails, give the time that is there (0: none)."""
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({"pk": calls_key(merchant_id)}),
            "UpdateExpression": f"SET {_USED} = {to}, expires_at = :expires",
            "ConditionExpression": condition,
            "ExpressionAttributeValues": to_item(
                {**values, ":expires": values[":now"] // NS_PER_SECOND + _KEPT_SECONDS}
            ),
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        try:
            call(lambda: self._client.update_item(**update))
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise
            old: Item = from_item(cast("dict[str, Any]", error.response).get("Item") or {})
            used = old.get(_USED, 0)
            assert isinstance(used, int)
            return used
        return None
