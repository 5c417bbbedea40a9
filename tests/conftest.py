"""Tiers, and the deployed stack: one for the whole session, for the tests that ask for it."""

import gc
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from local import processes
from local.operators import add_operators
from local.stack import Stack, start
from tests import tiers
from tests.support import aws_parts, depth
from tests.support.stack_seed import StackSeed

depth.register_profiles()  # here, so that --hypothesis-profile, read later, can choose the other


def pytest_configure() -> None:
    """Make what is dear only once, before a test imports anything."""
    aws_parts.share()


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps each group of tests on one process.

    xdist's own `loadgroup` does nothing with pytest 9.2, which no longer reads `_nodeid`.
    """

    def _split_scope(self, nodeid: str) -> str:
        return tiers.group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGroup | None:
    """Schedule by group where `--dist loadscope` asks for groups."""
    return ByGroup(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put each test into its tier."""
    tiers.put_into_tiers(items)


def pytest_collection_finish() -> None:
    """Let the garbage collector leave out what stays, and look less often.

    AWS's models and the tests themselves are never garbage. Looking at them again and again was a
    fifth of the tests on moto.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Deploy the real template to an emulator that ends with the session.

    It has a port and a folder of its own, so sessions run side by side; the folder keeps its logs
    (`stack.emulator_log`), and what a function logged is `stack.function_logs(name)`. Sells are
    assigned when a test says so: else one test's sells would go to another's only trader.
    """
    folder = tmp_path_factory.mktemp("stack")
    by_hand = {"AutomaticAssignment": "false"}
    with start(processes.free_port(), folder, by_hand) as (running, _emulator):
        yield running


@pytest.fixture(scope="session")
def operators(stack: Stack) -> list[dict[str, str]]:
    """Give the operators of stack.json: name, role and keys of each."""
    return add_operators(stack)


@pytest.fixture(scope="session")
def stack_seed(stack: Stack) -> Iterator[StackSeed]:
    """Give what seeds and calls the deployed stack."""
    with closing(StackSeed(stack)) as seed:
        yield seed
