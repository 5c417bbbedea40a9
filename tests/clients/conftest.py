"""Fixtures: each client, and the stack for its tests."""

from collections.abc import Iterator

import pytest

from local.places import WORK
from local.running import running_stack
from tests.clients.languages import LANGUAGES, Built, Language
from tests.clients.places import PLENTY_MICRO, Place, place_of_running, place_of_seed
from tests.clients.scripted_server import ScriptedServer, open_scripted_server

RUNNING = "--running"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--running` if only these tests are called."""
    parser.addoption(RUNNING, action="store_true", help="use the running stack of `make run`")


@pytest.fixture(scope="session", params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    found: Language = request.param
    return found


@pytest.fixture(scope="session")
def client(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(language, tmp_path_factory.mktemp(language.name))


@pytest.fixture(scope="session")
def server() -> Iterator[ScriptedServer]:
    with open_scripted_server() as scripted:
        yield scripted


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Place:
    """Return a merchant of the running stack, or of the tests' stack."""
    return _place(request, PLENTY_MICRO)


@pytest.fixture
def place_without_funds(request: pytest.FixtureRequest) -> Place:
    """Return a merchant whose statement has all its money."""
    return _place(request, 0)


def _place(request: pytest.FixtureRequest, funds_micro: int) -> Place:
    if request.config.getoption(RUNNING, default=False):
        return place_of_running(running_stack(WORK))
    return place_of_seed(request.getfixturevalue("stack_seed"), funds_micro)
