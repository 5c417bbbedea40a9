"""`orderdesk doctor` on the deployed stack reports every seeded fault, and no others."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from local.stack import Stack
from tests.support.offices import Terminal

ROLE, POLICY = "CreateOrderRoleName", "added-by-hand"
# A callback of an earlier test may become a dead letter at any time.
OTHERS_LEAVE = {"dead letters", "alarms"}


def wrong(terminal: Terminal) -> set[tuple[str, str]]:
    """Return the failed checks with their texts, without those that other tests cause."""
    result = terminal.run("doctor", "--json")
    found = {
        (each["check"], each["says"])
        for each in json.loads(result.stdout)
        if each["level"] == "wrong"
    }
    assert result.exit_code == (1 if found else 0)
    return {(check, says) for check, says in found if check not in OTHERS_LEAVE}


@contextmanager
def disabled(stack: Stack, name: str) -> Iterator[None]:
    scheduler = stack.client("scheduler")
    schedule = scheduler.get_schedule(Name=name)
    kept = ("Name", "ScheduleExpression", "FlexibleTimeWindow", "Target")
    same = {each: schedule[each] for each in kept}
    scheduler.update_schedule(**same, State="DISABLED")
    try:
        yield
    finally:
        scheduler.update_schedule(**same, State="ENABLED")


@contextmanager
def widened(stack: Stack, role: str) -> Iterator[None]:
    document = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "dynamodb:DeleteTable", "Resource": "*"}],
    }
    iam = stack.client("iam")
    iam.put_role_policy(RoleName=role, PolicyName=POLICY, PolicyDocument=json.dumps(document))
    try:
        yield
    finally:
        iam.delete_role_policy(RoleName=role, PolicyName=POLICY)


@pytest.mark.usefixtures("stack_seed")  # it sets the rates
def test_it_reports_every_seeded_fault(stack: Stack, terminal: Terminal) -> None:
    assert wrong(terminal) == set()
    role = stack.outputs[ROLE]
    names = ("orderdesk-expire-drafts", "orderdesk-seal-books")
    with disabled(stack, names[0]), disabled(stack, names[1]), widened(stack, role):
        found = wrong(terminal)
    assert found == {
        *(("schedules", f"the schedule {name} does not run") for name in names),
        ("roles", f"{role} may do more than the template says: dynamodb:DeleteTable"),
    }
    assert wrong(terminal) == set()
