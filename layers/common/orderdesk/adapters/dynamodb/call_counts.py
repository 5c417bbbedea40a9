"""The merchants' request rates in the Guards table: one token bucket for each key."""

from typing import Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import calls_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.request_rate import (
    NS_PER_SECOND,
    USE_KEPT_DAYS,
    cost_ns,
    latest_start_ns,
)
from orderdesk.domain.times import SECONDS_PER_DAY

_USED = "used_until_ns"
# The rate needs two seconds of the past. The portal shows when each key was last used.
_KEPT_SECONDS = USE_KEPT_DAYS * SECONDS_PER_DAY
# A round fails only if another container moves the bucket's time past the clock in between, which
# can happen once after each idle period.
_ROUNDS = 3


class CallCountStore(TableStore):
    """Count calls with one UpdateItem, or two while the key is busy.

    After a lost response, the calls may count twice, which never exceeds the limit.
    """

    def count(self, counter: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        """Advance the bucket's time, with the arithmetic of `request_rate.used_until_ns`."""
        cost = cost_ns(calls, max_rps)
        latest = latest_start_ns(calls, max_rps, now_ns)
        if latest < now_ns:
            return None
        idle = f"attribute_not_exists({_USED}) OR {_USED} <= :now"
        busy = f"{_USED} BETWEEN :now AND :latest"
        for _ in range(_ROUNDS):
            used = self._set(counter, ":used", idle, {":used": now_ns + cost, ":now": now_ns})
            if used is None:
                return now_ns + cost
            if used > latest:
                return None
            values = {":cost": cost, ":now": now_ns, ":latest": latest}
            before = self._set(counter, f"{_USED} + :cost", busy, values)
            if before is None:
                return used + cost
            if before > latest:
                return None
        raise TryAgain

    def _set(self, counter: str, to: str, condition: str, values: dict[str, int]) -> int | None:
        """Set the time; if the condition fails, return the stored time (0: none)."""
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({"pk": calls_key(counter)}),
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
