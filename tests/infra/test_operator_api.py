"""The operators' API on the deployed stack: AWS checks signatures and paths, and names the caller.

Which signatures AWS accepts is not ours to show: the emulator checks them, more leniently.
"""

import httpx
import pytest

from local.operators import POLICIES_OF
from local.stack import Stack
from orderdesk.web.operator.declare import Role
from orderdesk.web.operator.endpoint import COMMANDS
from tests.support.operator_calls import ROOT, Keys, call, is_refused_by_aws, session_of

READ = "rate.list"
RANK = {Role.VIEWER: 1, Role.SUPPORT: 2, Role.FINANCE: 3}
UNKNOWN_KEY = Keys("AKIA0000000000000000", "x")


@pytest.fixture(scope="module")
def users(operators: list[dict[str, str]]) -> dict[str, Keys]:
    """Return the operators' keys by name."""
    return {each["name"]: Keys.of(each) for each in operators}


@pytest.fixture(scope="module")
def viewer(users: dict[str, Keys]) -> Keys:
    return users["viewer-1"]


def url(stack: Stack, path: str = READ) -> str:
    return f"{stack.outputs['OperatorUrl']}/{path}"


def test_an_unsigned_request_is_refused(stack: Stack) -> None:
    assert is_refused_by_aws(httpx.post(url(stack), json={}, timeout=None))


def test_unknown_keys_are_refused(stack: Stack, viewer: Keys) -> None:
    for keys in (UNKNOWN_KEY, Keys(viewer.access_key_id, "x")):
        assert is_refused_by_aws(call(stack, keys, READ))


def test_a_get_is_refused(stack: Stack) -> None:
    assert is_refused_by_aws(httpx.get(url(stack), timeout=None))


def test_a_caller_is_the_user_whom_aws_names(stack: Stack, users: dict[str, Keys]) -> None:
    for name, keys in users.items():
        answer = call(stack, keys, "rights.list").json()
        assert (answer["code"], answer["data"]["person"]) == (1, name)


def test_rights_are_those_of_the_callers_policies(stack: Stack, users: dict[str, Keys]) -> None:
    for name, role in (("viewer-1", Role.VIEWER), ("support-1", Role.SUPPORT)):
        listed = call(stack, users[name], "rights.list").json()["data"]["items"]
        allowed = [key for key, command in COMMANDS.items() if RANK[command.role] <= RANK[role]]
        assert listed == sorted(allowed)
    everything = call(stack, users["finance-1"], "rights.list").json()["data"]["items"]
    assert everything == sorted(COMMANDS)


@pytest.mark.parametrize("role", Role)
def test_a_role_may_call_its_commands_and_no_others(
    stack: Stack, users: dict[str, Keys], role: Role
) -> None:
    keys = users[f"{role.value}-1"]
    for name, command in COMMANDS.items():
        answer = call(stack, keys, name, no_such_parameter=1)
        if RANK[command.role] <= RANK[role]:
            assert answer.json()["code"] == 1002, name
        else:
            assert is_refused_by_aws(answer), name


@pytest.mark.parametrize("role", Role)
def test_no_role_acts_alone(stack: Stack, users: dict[str, Keys], role: Role) -> None:
    for name in COMMANDS:
        assert is_refused_by_aws(call(stack, users[f"{role.value}-1"], f"solo/{name}"))


def test_a_call_alone_is_logged(stack: Stack) -> None:
    answer = call(stack, ROOT, f"solo/{READ}")
    assert answer.json()["code"] == 1
    number = answer.headers["x-request-id"]
    lines = stack.function_logs(stack.outputs["OperatorApiFunctionName"])
    assert any('"alone":true' in line and number in line for line in lines)


@pytest.mark.parametrize("path", [f"{READ}/", f"/{READ}", "Rate.list", "rate.nope", "solo/x.y"])
def test_another_path_that_reaches_the_function_is_404(stack: Stack, path: str) -> None:
    answer = call(stack, ROOT, path)
    assert (answer.status_code, answer.json()["code"]) == (404, 4000)


def test_a_path_with_another_letter_case_or_end_is_not_allowed(stack: Stack, viewer: Keys) -> None:
    for path in (f"{READ}/", "Rate.list", "rate.nope"):
        assert is_refused_by_aws(call(stack, viewer, path))


def test_a_session_of_a_listed_role_is_its_person(stack: Stack) -> None:
    role = "AWSReservedSSO_Finance_0a1b2c3d"
    with session_of(stack, role, "li@example.com", POLICIES_OF["finance"]) as keys:
        data = call(stack, keys, "rights.list").json()["data"]
        assert (data["person"], data["items"]) == ("li@example.com", sorted(COMMANDS))
        assert is_refused_by_aws(call(stack, keys, f"solo/{READ}"))


def test_a_session_of_another_role_is_nobody(stack: Stack) -> None:
    with session_of(stack, "Deployer", "finance-2", POLICIES_OF["finance"]) as keys:
        answer = call(stack, keys, READ)
        assert (answer.status_code, answer.json()["code"]) == (403, 2303)


def test_root_is_a_person_on_the_local_stack(stack: Stack) -> None:
    assert call(stack, ROOT, "rights.list").json()["data"]["person"] == "root"
