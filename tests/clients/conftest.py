"""Each client in turn, and the stack on which it is tried: a test's, or the one that runs."""

from collections.abc import Iterator

import pytest

from local.places import WORK
from local.running import running_stack
from tests.clients.languages import LANGUAGES, Built, Language
from tests.clients.places import Place, place_of_running, place_of_seed
from tests.clients.scripted_server import ScriptedServer, open_scripted_server

RUNNING = "--running"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--running`, where these tests are called by themselves."""
    parser.addoption(RUNNING, action="store_true", help="use the stack that `make run` started")


@pytest.fixture(scope="session", params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    """Give each language in turn."""
    found: Language = request.param
    return found


@pytest.fixture(scope="session")
def client(language: Language, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Give a language's client, built."""
    return Built(language, tmp_path_factory.mktemp(language.name))


@pytest.fixture(scope="session")
def server() -> Iterator[ScriptedServer]:
    """Give a server that answers by a script."""
    with open_scripted_server() as scripted:
        yield scripted


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Place:
    """Give a merchant of the stack that runs, or of a stack of the tests' own."""
    if request.config.getoption(RUNNING, default=False):
        return place_of_running(running_stack(WORK))
    return place_of_seed(request.getfixturevalue("stack_seed"))
