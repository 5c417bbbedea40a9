"""Changing single attributes of an item that others write at the same time.

Operators change what they own (policy, methods, duty), guarded by the item's `version`; matching
changes balances and counters of the same item and leaves `version` alone. So neither ever writes
over the other, and a whole item is put only when it is new.
"""

from typing import Any

from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.transactions import Statement
from orderdesk.domain.errors import ChangedMeanwhile


def put_new_statement(table: str, key_name: str, item: Item) -> Statement:
    """Put a new item; lost: ChangedMeanwhile, where its key is taken."""
    put = {
        "TableName": table,
        "Item": to_item(item),
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": key_name},
    }
    return Statement({"Put": put}, lambda _: ChangedMeanwhile())


def change_statement(table: str, key_name: str, before: Item, after: Item) -> Statement:
    """Write the attributes in which two states of an item differ, the version among them.

    An attribute that is None afterwards is removed. Lost: ChangedMeanwhile, where the version is
    no longer the one before.
    """
    changed = [name for name in after if after[name] != before.get(name)]
    assert key_name not in changed
    assert "version" in changed
    names = {f"#a{number}": name for number, name in enumerate(changed)}
    values: dict[str, Value] = {
        f":a{number}": after[name] for number, name in enumerate(changed) if after[name] is not None
    }
    sets = ", ".join(f"#a{name[2:]} = {name}" for name in values)
    removes = ", ".join(mark for mark, name in names.items() if after[name] is None)
    update: dict[str, Any] = {
        "TableName": table,
        "Key": to_item({key_name: before[key_name]}),
        "UpdateExpression": f"SET {sets}" + (f" REMOVE {removes}" if removes else ""),
        "ConditionExpression": "#version = :version_before",
        "ExpressionAttributeNames": {**names, "#version": "version"},
        "ExpressionAttributeValues": to_item({**values, ":version_before": before["version"]}),
    }
    return Statement({"Update": update}, lambda _: ChangedMeanwhile())
