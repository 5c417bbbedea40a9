"""The emulator, with the two keys of IAM conditions that the roles use and it does not know.

`python -m local.condition_keys` starts it. Here a request gets `dynamodb:LeadingKeys` and
`kms:EncryptionContext:…`; the emulator's own evaluator decides. As on AWS, each item of a
transaction is checked with its own key.
"""

import json
from collections.abc import Mapping
from typing import Any

from ministack import app  # type: ignore[import-untyped]
from ministack.core import iam_actions, iam_evaluator  # type: ignore[import-untyped]
from ministack.services import dynamodb  # type: ignore[import-untyped]

LEADING_KEYS = "dynamodb:LeadingKeys"
ENCRYPTION_CONTEXT = "kms:EncryptionContext"

_service_context = iam_actions.dynamodb_service_context
_tag_context = iam_actions.request_tag_context
_transaction_checks = iam_actions.dynamodb_transaction_checks
_enforce = iam_evaluator.enforce


class _ItemsTable(str):
    """The ARN of the table of a transaction's item, and the item's partition key."""

    __slots__ = ("leading_key",)
    leading_key: str


def main() -> None:
    """Start the emulator on the port that the environment names; it runs until it is ended."""
    iam_actions.dynamodb_service_context = service_context
    iam_actions.dynamodb_transaction_checks = transaction_checks
    iam_actions.request_tag_context = tag_context
    iam_evaluator.enforce = enforce
    app.main()


def service_context(body: bytes) -> dict[str, Any]:
    """Add the partition key of a request about one item."""
    key = leading_key(_document(body))
    context: dict[str, Any] = _service_context(body)
    return context if key is None else {**context, LEADING_KEYS: [key]}


def transaction_checks(action: str, body: bytes, *place: str) -> list[tuple[str, str]]:
    """Add to each check of a transaction the partition key of its item."""
    keys = [
        leading_key(part)
        for item in _document(body).get("TransactItems", [])
        for part in item.values()
    ]
    checks = _transaction_checks(action, body, *place)
    return [
        (item_action, _keyed(arn, key))
        for (item_action, arn), key in zip(checks, keys, strict=bool(checks))
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
    """Check a request; for a transaction's item, with its own partition key."""
    if isinstance(resource_arn, _ItemsTable):
        service_context = {**(service_context or {}), LEADING_KEYS: [resource_arn.leading_key]}
    return _enforce(*request, resource_arn=resource_arn, service_context=service_context)


def leading_key(request: Mapping[str, Any]) -> str | None:
    """Give the partition key of a request's item; None if it names no item."""
    item = request.get("Key") or request.get("Item")
    table = dynamodb._tables.get(request.get("TableName", ""))  # noqa: SLF001 no other way
    if not item or table is None:
        return None
    (name,) = (each["AttributeName"] for each in table["KeySchema"] if each["KeyType"] == "HASH")
    (value,) = item[name].values()
    return str(value)


def _keyed(arn: str, key: str | None) -> str:
    if key is None:
        return arn
    keyed = _ItemsTable(arn)
    keyed.leading_key = key
    return keyed


def _document(body: bytes) -> Any:
    return json.loads(body) if body.startswith(b"{") else {}


if __name__ == "__main__":
    main()
