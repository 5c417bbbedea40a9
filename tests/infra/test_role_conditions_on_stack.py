"""The conditions of the roles on the deployed stack: what a compromised function cannot do."""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from local.emulator import REGION
from orderdesk.adapters.dynamodb.marshal import to_item
from tests.infra.roles import FUNCTIONS, statements
from tests.support.stack_seed import StackSeed

type Clients = Callable[[str], Any]

ANYBODY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}],
}
ORDER_NO = "B202511210009876543210123"


@contextmanager
def taken_over(seed: StackSeed, function: str) -> Iterator[Clients]:
    """Create clients that assume a copy of a function's role."""
    iam, sts = seed.stack.client("iam"), seed.stack.client("sts")
    name = f"copy-{secrets.token_hex(4)}"
    role = iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(ANYBODY))["Role"]
    document = {"Version": "2012-10-17", "Statement": statements(seed.stack, function)}
    iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=json.dumps(document))
    held = sts.assume_role(RoleArn=role["Arn"], RoleSessionName=name)["Credentials"]
    session = boto3.Session(
        held["AccessKeyId"], held["SecretAccessKey"], held["SessionToken"], region_name=REGION
    )
    try:
        yield lambda service: session.client(  # type: ignore[call-overload]
            service, endpoint_url=seed.stack.endpoint_url
        )
    finally:
        iam.delete_role_policy(RoleName=name, PolicyName="own")
        iam.delete_role(RoleName=name)


def is_denied(request: Callable[[], object]) -> bool:
    """Return whether IAM refuses a request; any other error means that IAM allowed it."""
    try:
        request()
    except ClientError as error:
        return "AccessDenied" in error.response["Error"]["Code"]
    return False


def put(table: str, names: dict[str, str]) -> dict[str, Any]:
    return {"TableName": table, "Item": to_item(names)}


PUTS = [  # function, table, a key that it may write, keys that it may not
    ("CreateOrder", "guards", "nonce#mk_x#1", ["session#x", "attempts#x#1", "failures#person#x#1"]),
    ("CreateOrder", "orders", "number#m1#x", ["open_buys:m1:live:0"]),
    (
        "AdvanceTestOrder",
        "ledger",
        "fee:m1:test",
        [f"{account}:live" for account in ("fee:m1", "merchant:m1", "deposit:m1", "trader:t1")],
    ),
    ("TraderDesk", "guards", "session#x", ["nonce#mk_x#1", "attempts#x#1"]),
    ("MerchantPortal", "guards", "visits#m1#u1", ["session#x", "nonce#mk_x#1", "answer#x#1"]),
    ("TraderDesk", "ledger", "fee:m1:live", ["audit#2025-11", "funding::live"]),
    ("MerchantApi", "callbacks", "msg_B1_2", ["lanes#m1"]),
    ("IdentityPage", "orders", ORDER_NO, ["S202511210009876543210123", "open_buys:m1:live:0"]),
]


@pytest.mark.parametrize(("function", "table", "own", "others"), PUTS)
def test_a_role_puts_its_own_kinds_of_items_only(
    stack_seed: StackSeed, function: str, table: str, own: str, others: list[str]
) -> None:
    name = getattr(stack_seed.tables, table)

    def names(key: str) -> dict[str, str]:
        if table == "ledger":
            return {"pk": key, "sk": f"posting#{secrets.token_hex(4)}"}
        return {"webhook_id" if table == "callbacks" else "pk": key}

    with taken_over(stack_seed, function) as client:
        store = client("dynamodb")
        assert not is_denied(lambda: store.put_item(**put(name, names(own))))
        for key in others:
            single = put(name, names(key))
            assert is_denied(lambda p=single: store.put_item(**p))  # type: ignore[misc]
            together = [{"Put": put(name, names(own))}, {"Put": single}]
            assert is_denied(lambda t=together: store.transact_write_items(TransactItems=t))  # type: ignore[misc]


