"""A merchant's last refused calls, and when its keys were last used, in the Guards table.

The calls are one item, a ring: call n is the text `c<n % 100>`, and `number` is the last n.
"""

from typing import Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import DynamoDB, TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.sending import UNANSWERED, error_code
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.merchant import counter_of
from orderdesk.domain.merchants.request_rate import NS_PER_SECOND
from orderdesk.domain.orders.order_errors import DeskRule
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.refused_calls import (
    KEPT_MOST,
    KEPT_SECONDS,
    KeyActivity,
    RefusedCall,
)

_MERCHANTS_MOST = 1_000
# A round fails if another container has added a call since this one read or wrote the number.
_ROUNDS = 3


class RefusedCallStore(TableStore):
    """Adds a call with one UpdateItem, or two after another container has added one."""

    def __init__(self, client: DynamoDB, table: str) -> None:
        super().__init__(client, table)
        self._numbers: dict[str, int] = {}

    def add(self, merchant_id: str, call: RefusedCall) -> None:
        """Append a call; nothing is sent twice, because a lost call is no harm."""
        numbers = self._numbers
        for _ in range(_ROUNDS):
            last = numbers.get(merchant_id, 0)
            found = self._write(merchant_id, call, last)
            if len(numbers) >= _MERCHANTS_MOST:
                numbers.clear()
            numbers[merchant_id] = last + 1 if found is None else found
            if found is None:
                return
        raise TryAgain

    def _write(self, merchant_id: str, call: RefusedCall, last: int) -> int | None:
        """Write the call after `last`; if that is not the last number, return the one that is."""
        has_last = "#n = :last" if last else "attribute_not_exists(#n)"
        values: Item = {
            ":call": _text_of(call),
            ":next": last + 1,
            ":expires": call.at + KEPT_SECONDS,
            **({":last": last} if last else {}),
        }
        try:
            self._client.update_item(
                TableName=self._table,
                Key=to_item({"pk": Key.refused(merchant_id)}),
                UpdateExpression="SET #c = :call, #n = :next, expires_at = :expires",
                ConditionExpression=has_last,
                ExpressionAttributeNames={"#c": _slot(last + 1), "#n": "number"},
                ExpressionAttributeValues=to_item(values),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise TryAgain from None
            old = from_item(cast("dict[str, Any]", error.response).get("Item") or {})
            return cast("int", old.get("number", 0))
        except UNANSWERED:
            raise TryAgain from None
        return None

    def activity(self, merchant_id: str, now: int) -> KeyActivity:
        """Read what a merchant's developers see, at a time (Unix seconds). Raises: TryAgain."""
        buckets = [{"pk": Key.calls(counter_of(merchant_id, mode))} for mode in Mode]
        keys = [*buckets, {"pk": Key.refused(merchant_id)}]
        *used, ring = self._get_items(self._table, keys)
        return KeyActivity(
            {
                # The bucket's time is up to two seconds ahead of the clock.
                mode: min(cast("int", item["used_until_ns"]) // NS_PER_SECOND, now)
                for mode, item in zip(Mode, used, strict=True)
                if item
            },
            tuple(call for call in _calls_of(ring) if call.at > now - KEPT_SECONDS),
        )


def _slot(number: int) -> str:
    return f"c{number % KEPT_MOST}"


def _text_of(call: RefusedCall) -> str:
    rule = "" if call.rule is None else call.rule.value
    return f"{call.at} {call.key.value} {call.operation} {call.reason} {call.network} {rule}"


def _calls_of(ring: Item) -> list[RefusedCall]:
    """Return the calls of the item, newest first; an empty item has none."""
    last = cast("int", ring.get("number", 0))
    texts = [ring[_slot(n)] for n in range(last, max(0, last - KEPT_MOST), -1)]
    return [_call_of(cast("str", text)) for text in texts]


def _call_of(text: str) -> RefusedCall:
    at, key, operation, reason, network, rule = text.split(" ")
    by = DeskRule(rule) if rule else None
    return RefusedCall(int(at), Mode(key), operation, reason, network, by)
