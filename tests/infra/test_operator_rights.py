"""Operators reach no data but through their API: AWS refuses everything else to their keys."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.stack import Stack
from orderdesk.adapters.dynamodb.marshal import to_item
from tests.support.operator_calls import Keys
from tests.support.stack_seed import StackSeed

ROLES = ("viewer", "support", "finance")
type Request = Callable[[], object]


@pytest.fixture(scope="module")
def users(operators: list[dict[str, str]]) -> dict[str, Keys]:
    return {each["name"]: Keys.of(each) for each in operators}


def is_denied(request: Request) -> bool:
    """Return whether IAM refuses a request; any other result means that IAM allowed it."""
    try:
        request()
    except ClientError as error:
        return "AccessDenied" in error.response["Error"]["Code"]
    return False


def resources(stack: Stack, kind: str) -> list[str]:
    """Return the physical ids of the stack's resources of a kind."""
    formation = stack.client("cloudformation")
    pages = formation.get_paginator("list_stack_resources").paginate(StackName="orderdesk")
    found = [
        each["PhysicalResourceId"]
        for page in pages
        for each in page["StackResourceSummaries"]
        if each["ResourceType"] == kind
    ]
    assert found, kind
    return found


def key_of(table: str) -> dict[str, str]:
    """Return a key of a table, by the part of its name that says which it is."""
    if "Traders" in table:
        return {"trader_id": "t1"}
    if "Callbacks" in table:
        return {"webhook_id": "msg_B1_1"}
    return {"pk": "x", "sk": "1"} if "Ledger" in table or "Audit" in table else {"pk": "x"}


def of_each(
    client: Any, asks: Mapping[str, Mapping[str, Any]], **resource: str
) -> Iterator[tuple[str, Request]]:
    """Yield a request for each operation on a resource, and its name."""
    for operation, rest in asks.items():
        yield f"{operation} {resource}", partial(getattr(client, operation), **resource, **rest)


def of_tables(stack: Stack, keys: Keys) -> Iterator[tuple[str, Request]]:
    client = keys.client(stack, "dynamodb")
    for table in resources(stack, "AWS::DynamoDB::Table"):
        key = to_item(key_of(table))
        name, value = next(iter(key)), {"ExpressionAttributeValues": {":a": {"S": "a"}}}
        asks: dict[str, dict[str, Any]] = {
            "get_item": {"Key": key},
            "put_item": {"Item": key},
            "update_item": {"Key": key, "UpdateExpression": "SET a = :a", **value},
            "delete_item": {"Key": key},
            "query": {"KeyConditionExpression": f"{name} = :a", **value},
            "scan": {},
            "describe_table": {},
        }
        yield from of_each(client, asks, TableName=table)
        put = {"Put": {"TableName": table, "Item": key}}
        get = {"Get": {"TableName": table, "Key": key}}
        others: dict[str, dict[str, Any]] = {
            "batch_get_item": {"RequestItems": {table: {"Keys": [key]}}},
            "batch_write_item": {"RequestItems": {table: [{"PutRequest": {"Item": key}}]}},
            "transact_write_items": {"TransactItems": [put]},
            "transact_get_items": {"TransactItems": [get]},
            "execute_statement": {"Statement": f'SELECT * FROM "{table}"'},
        }
        yield from of_each(client, others)


def of_queues(stack: Stack, keys: Keys) -> Iterator[tuple[str, Request]]:
    client = keys.client(stack, "sqs")
    asks: dict[str, dict[str, Any]] = {
        "send_message": {"MessageBody": "{}"},
        "receive_message": {},
        "purge_queue": {},
        "get_queue_attributes": {"AttributeNames": ["All"]},
    }
    for queue in resources(stack, "AWS::SQS::Queue"):
        yield from of_each(client, asks, QueueUrl=queue)


def of_buckets(stack: Stack, keys: Keys) -> Iterator[tuple[str, Request]]:
    client = keys.client(stack, "s3")
    asks: dict[str, dict[str, Any]] = {
        "list_objects_v2": {},
        "get_object": {"Key": "originals/x"},
        "put_object": {"Key": "rendered/x", "Body": b"x"},
        "delete_object": {"Key": "originals/x"},
    }
    for bucket in resources(stack, "AWS::S3::Bucket"):
        yield from of_each(client, asks, Bucket=bucket)


def of_keys(stack: Stack, keys: Keys) -> Iterator[tuple[str, Request]]:
    client = keys.client(stack, "kms")
    context = {"merchant_id": "m1", "purpose": "api"}
    asks: dict[str, dict[str, Any]] = {
        "encrypt": {"Plaintext": b"x", "EncryptionContext": context},
        "decrypt": {"CiphertextBlob": b"x", "EncryptionContext": context},
        "generate_mac": {"Message": b"x", "MacAlgorithm": "HMAC_SHA_256"},
        "sign": {"Message": b"x", "SigningAlgorithm": "ECDSA_SHA_256"},
    }
    for key in resources(stack, "AWS::KMS::Key"):
        yield from of_each(client, asks, KeyId=key)


def of_functions(stack: Stack, keys: Keys) -> Iterator[tuple[str, Request]]:
    client = keys.client(stack, "lambda")
    asks: dict[str, dict[str, Any]] = {
        "invoke": {},
        "get_function_configuration": {},
        "delete_function": {},
    }
    for function in resources(stack, "AWS::Lambda::Function"):
        yield from of_each(client, asks, FunctionName=function)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("of", [of_tables, of_queues, of_buckets, of_keys, of_functions])