UPDATES = [  # function, table, a key that it may not write
    ("CreateOrder", "orders", "S202511210009876543210123"),
    ("CreateOrder", "ledger", "fee:m1:live"),
    ("PayPage", "guards", "session#x"),
    ("RenderReceipt", "guards", "session#x"),
    ("AssignSells", "orders", "open_buys:m1:live:0"),
    ("TraderDesk", "ledger", "audit#2025-11"),
    ("MerchantPortal", "merchants", "rates"),
    ("AdvanceTestOrder", "ledger", "merchant:m1:live"),
    ("AdvanceTestOrder", "orders", "open_buys:m1:live:0"),
]


@pytest.mark.parametrize(("function", "table", "key"), UPDATES)
def test_a_role_updates_its_own_kinds_of_items_only(
    stack_seed: StackSeed, function: str, table: str, key: str
) -> None:
    names = {"pk": key} | ({"sk": "balance"} if table == "ledger" else {})
    with taken_over(stack_seed, function) as client:
        store = client("dynamodb")
        assert is_denied(
            lambda: store.update_item(
                TableName=getattr(stack_seed.tables, table),
                Key=to_item(names),
                UpdateExpression="SET found = :one",
                ExpressionAttributeValues=to_item({":one": 1}),
            )
        )


def test_the_desk_appends_to_its_own_part_of_the_audit_trail(stack_seed: StackSeed) -> None:
    audit = stack_seed.tables.audit
    own = put(audit, {"pk": "desk#2025-11", "sk": secrets.token_hex(4)})
    operators = put(audit, {"pk": "audit#2025-11", "sk": "1"})
    with taken_over(stack_seed, "TraderDesk") as client:
        store = client("dynamodb")
        assert not is_denied(lambda: store.transact_write_items(TransactItems=[{"Put": own}]))
        assert is_denied(lambda: store.put_item(**own))
        for together in ([{"Put": operators}], [{"Put": own}, {"Put": operators}]):
            assert is_denied(lambda t=together: store.transact_write_items(TransactItems=t))  # type: ignore[misc]


@pytest.mark.parametrize("function", sorted({*FUNCTIONS} - {"OperatorApi"}))
def test_no_other_function_touches_the_operators_audit_trail(
    stack_seed: StackSeed, function: str
) -> None:
    audit = stack_seed.tables.audit
    key = to_item({"pk": "audit#2025-11", "sk": "1"})
    with taken_over(stack_seed, function) as client:
        store = client("dynamodb")
        for request in (
            lambda: store.put_item(TableName=audit, Item=key),
            lambda: store.delete_item(TableName=audit, Key=key),
            lambda: store.update_item(TableName=audit, Key=key, UpdateExpression="REMOVE a"),
            lambda: store.transact_write_items(
                TransactItems=[{"Put": {"TableName": audit, "Item": key}}]
            ),
        ):
            assert is_denied(request)


SECRETS = {
    "CreateOrder": {"api", "test"},
    "MerchantApi": {"api", "test"},
    "AdvanceTestOrder": {"api", "test"},
    "IdentityPage": {"api"},
    "SendCallback": {"callback"},
}


@pytest.mark.parametrize(("function", "purposes"), SECRETS.items())
def test_a_role_opens_secrets_of_its_own_purpose_only(
    stack_seed: StackSeed, function: str, purposes: set[str]
) -> None:
    key = stack_seed.stack.outputs["SecretsKeyArn"]
    with taken_over(stack_seed, function) as client:
        for sealed_for in ("api", "test", "callback"):
            context = {"merchant_id": "m1", "purpose": sealed_for}
            sealed = stack_seed.stack.client("kms").encrypt(
                KeyId=key, Plaintext=b"x", EncryptionContext=context
            )["CiphertextBlob"]
            request = {"KeyId": key, "CiphertextBlob": sealed, "EncryptionContext": context}
            is_refused = is_denied(lambda r=request: client("kms").decrypt(**r))  # type: ignore[misc]
            assert is_refused == (sealed_for not in purposes)
