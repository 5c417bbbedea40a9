"""Shown names: one item for each, so that two parties of a table never take one at the same time.

A name's item has the `owners` that are shown so. Most have one: only who acts alone, and a test
trader, may take a name that another party has.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from orderdesk.adapters.dynamodb.client import get_item
from orderdesk.adapters.dynamodb.keys import name_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, add_write
from orderdesk.domain.errors import ChangedMeanwhile, FieldProblem, OrderdeskError
from orderdesk.domain.plain_text import folded

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.domain.merchants.merchant import Merchant

type Names = Mapping[str, str]
"""The field of each name, by the name as people see it."""
type Taken = Callable[[FieldProblem], OrderdeskError]


def merchant_names(merchant: "Merchant") -> Names:
    """Return the names that operators and payers see of a merchant."""
    named = {"display_name": merchant.terms.display_name, "name": merchant.name}
    return {name: field for field, text in named.items() if (name := folded(text))}


def owners_in(item: Item | None) -> frozenset[str]:
    """Return the ids of the parties that a name's item has."""
    return cast("frozenset[str]", (item or {}).get("owners", frozenset()))


class NameWrites:
    """Writes the names of a party's item; `taken` creates the error of another party's name."""

    def __init__(self, client: "DynamoDBClient", table: str, key_name: str, taken: Taken) -> None:
        self._client = client
        self._table = table
        self._key_name = key_name
        self._taken = taken

    def moved(self, owner: str, before: Names, after: Names, *, is_shared: bool) -> list[Write]:
        """Return the writes of new and left names; `is_shared` allows another party's name.

        Raises: TryAgain.
        """
        return [
            *(
                self._take_write(owner, name, field, is_shared=is_shared)
                for name, field in after.items()
                if name not in before
            ),
            *(
                write
                for name in before
                if name not in after
                for write in self._leave_writes(owner, name)
            ),
        ]

    def _take_write(self, owner: str, name: str, field: str, *, is_shared: bool) -> Write:
        """Add an owner. Lost: `taken`, if the name has another one."""

        def lost(item: Item | None) -> OrderdeskError:
            others = ", ".join(sorted(owners_in(item)))
            return self._taken(FieldProblem(field, f"{others} has this name"))

        return add_write(
            self._table,
            {self._key_name: name_key(name)},
            {},
            lost,
            unbounded={"owners": frozenset({owner})},
            condition="" if is_shared else "attribute_not_exists(owners) OR owners = :owners",
            returns_item=True,
        )

    def _leave_writes(self, owner: str, name: str) -> Iterator[Write]:
        """Remove an owner, and the item with its last one. Lost: ChangedMeanwhile."""
        key: Item = {self._key_name: name_key(name)}
        owners = owners_in(get_item(self._client, self._table, key))
        if owner in owners:
            action, update = "Delete", {"ConditionExpression": "owners = :owners"}
            if len(owners) > 1:
                remove = {"UpdateExpression": "DELETE owners :owners"}
                action, update = "Update", {"ConditionExpression": "owners <> :owners", **remove}
            asked = {
                "TableName": self._table,
                "Key": to_item(key),
                "ExpressionAttributeValues": to_item({":owners": frozenset({owner})}),
                **update,
            }
            yield Write({action: asked}, lambda _: ChangedMeanwhile())
