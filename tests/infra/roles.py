"""A function's role on the deployed stack, with one statement taken out for a while."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from local.stack import Stack

FUNCTIONS = (
    "CreateOrder",
    "MerchantApi",
    "AdvanceTestOrder",
    "PayPage",
    "IdentityPage",
    "TraderDesk",
    "ExpireDrafts",
    "AssignSells",
    "RelayEvents",
    "SendCallback",
    "SendPush",
    "RenderReceipt",
)
# The emulator writes logs and reads streams and queues itself, whatever the role says.
NOT_PROBED = frozenset(
    {
        "WriteOwnLogs",
        "SendTraces",
        "DescribeStream",
        "FindPlaceInStream",
        "ReadStream",
        "ListStreams",
        "ReceiveCallback",
        "DeleteCallback",
        "ReceivePush",
        "DeletePush",
        "LookAtQueue",
    }
)


def statements(stack: Stack, function: str) -> list[dict[str, Any]]:
    """Give what the function's role allows now."""
    return list(_document(stack, function)["Statement"])


def cold_start(stack: Stack, function: str) -> None:
    """Make the function forget what its warm containers keep, decrypted secrets above all."""
    name = stack.outputs[f"{function}FunctionName"]
    functions = stack.client("lambda")
    memory = functions.get_function_configuration(FunctionName=name)["MemorySize"]
    for size in (memory + 1, memory):
        functions.update_function_configuration(FunctionName=name, MemorySize=size)


@contextmanager
def without(stack: Stack, function: str, sid: str) -> Iterator[None]:
    """Take one statement out of the role, in force at once, and put it back in the end."""
    whole = _document(stack, function)
    rest = [statement for statement in whole["Statement"] if statement["Sid"] != sid]
    assert len(rest) == len(whole["Statement"]) - 1, f"{function} has no statement {sid}"
    _put(stack, function, {**whole, "Statement": rest})
    try:
        cold_start(stack, function)
        yield
    finally:
        _put(stack, function, whole)


def _document(stack: Stack, function: str) -> dict[str, Any]:
    role = stack.outputs[f"{function}RoleName"]
    iam = stack.client("iam")
    (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
    document: dict[str, Any] = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
    return document


def _put(stack: Stack, function: str, document: dict[str, Any]) -> None:
    role = stack.outputs[f"{function}RoleName"]
    iam = stack.client("iam")
    (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(document))
