"""The operators' roles on the deployed stack: the commands that each may run, and the refusals.

A user of each role runs every command, with the managed policies of the
template (contract sections 9 and 10).
"""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.operators import ROLE_OF
from local.places import VENV_BIN
from local.stack import Stack
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk_cli.main import GROUPS
from orderdesk_cli.wiring import Office
from tests.infra.operator_commands import COMMANDS, WHY, Role, Scene, office_of
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed

type Users = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def users(operators: list[dict[str, str]]) -> Users:
    """Return the operators of stack.json by name."""
    return {each["name"]: each for each in operators}


@pytest.fixture(scope="module")
def offices(stack: Stack, users: Users) -> dict[Role, Office]:
    return {Role[each["role"].upper()]: opened(stack, each) for each in users.values()}


@pytest.fixture
def scene(stack_seed: StackSeed) -> Scene:
    return Scene(stack_seed)


def opened(stack: Stack, user: dict[str, str]) -> Office:
    return office_of(stack, user["access_key_id"], user["secret_access_key"])


def console_commands() -> Iterator[str]:
    for group, (_, modules) in GROUPS.items():
        yield from (f"{group} {name}" for names in modules.values() for name in names)
    yield from ("report", "audit", "doctor", "preflight")


def test_every_command_is_tested() -> None:
    assert set(COMMANDS) == set(console_commands())


def test_there_are_two_finance_users_and_one_of_each_other_role(users: Users) -> None:
    assert sorted(each["role"] for each in users.values()) == [
        *("finance", "finance", "support", "viewer")
    ]
    assert {name: each["role"] for name, each in users.items()} == ROLE_OF


def test_each_user_is_a_person(stack: Stack, users: Users) -> None:
    for name, user in users.items():
        caller = opened(stack, user).operator.caller
        assert (caller.person, caller.arn.endswith(f":user/{name}")) == (name, True)


@pytest.mark.parametrize("role", Role, ids=lambda role: role.name.lower())
@pytest.mark.parametrize("name", COMMANDS)
def test_a_role_may_run_its_commands_and_no_others(
    scene: Scene, offices: dict[Role, Office], name: str, role: Role
) -> None:
    command = COMMANDS[name]
    result = Terminal(offices[role]).run(*name.split(), *command.rest(scene), "--json")
    if role >= command.least:
        assert "lacks the right" not in result.stderr
        assert result.exit_code == 0 or command.may_complain, result.stderr
        json.loads(result.stdout)
        return
    assert (result.exit_code, result.stdout) == (1, ""), result.stdout
    (line,) = result.stderr.splitlines()
    assert f":user/{role.name.lower()}" in line
    assert "lacks the right " in line


def test_a_refused_command_changes_nothing(scene: Scene, offices: dict[Role, Office]) -> None:
    """Its transaction has writes that support may do, and none of them takes effect."""
    trader = scene.trader()
    before = scene.seed.trader(trader)
    support = Terminal(offices[Role.SUPPORT])
    for words in (("set", trader, "--max", "77"), ("new-code", trader)):
        assert support.run("trader", *words).exit_code == 1
    assert support.run("fund", "trader", trader, "5", "--memo", "m").exit_code == 1
    assert scene.seed.trader(trader) == before


def test_who_may_not_open_secrets_gets_no_payers_link(
    scene: Scene, offices: dict[Role, Office]
) -> None:
    """A pay URL lets its owner act as the payer. It is encrypted as the merchant's secrets are."""
    number = scene.cancelled_buy()
    shown = {role: Terminal(offices[role]).json("order", "show", number) for role in Role}
    assert [shown[role]["pay_url"] for role in (Role.VIEWER, Role.SUPPORT)] == [None, None]
    assert f"/pay/{number}/" in shown[Role.FINANCE]["pay_url"]


def test_support_resolves_a_sell(scene: Scene, offices: dict[Role, Office]) -> None:
    support = Terminal(offices[Role.SUPPORT])
    for outcome in ("completed", "cancelled"):
        moved = support.json("order", "resolve", scene.disputed(), outcome, *WHY)
        assert moved["status"] == outcome


def test_nobody_writes_to_the_audit_trail_outside_a_transaction(
    stack: Stack, scene: Scene, users: Users
) -> None:
    table = scene.seed.tables.audit
    entry = to_item({"pk": "audit#2025-11", "sk": "1"})
    requests: list[tuple[str, dict[str, Any]]] = [
        ("put_item", {"Item": entry}),
        ("delete_item", {"Key": entry}),
        ("update_item", {"Key": entry, "UpdateExpression": "REMOVE who"}),
    ]
    for user in users.values():
        client: Any = opened(stack, user)._session.create_client("dynamodb")
        for name, request in requests:
            with pytest.raises(ClientError, match="AccessDenied"):
                getattr(client, name)(TableName=table, **request)


def orderdesk(stack: Stack, user: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    keys = {
        "AWS_ACCESS_KEY_ID": user["access_key_id"],
        "AWS_SECRET_ACCESS_KEY": user["secret_access_key"],
    }
    return subprocess.run(
        [str(VENV_BIN / "orderdesk"), *words],
        env={**kept, **keys, "AWS_ENDPOINT_URL": stack.endpoint_url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_withdrawal_takes_two_of_finance(stack: Stack, scene: Scene, users: Users) -> None:
    """Run the installed command with the keys of stack.json."""
    one, other = users["finance-1"], users["finance-2"]
    words = ("withdraw", "merchant", scene.funded(), "7", "--memo", "m", "--json")
    proposed = json.loads(orderdesk(stack, one, *words).stdout)
    number = proposed["withdrawal_no"]
    assert proposed["proposed_by"].endswith(":user/finance-1")
    own = orderdesk(stack, one, "withdraw", "approve", number)
    assert (own.returncode, own.stdout) == (1, "")
    assert "another operator" in own.stderr
    support = orderdesk(stack, users["support-1"], "withdraw", "approve", number)
    assert (support.returncode, support.stdout) == (1, "")
    assert support.stderr.count("\n") == 1
    assert "lacks the right dynamodb:" in support.stderr
    approved = orderdesk(stack, other, "withdraw", "approve", number, "--json")
    assert approved.returncode == 0, approved.stderr
    assert json.loads(approved.stdout)["decided_by"].endswith(":user/finance-2")
