"""What a merchant's signed call uses up: its nonce, and its key's rate of requests.

TTL deletes late, so conditions check the time.
"""

from typing import Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import calls_key, nonce_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.merchant_errors import NonceReused
from orderdesk.domain.merchants.request_rate import (
    NS_PER_SECOND,
    USE_KEPT_DAYS,
    cost_ns,
    latest_start_ns,
)
from orderdesk.domain.merchants.signing import NONCE_RETENTION_SECONDS
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ports import Nonce

_USED = "used_until_ns"
# The rate needs two seconds of the past. The portal shows when each key was last used.
_KEPT_SECONDS = USE_KEPT_DAYS * SECONDS_PER_DAY
# A round fails only if another container moves the bucket's time past the clock in between, which
# can happen once after each idle period.
_ROUNDS = 3


def _put(table: str, nonce: Nonce) -> dict[str, Any]:
    never_used = "attribute_not_exists(pk)"
    used_long_ago = "expires_at < :now"
    # A retry after a lost response must not fail on its own item.
    used_by_this_call = "holder = :holder"
    return {
        "TableName": table,
        "Item": to_item(
            {
                "pk": nonce_key(nonce.api_key, nonce.value),
                "expires_at": nonce.now + NONCE_RETENTION_SECONDS,
                "holder": nonce.holder,
            }
        ),
        "ConditionExpression": f"{never_used} OR {used_long_ago} OR {used_by_this_call}",
        "ExpressionAttributeValues": to_item({":now": nonce.now, ":holder": nonce.holder}),
    }


def nonce_write(table: str, nonce: Nonce) -> Write:
    """Consume a nonce inside a transaction. Lost: NonceReused."""
    return Write({"Put": _put(table, nonce)}, lambda _: NonceReused())


class NonceStore(TableStore):
    """Consume nonces outside transactions."""

    def consume(self, nonce: Nonce) -> None:
        try:
            call(lambda: self._client.put_item(**_put(self._table, nonce)))
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                raise NonceReused from None
            raise


class CallCountStore(TableStore):
    """Count calls with one UpdateItem, or two while the key is busy.

    A transaction would conflict with the other containers' at up to 1,000 updates a second. After a
    lost response the calls may count twice: the merchant has up to two seconds less of its rate.
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
