"""The role of a function on the deployed stack, and how to remove a statement temporarily."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from local.stack import Stack
from tests.support.template import template

FUNCTIONS = tuple(
    name.removesuffix("Function")
    for name, each in template()["Resources"].items()
    if each["Type"] == "AWS::Serverless::Function"
)
TRACED = tuple(
    name
    for name in FUNCTIONS
    if template()["Resources"][f"{name}Function"]["Properties"].get("Tracing") == "Active"
)
# The emulator writes logs and reads streams and queues itself, without checking the role.
NOT_CHECKED = frozenset(
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


def rights(stack: Stack, function: str) -> list[tuple[str, str, str]]:
    """Return each statement of a role with each of its actions and resources."""
    return [
        (each["Sid"], action, resource)
        for each in _document(stack, function)["Statement"]
        if each["Sid"] not in NOT_CHECKED
        for action in _listed(each["Action"])
        for resource in _listed(each["Resource"])
    ]


def _listed(one_or_more: str | list[str]) -> list[str]:
    return [one_or_more] if isinstance(one_or_more, str) else one_or_more


def cold_start(stack: Stack, function: str) -> None:
    """Replace the function's warm containers, which cache decrypted secrets among others."""
    name = stack.outputs[f"{function}FunctionName"]
    functions = stack.client("lambda")
    memory = functions.get_function_configuration(FunctionName=name)["MemorySize"]
    for size in (memory + 1, memory):
        functions.update_function_configuration(FunctionName=name, MemorySize=size)


@contextmanager
def without(stack: Stack, function: str, sid: str) -> Iterator[None]:
    """Remove one statement from the role with immediate effect, and restore it at the end."""
    whole = _document(stack, function)
    every = whole["Statement"]
    rest = [statement for statement in every if statement["Sid"] != sid]
    assert len(rest) == len(every) - 1, f"{function} has no statement {sid}"
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
