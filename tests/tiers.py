"""The tier of each test, declared only here.

- `make check` runs `tests/unit`.
- `make test` runs that and everything else that is not in the slow tier.
- `make slow` runs the slow tier: what is listed here, every property, and every test marked `deep`.
- `make test-all` runs `make test`, then `make slow`.

A property, and a test marked `deep`, runs few examples in `make test` and many in the slow tier
(`tests/support/depth.py`).
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent

# The beginning of a test's id below tests/, and why it is slow.
SLOW = {
    "browser/test_traders_day.py::test_a_day": "50 orders; two of them are in `make test`",
    "model/": "whole runs of a crowded store",
    "clients/": "compilers and interpreters of five languages",
    "browser/test_desk_layout.py::test_every_state_fits_a_narrow_phone[zh]": "[en] is not",
    "browser/test_docs_site.py": "every page of the documentation in a browser, twice",
    "e2e/test_schemathesis.py": "hundreds of generated requests to each route",
    "faults/test_deployed.py::test_a_burst": "needs many orders; single orders are in `make test`",
    "infra/test_make_run.py::test_a_deploy_puts_a_changed_layer": "the layer is built twice",
    "browser/test_copy_buttons.py::test_copying_moves_nothing": "each button in each of the fonts",
    "e2e/test_callbacks_endure.py": "workers are killed, and hundreds of callbacks sent",
    "e2e/test_callbacks.py::test_one_hanging_merchant": "all workers of the queue are started",
    "e2e/test_merchant_flood.py": "hundreds of calls; the rate itself is in integration",
    "e2e/test_open_limits.py::test_buys_and_sells": "the race of buys alone is in `make test`",
    "e2e/test_open_limits.py::test_fifty_sells": "as above",
    "e2e/test_races.py::test_the_books": "the same machine runs on moto in `make test`",
    "e2e/test_unique_amounts.py::test_an_amount_is_never": "equal buys at once are in `make test`",
    "e2e/test_withdrawals.py::test_200_decisions_and_orders_at_once_against_one_balance[trader]": (
        "[merchant] is not"
    ),
    "infra/test_least_privilege.py": "each action of each role is removed and restored",
    "infra/test_deploy_proof.py": "translates the template for each pair of switches, and lints it",
    "infra/test_second_opinion.py": "every request of the adapters on DynamoDB Local",
    "infra/test_restore_rehearsal.py": "100 000 postings on DynamoDB Local",
    "infra/test_dynamodb_local.py": "DynamoDB Local is started again and again",
    "infra/test_invoke.py::test_a_buy_is_in_the_stack": "builds a container's image",
}

# Contract tests of which every case also runs over HTTP, in the slow tier, and what only HTTP
# shows. The cases of the others differ within a handler, which their runs in process show.
OVER_HTTP = {
    "contract/test_advance_order.py::test_every_end_is_reached": "the rights that each move needs",
    "contract/test_bodies.py::test_what_is_no_json_object": "the gateway forwards any bytes",
    "contract/test_bodies.py::test_another_content_type": "the gateway forwards the header",
    "contract/test_bodies.py::test_json_by_any_spelling": "as above",
    "contract/test_orders.py::test_messages_are_chinese": "as above",
    "contract/test_orders.py::test_another_merchants_order": "each route",
    "contract/test_test_keys.py::test_an_ending_provokes": "each error code",
    "contract/test_test_keys.py::test_a_live_list": "each route",
}

# Files whose tests use the deployed stack, beside those of tests/contract with a `stack` variant.
ON_STACK = (
    "tests/browser/test_portal.py",
    "tests/clients/test_on_stack.py",
    "tests/clients/test_python_package.py",
    "tests/clients/test_trials.py",
    "tests/e2e/",
    "tests/faults/test_deployed.py",
    "tests/faults/test_killed_approvals.py",
    "tests/faults/test_machines.py",
    "tests/infra/test_gateway.py",
    "tests/infra/test_invoke.py",
    "tests/infra/test_make_run.py",
    "tests/infra/test_operator_api.py",
    "tests/infra/test_operator_rights.py",
    "tests/infra/test_role_conditions_on_stack.py",
    "tests/infra/test_workers.py",
)
# These remove rights on a separate deployed stack. They are slow, so two processes share the slow
# tier.
ON_STACK_OF_ROLES = ("tests/infra/test_least_privilege.py",)
# These share built clients, which take long to compile, and use no stack. As a group of their own
# they run beside the tests on the stack.
OF_CLIENTS = ("tests/clients/",)
STACK, STACK_OF_ROLES, CLIENTS = "stack", "stack of roles", "clients"
# The groups that take minutes in the slow tier, the longest first. They begin first, so that no
# process waits at the end for another one's long group.
LONGEST = (
    STACK,
    STACK_OF_ROLES,
    "tests/fuzz/test_merchant_routes.py",
    "tests/integration/ledger/test_money_machine.py",
    CLIENTS,
    "tests/fuzz/test_pages.py",
    "tests/fuzz/test_uploads.py",
    "tests/fuzz/test_operator_api.py",
    "tests/infra/test_second_opinion.py",
    "tests/infra/test_deploy_proof.py",
)


def put_into_tiers(items: list[pytest.Item]) -> list[pytest.Item]:
    """Mark slow tests; remove and return the cases over HTTP that show nothing new.

    Raises: pytest.UsageError for a stack test that `group_of` misses.
    """
    seen_over_http: set[str] = set()
    kept, removed = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        if _on_stack(item) and group_of(item.nodeid) not in {STACK, STACK_OF_ROLES}:
            raise pytest.UsageError(f"{item.nodeid} uses the stack: add its file to ON_STACK")
        is_further = _is_further_case_over_http(item, seen_over_http)
        if is_further and not _name(item).startswith(tuple(OVER_HTTP)):
            removed.append(item)
            continue
        if is_further or _name(item).startswith(tuple(SLOW)):
            item.add_marker(pytest.mark.slow)
        kept.append(item)
    items[:] = kept
    return removed


def group_of(nodeid: str) -> str:
    """Return a test's group; the tests of a group run in one process, one after the other.

    All tests on a stack are one group, so it is deployed once; so are those of built clients. Any
    other file is a group.
    """
    if nodeid.startswith(ON_STACK_OF_ROLES):
        return STACK_OF_ROLES
    if nodeid.startswith(ON_STACK) or "[stack" in nodeid:
        return STACK
    if nodeid.startswith(OF_CLIENTS):
        return CLIENTS
    return nodeid.partition("::")[0]


def _name(item: pytest.Item) -> str:
    """Return the id of a test below tests/."""
    path = item.path.relative_to(TESTS).as_posix()
    return f"{path}::{item.nodeid.partition('::')[2]}"


def _is_further_case_over_http(item: pytest.Item, seen_over_http: set[str]) -> bool:
    """Return whether a case of a contract test over HTTP is not the first of its function.

    All cases of a contract test run in process. The first case of each function also runs over
    HTTP in `make test`, to show that the gateway forwards the request.
    """
    name = _name(item)
    if not name.startswith("contract/") or not _on_stack(item):
        return False
    function = name.partition("[")[0]
    if function in seen_over_http:
        return True
    seen_over_http.add(function)
    return False


def _on_stack(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return False
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return "stack" in item.fixturenames or parameters.get("seed") == "stack"
