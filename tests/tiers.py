"""The tier of each test, declared only here.

- `make check` runs `tests/unit`.
- `make test` runs that and everything else that is not in the slow tier.
- `make slow` runs the slow tier: what is listed here, every property, and every test marked `deep`.
- `make test-all` runs `make test`, then `make slow`.

A property, and a test marked `deep`, runs few examples in `make test` and many in the slow tier
(`tests/support/depth.py`).
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
_MARKED = re.compile(r"\bhypothesis\b|mark\.(deep|slow)\b")

# The beginning of a test's id below tests/, and why it is slow. `make test` shows each behaviour
# once. What remains is here: calls that meet, processes that die, faults of AWS, random input and
# long histories, each state in a browser, and deploys.
SLOW = {
    "browser/": "each state of each page in a browser; IN_BROWSER is in `make test`",
    "clients/": "compilers and interpreters of five languages",
    "contract/test_advance_order.py::test_what_the_table": "each status with each target",
    "contract/test_verification_caps.py::test_one_customers_failures": "dozens of drafts",
    "contract/test_verification_caps.py::test_tries_at_the_same_time": "calls at once",
    "e2e/test_callbacks.py::test_after_ten_attempts": "the whole schedule",
    "e2e/test_callbacks.py::test_one_hanging_merchant": "all workers of the queue are started",
    "e2e/test_callbacks_endure.py": "workers are killed, and hundreds of callbacks sent",
    "e2e/test_concurrency.py": "calls at once",
    "e2e/test_console_serves.py": "the console's pages are tested without a stack",
    "e2e/test_doctor.py": "breaks and repairs the stack",
    "e2e/test_outbox.py::test_an_event_that_the_queue_refuses": "waits for a retry",
    "e2e/test_pushes.py::test_a_busy_push_service": "waits for a retry",
    "e2e/test_receipts.py::test_a_costly_file": "four decode at once",
    "faults/test_deployed.py": "AWS fails during whole lives of orders",
    "faults/test_machines.py": "AWS fails during long histories",
    "fuzz/": "random input",
    "infra/test_artifacts.py::test_the_trimmed_models": "every operation of each service",
    "infra/test_deploy_proof.py": "translates the template for each pair of switches, and lints it",
    "infra/test_dynamodb_local.py": "DynamoDB Local is started again and again",
    "infra/test_invoke.py::test_a_buy_is_in_the_stack": "builds a container's image",
    "infra/test_make_run.py": "a stack of its own, with deploys of changed code",
    "infra/test_operator_api.py::test_a_role_may_call": "each command with each role",
    "infra/test_operator_api.py::test_no_role_acts_alone": "as above",
    "infra/test_restore_rehearsal.py": "20,000 postings on DynamoDB Local",
    "infra/test_second_opinion.py": "every request of the adapters on DynamoDB Local",
    "infra/test_workers.py": "waits for timeouts",
    "integration/callbacks/test_hostile.py::test_a_slow_receiver": "waits for timeouts",
    "integration/callbacks/test_relay_faults.py": "AWS fails, and processes are killed",
    "integration/console/test_console_pages.py::test_every_page_and_every_form_answers[en]": (
        "each page once more; in Chinese it is in `make test`"
    ),
    "integration/ledger/test_checked.py::test_counters_that_move": "four seals for each move",
    "integration/ledger/test_falsified.py::test_each_malformed_item": "each in turn",
    "integration/ledger/test_money_machine.py": "long histories",
    "integration/operator/test_order_lists.py::test_a_days_figures": "many orders",
    "integration/operator/test_order_lists.py::test_a_page_costs": "500 merchants",
    "integration/operator/test_order_lists.py::test_disputes_are_queued": "many disputes",
    "integration/operator/test_order_lists.py::test_finding_costs": "500 merchants",
    "integration/operator/test_proposals.py::test_a_death": "a process is killed at each step",
    "integration/operator/test_proposals.py::test_an_approval_whose_answer_is_lost": "AWS fails",
    "integration/operator/test_report.py::test_a_mixed_day": "a long history",
    "integration/operator/test_report.py::test_parts_are_the_same": "as above",
    "integration/operator_api/test_callbacks.py::test_what_is_in_trouble": "many callbacks",
    "integration/orders/test_create_faults.py": "AWS fails",
    "integration/orders/test_draft_machine.py": "long histories",
    "integration/orders/test_open_limits.py::test_every_end_of_a_buy": "each end",
    "integration/orders/test_rotation.py::test_sequential_orders": "many orders",
    "integration/races/test_reversals.py::test_32_threads": "calls at once",
    "integration/orders/test_slot_share.py::test_dust": "hundreds of orders",
    "integration/pages/desk/test_lists.py::test_a_crowd": "hundreds of orders",
    "integration/receipts/test_drawing.py::test_any_bytes": "random input",
    "integration/receipts/test_drawing.py::test_what_cannot_be_drawn_is_refused[endless": "a limit",
    "integration/receipts/test_drawing_ends.py": "drawings that use up their time and memory",
    "model/": "whole runs of a crowded store",
}

# The tests in a browser that are in `make test`: the main path of each page.
IN_BROWSER = (
    "browser/test_console.py::test_a_dispute_from_the_queue",
    "browser/test_identity_page.py::test_from_the_link",
    "browser/test_pay_actions.py::test_a_chosen_receipt",
    "browser/test_pay_actions.py::test_i_have_paid",
    "browser/test_pay_page.py::test_a_payer_sees",
    "browser/test_pay_page.py::test_the_page_follows",
    "browser/test_portal.py::test_a_member_signs_in",
    "browser/test_trader_desk.py::test_from_the_login_to_a_confirmed_receipt[True]",
)

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
    "tests/clients/test_trials.py",
    "tests/e2e/",
    "tests/infra/test_gateway.py",
    "tests/infra/test_invoke.py",
    "tests/infra/test_least_privilege.py",
    "tests/infra/test_make_run.py",
    "tests/infra/test_operator_api.py",
    "tests/infra/test_workers.py",
)
# It reads which rights the other tests on the stack used, so it runs after them.
LAST_ON_STACK = "tests/infra/test_least_privilege.py"
# These take long, and AWS fails in them, so they have a stack and a process of their own.
ON_STACK_OF_FAULTS = ("tests/faults/test_deployed.py",)
# These share built clients, which take long to compile, and use no stack. As a group of their own
# they run beside the tests on the stack.
OF_CLIENTS = ("tests/clients/",)
STACK, STACK_OF_FAULTS = STACKS = "stack", "stack of faults"
CLIENTS = "clients"
# The groups that take minutes in the slow tier, the longest first. They begin first, so that no
# process waits at the end for another one's long group.
LONGEST = (
    *STACKS,
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
        if _on_stack(item) and group_of(item.nodeid) not in STACKS:
            raise pytest.UsageError(f"{item.nodeid} uses the stack: add its file to ON_STACK")
        is_further = _is_further_case_over_http(item, seen_over_http)
        if is_further and not _name(item).startswith(tuple(OVER_HTTP)):
            removed.append(item)
            continue
        if is_further or is_slow(_name(item)):
            item.add_marker(pytest.mark.slow)
        kept.append(item)
    items[:] = sorted(kept, key=lambda item: item.nodeid.startswith(LAST_ON_STACK))
    return removed


def is_whole_stack(items: Sequence[pytest.Item]) -> bool:
    """Return whether a run has all of the tests on the stack that are not slow."""
    files = {item.nodeid.partition("::")[0] for item in items}
    places = [each for each in ON_STACK if not is_slow(each.removeprefix("tests/"))]
    return all(
        any(file.startswith(each) for file in files) for each in ("tests/contract/", *places)
    )


def is_slow(name: str) -> bool:
    """Return whether a test is only in the slow tier, by its id below tests/."""
    return name.startswith(tuple(SLOW)) and not name.startswith(IN_BROWSER)


def is_file_of_slow_tests(path: Path) -> bool:
    """Return whether a file has tests, and all of them are only in the slow tier."""
    name = path.relative_to(TESTS).as_posix()
    has_others = any(each.startswith(name) for each in IN_BROWSER)
    return path.match("test_*.py") and is_slow(name) and not has_others


def is_file_without_slow_tests(path: Path) -> bool:
    """Return whether a file has tests, and none of them has a marker or a row of the slow tier."""
    if not path.match("test_*.py"):
        return False
    name = path.relative_to(TESTS).as_posix()
    has_rows = any(row.startswith(name) or name.startswith(row) for row in (*SLOW, *OVER_HTTP))
    return not has_rows and _MARKED.search(path.read_text("utf-8")) is None


def group_of(nodeid: str) -> str:
    """Return a test's group; the tests of a group run in one process, one after the other.

    All tests on one stack are a group, so it is deployed once; so are those of built clients. Any
    other file is a group.
    """
    if nodeid.startswith(ON_STACK_OF_FAULTS):
        return STACK_OF_FAULTS
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
