"""The three IAM condition keys that our roles use and the emulator does not support.

These are `dynamodb:LeadingKeys`, `dynamodb:Attributes` of updates that name each attribute by a `#`
name, and `kms:EncryptionContext:…`. They are added to a request's context; the emulator's evaluator
uses them. As on AWS, each item of a transaction is checked with its own key.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from ministack.core import iam_actions, iam_evaluator  # type: ignore[import-untyped]
from ministack.services import dynamodb  # type: ignore[import-untyped]

LEADING_KEYS = "dynamodb:LeadingKeys"
ATTRIBUTES = "dynamodb:Attributes"
ENCRYPTION_CONTEXT = "kms:EncryptionContext"

_service_context = iam_actions.dynamodb_service_context
_tag_context = iam_actions.request_tag_context
_transaction_checks = iam_actions.dynamodb_transaction_checks
_enforce = iam_evaluator.enforce


class _ItemsTable(str):
    """The table's ARN of a transaction's item, and the condition keys of that item."""

    __slots__ = ("context",)
    context: dict[str, list[str]]


def install() -> None:
    """Add the keys to the emulator."""
    iam_actions.dynamodb_service_context = service_context
    iam_actions.dynamodb_transaction_checks = transaction_checks
    iam_actions.request_tag_context = tag_context
    iam_evaluator.enforce = enforce


def service_context(body: bytes) -> dict[str, Any]:
    """Add the partition key of a request's item; for BatchGetItem add every partition key."""
    context: dict[str, Any] = _service_context(body)
    request = _document(body)
    return context | item_context(request) | batch_context(request) | query_context(request)


def query_context(request: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the partition key of a Query of a table; none for another request.

    The condition must begin with it, as ours do.
    """
    condition = re.match(r"#?\w+ = (:\w+)", request.get("KeyConditionExpression", ""))
    if condition is None or "IndexName" in request:
        return {}
    (value,) = request["ExpressionAttributeValues"][condition[1]].values()
    return {LEADING_KEYS: [str(value)]}


def batch_context(request: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the condition keys of BatchGetItem; none for another request."""
    keys = [
        leading_key({"TableName": table, "Key": key})
        for table, asked in request.get("RequestItems", {}).items()
        if isinstance(asked, dict)  # a list is BatchWriteItem's, which no role has
        for key in asked["Keys"]
    ]
    return {LEADING_KEYS: [key for key in keys if key is not None]} if keys else {}


def transaction_checks(action: str, body: bytes, *place: str) -> list[tuple[str, str]]:
    """Add to each check of a transaction the partition key of its item."""
    contexts = [
        item_context(part)
        for item in _document(body).get("TransactItems", [])
        for part in item.values()
    ]
    checks = _transaction_checks(action, body, *place)
    return [
        (item_action, _about(arn, context))
        for (item_action, arn), context in zip(checks, contexts, strict=bool(checks))
    ]


def tag_context(
    service: str, action: str, body: bytes, params: Mapping[str, Any]
) -> dict[str, Any]:
    """Add the encryption context of a request to KMS."""
    context: dict[str, Any] = _tag_context(service, action, body, params)
    if service != "kms":
        return context
    named = _document(body).get("EncryptionContext", {})
    return context | {f"{ENCRYPTION_CONTEXT}:{name}": value for name, value in named.items()}


def enforce(*request: Any, resource_arn: str = "*", service_context: Any = None) -> Any:
    """Check a request; check a transaction's item with its own partition key."""
    if isinstance(resource_arn, _ItemsTable):
        service_context = {**(service_context or {}), **resource_arn.context}
    return _enforce(*request, resource_arn=resource_arn, service_context=service_context)


def item_context(request: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the condition keys of a request's item; none if it has no item."""
    key = leading_key(request)
    if key is None:
        return {}
    names = request.get("ExpressionAttributeNames")
    if "UpdateExpression" not in request or not names:
        return {LEADING_KEYS: [key]}
    return {LEADING_KEYS: [key], ATTRIBUTES: [*request["Key"], *names.values()]}


def leading_key(request: Mapping[str, Any]) -> str | None:
    """Return the partition key of a request's item; None if it has no item."""
    item = request.get("Key") or request.get("Item")
    table = dynamodb._tables.get(request.get("TableName", ""))  # noqa: SLF001 no other way
    if not item or table is None:
        return None
    (name,) = (each["AttributeName"] for each in table["KeySchema"] if each["KeyType"] == "HASH")
    (value,) = item[name].values()
    return str(value)


def _about(arn: str, context: dict[str, list[str]]) -> str:
    table = _ItemsTable(arn)
    table.context = context
    return table


def _document(body: bytes) -> Any:
    return json.loads(body) if body.startswith(b"{") else {}
