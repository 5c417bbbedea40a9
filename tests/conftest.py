"""Tiers, and one deployed stack for all tests of the session that need it."""

import gc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from local import processes
from local.operators import add_operators
from local.stack import Stack, start
from orderdesk.domain.accounts import WINDOW_SECONDS
from tests import tiers
from tests.support import aws_parts, depth
from tests.support.stack_seed import StackSeed

depth.register_profiles()  # before --hypothesis-profile is read


def pytest_configure() -> None:
    """Patch botocore and moto before a test imports anything."""
    aws_parts.share()


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]
    """Runs the tests of a group on one process, and the longest groups first.

    xdist's own `loadgroup` has no effect with pytest 9.2, which no longer reads `_nodeid`. xdist
    orders by the number of tests, so that a group of one long test would begin last, alone.
    """

    def _split_scope(self, nodeid: str) -> str:
        return tiers.group_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        longest = next((group for group in tiers.LONGEST if group in self.workqueue), None)
        if longest is not None:
            self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGroup | None:
    """Schedule by group with `--dist loadscope`."""
    return ByGroup(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import a file of which the run leaves out every test, by the Makefile's tiers."""
    match config.getoption("markexpr"):
        case "not slow":
            leaves_out = tiers.is_file_of_slow_tests(collection_path)
        case "slow or deep or hypothesis":
            leaves_out = tiers.is_file_without_slow_tests(collection_path)
        case _:
            leaves_out = False
    return leaves_out or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    removed = tiers.put_into_tiers(items)
    config.hook.pytest_deselected(items=removed)


def pytest_runtest_setup(item: pytest.Item) -> None:
    depth.draw_by_name(item.nodeid)


def pytest_collection_finish() -> None:
    """Exclude existing objects from garbage collection, and collect less often.

    AWS's models and the tests are never garbage; collecting them took a fifth of the time on moto.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Deploy the real template to an emulator that ends with the session.

    It has its own port and folder, so sessions can run side by side. The folder has its logs
    (`stack.emulator_log`, `stack.function_logs(name)`). Sells are assigned only when a test runs
    the assigner; otherwise one test's sells would go to another test's only trader. Seals are as
    far apart as on AWS, so that no call of seal-books waits for the next one.
    """
    folder = tmp_path_factory.mktemp("stack")
    by_hand = {"AutomaticAssignment": "false", "SealSeconds": str(WINDOW_SECONDS)}
    with start(processes.free_port(), folder, by_hand) as (running, _emulator):
        yield running


@pytest.fixture(scope="session")
def operators(stack: Stack) -> list[dict[str, str]]:
    """Return the name, role and keys of each operator of stack.json."""
    return add_operators(stack)


@pytest.fixture(scope="session")
def stack_seed(stack: Stack) -> Iterator[StackSeed]:
    with closing(StackSeed(stack)) as seed:
        yield seed
