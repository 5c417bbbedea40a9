"""A console on moto, and an HTTP client that has opened it."""

from collections.abc import Iterator

import pytest

from orderdesk_cli.console.server import Console
from orderdesk_cli.wiring import Office
from tests.support.console_guest import Guest, guest_of, serving_console
from tests.support.offices import office_on
from tests.support.world import World


@pytest.fixture
def office(world: World, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr("orderdesk_cli.wiring.pause_ms", lambda _: None)
    return office_on(world)


@pytest.fixture
def console(office: Office) -> Iterator[Console]:
    with serving_console(office) as console:
        yield console


@pytest.fixture
def guest(console: Console) -> Iterator[Guest]:
    with guest_of(console) as guest:
        yield guest
