"""Lanes: how many containers may send to one merchant at a time, in one item in Callbacks.

A lane is taken until a time, and given back or renewed before it. The stored time tells whose lane
it is. The lane of a container that dies expires. If two containers take the same lane, the
condition lets one have it, and its failure shows the other which lanes are free.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.callbacks import KEY
from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import lanes_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_MS = 1000
_KEPT_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Lane:
    """One of a merchant's lanes, and until when it is taken (Unix ms)."""

    merchant_id: str
    number: int
    until_ms: int


class LaneStore(TableStore):
    """Takes lanes and gives them back; each merchant has `lanes` of them."""

    def __init__(self, client: "DynamoDBClient", table: str, lanes: int, chance: Chance) -> None:
        super().__init__(client, table)
        self._lanes = lanes
        self._chance = chance

    def take(self, merchant_id: str, now_ms: int, until_ms: int) -> Lane | None:
        """Take a free lane of a merchant until a time, or None without one. Raises: TryAgain."""
        free = list(range(self._lanes))
        while free:
            lane = Lane(merchant_id, free[self._chance.below(len(free))], until_ms)
            is_free = "attribute_not_exists(#lane) OR #lane < :asked"
            there = self._set(lane, until_ms, is_free, now_ms)
            if there is None:
                return lane
            free.remove(lane.number)
            free = [number for number in free if _until(there, number) < now_ms]
        return None

    def renew(self, lane: Lane, until_ms: int) -> Lane | None:
        """Keep a lane until a later time; None if another has taken it. Raises: TryAgain."""
        renewed = replace(lane, until_ms=until_ms)
        there = self._set(renewed, until_ms, "#lane = :asked", lane.until_ms)
        return renewed if there is None else None

    def give_back(self, lane: Lane) -> None:
        """Give a lane back if the taker still has it. Raises: TryAgain."""
        self._set(lane, 0, "#lane = :asked", lane.until_ms)

    def _set(self, lane: Lane, to_ms: int, condition: str, asked_ms: int) -> Item | None:
        """Set a lane; if the condition fails, give the item that is there."""
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": to_item({KEY: lanes_key(lane.merchant_id)}),
            "UpdateExpression": "SET #lane = :to, expires_at = :expires",
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#lane": _attribute(lane.number)},
            "ExpressionAttributeValues": to_item(
                {
                    ":to": to_ms,
                    ":asked": asked_ms,
                    ":expires": lane.until_ms // _MS + _KEPT_SECONDS,
                }
            ),
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        try:
            call(lambda: self._client.update_item(**update))
        except ClientError as error:
            if error_code(error) != "ConditionalCheckFailedException":
                raise
            return from_item(cast("dict[str, Any]", error.response).get("Item") or {})
        return None


def _attribute(number: int) -> str:
    return f"lane_{number}"


def _until(item: Item, number: int) -> int:
    until = item.get(_attribute(number), 0)
    assert isinstance(until, int)
    return until