def test_no_role_reaches_a_resource_itself(
    stack: Stack,
    users: dict[str, Keys],
    role: str,
    of: Callable[[Stack, Keys], Iterator[tuple[str, Request]]],
) -> None:
    allowed = [name for name, request in of(stack, users[f"{role}-1"]) if not is_denied(request)]
    assert allowed == []


@pytest.mark.parametrize("role", ROLES)
def test_no_role_changes_the_stack_or_its_own_rights(
    stack: Stack, users: dict[str, Keys], role: str
) -> None:
    keys = users[f"{role}-1"]
    formation, iam = keys.client(stack, "cloudformation"), keys.client(stack, "iam")
    name, policy = f"{role}-1", stack.outputs["FinancePolicyArn"]
    anything = {"Version": "2012-10-17", "Statement": []}
    assert formation.describe_stacks(StackName="orderdesk")["Stacks"]
    for request in (
        lambda: formation.get_template(StackName="orderdesk"),
        lambda: formation.delete_stack(StackName="orderdesk"),
        lambda: iam.attach_user_policy(UserName=name, PolicyArn=policy),
        lambda: iam.put_user_policy(
            UserName=name, PolicyName="own", PolicyDocument=json.dumps(anything)
        ),
    ):
        assert is_denied(request)


# What an operator with its own keys and a few lines of boto3 could do before the API.


def test_support_changes_neither_card_nor_merchant_of_an_order(
    stack_seed: StackSeed, users: dict[str, Keys]
) -> None:
    """The payer's page would show the attacker's card; the USDT would go to another merchant."""
    store = users["support-1"].client(stack_seed.stack, "dynamodb")
    key = to_item({"pk": "B202511210009876543210123"})
    for name in ("payment_method", "merchant_id"):
        change = {
            "TableName": stack_seed.tables.orders,
            "Key": key,
            "UpdateExpression": "SET #name = :value",
            "ExpressionAttributeNames": {"#name": name},
            "ExpressionAttributeValues": {":value": {"S": "m2"}},
        }
        assert is_denied(partial(store.update_item, **change))
        assert is_denied(partial(store.transact_write_items, TransactItems=[{"Update": change}]))


def test_support_sends_no_invented_event(stack: Stack, users: dict[str, Keys]) -> None:
    """The service would sign it, and the merchant's receiver would verify it."""
    queue = users["support-1"].client(stack, "sqs")
    assert is_denied(
        lambda: queue.send_message(QueueUrl=stack.outputs["CallbacksQueueUrl"], MessageBody="{}")
    )


def test_support_moves_no_money(stack_seed: StackSeed, users: dict[str, Keys]) -> None:
    """Two changed balances and two postings would balance."""
    store, ledger = (
        users["support-1"].client(stack_seed.stack, "dynamodb"),
        stack_seed.tables.ledger,
    )
    writes: list[dict[str, Any]] = []
    for account, sign in (("fee:m1:live", "-"), ("merchant:m1:live", "+")):
        writes += [
            {
                "Update": {
                    "TableName": ledger,
                    "Key": to_item({"pk": account, "sk": "balance"}),
                    "UpdateExpression": f"SET available_micro = available_micro {sign} :amount",
                    "ExpressionAttributeValues": {":amount": {"N": "1000000000000"}},
                }
            },
            {
                "Put": {
                    "TableName": ledger,
                    "Item": to_item({"pk": account, "sk": "posting#1", "amount_micro": 1}),
                }
            },
        ]
    assert is_denied(lambda: store.transact_write_items(TransactItems=writes))


@pytest.mark.parametrize("role", ROLES)
def test_nobody_writes_an_audit_entry_in_a_colleagues_name(
    stack_seed: StackSeed, users: dict[str, Keys], role: str
) -> None:
    store = users[f"{role}-1"].client(stack_seed.stack, "dynamodb")
    entry = to_item({"pk": "audit#2025-11", "sk": "1", "who": "finance-2"})
    put = {"Put": {"TableName": stack_seed.tables.audit, "Item": entry}}
    assert is_denied(lambda: store.transact_write_items(TransactItems=[put]))


def test_finance_rewrites_no_proposal(stack_seed: StackSeed, users: dict[str, Keys]) -> None:
    """A changed proposer would let the same person approve."""
    store = users["finance-1"].client(stack_seed.stack, "dynamodb")
    for part in ("proposals", "withdrawals"):
        change = {
            "TableName": stack_seed.tables.ledger,
            "Key": to_item({"pk": part, "sk": "P20251121000000000001"}),
            "UpdateExpression": "SET proposed_by = :other",
            "ExpressionAttributeValues": {":other": {"S": "finance-2"}},
        }
        assert is_denied(partial(store.update_item, **change))


@pytest.mark.parametrize("role", ROLES)
def test_nobody_stores_a_malformed_item(
    stack_seed: StackSeed, users: dict[str, Keys], role: str
) -> None:
    """One of them would end `trader list`, `ledger check` or a merchant's `listOrders`."""
    store, tables = users[f"{role}-1"].client(stack_seed.stack, "dynamodb"), stack_seed.tables
    for table, item in (
        (tables.traders, {"trader_id": "t-bad"}),
        (tables.orders, {"pk": "B202511210009876543210123", "kind": "order"}),
        (tables.ledger, {"pk": "merchant:m1:live", "sk": "posting#bad"}),
        (tables.merchants, {"pk": "merchant#bad"}),
    ):
        put = {"TableName": table, "Item": to_item(item)}
        assert is_denied(partial(store.put_item, **put))
        assert is_denied(partial(store.transact_write_items, TransactItems=[{"Put": put}]))
