"""Long reads in the Guards table, from one part of their reading to the next.

A run may be larger than an item, so it is split. Each part of the reading writes
pieces of its own, and then the head, under the version that it loaded. Of two concurrent parts one
is kept. After a crash the head still names whole pieces. All items expire after two days.
"""

from collections.abc import Callable
from itertools import batched
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import run_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LIFE_SECONDS = 2 * 86_400
PIECE_BYTES = 350_000  # an item has at most 400 KB


class RunStore(TableStore):
    """The runs of one scope; another scope's run is unknown here, whatever its id."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        scope: str,
        chance: Chance,
        now: Callable[[], int],
    ) -> None:
        super().__init__(client, table)
        self._scope = scope
        self._chance = chance
        self._now = now

    def load(self, run_id: str) -> tuple[bytes, int] | None:
        head = get_item(self._client, self._table, {"pk": self._key(run_id)})
        if head is None or _number(head, "expires_at") < self._now():
            return None
        writer = head["writer"]
        assert isinstance(writer, str)
        parts = (f"{writer}#{index}" for index in range(_number(head, "pieces")))
        content = b"".join(self._piece(run_id, part) for part in parts)
        return content, _number(head, "version")

    def save(self, run_id: str, content: bytes, version: int) -> None:
        pieces = [bytes(piece) for piece in batched(content, PIECE_BYTES, strict=False)]
        writer = self._chance.token()
        for index, piece in enumerate(pieces):
            self._put({"pk": self._key(run_id, f"{writer}#{index}"), "content": piece})
        head: Item = {
            "pk": self._key(run_id),
            "writer": writer,
            "pieces": len(pieces),
            "version": version + 1,
        }
        self._put(head, version)

    def _key(self, run_id: str, part: str = "") -> str:
        return run_key(self._scope, run_id, part)

    def _put(self, item: Item, version: int | None = None) -> None:
        put = {
            "TableName": self._table,
            "Item": to_item({**item, "expires_at": self._now() + LIFE_SECONDS}),
        }
        if version is not None:
            unchanged = "version = :version" if version else "attribute_not_exists(pk)"
            put["ConditionExpression"] = unchanged
        if version:
            put["ExpressionAttributeValues"] = to_item({":version": version})
        try:
            call(lambda: self._client.put_item(**put))  # type: ignore[arg-type]
        except ClientError as error:
            if error_code(error) == "ConditionalCheckFailedException":
                raise ChangedMeanwhile from None
            raise

    def _piece(self, run_id: str, part: str) -> bytes:
        piece = get_item(self._client, self._table, {"pk": self._key(run_id, part)})
        content = (piece or {})["content"]
        assert isinstance(content, bytes)
        return content


def _number(item: Item, name: str) -> int:
    value = item[name]
    assert isinstance(value, int)
    return value
