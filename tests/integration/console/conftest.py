"""Consoles of several persons, and HTTP clients that have opened them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from orderdesk.web.operator.declare import Role
from orderdesk_cli.console.server import Console
from tests.support.console_guest import Guest, guest_of, serving_console
from tests.support.world import World

type GuestAs = Callable[[str, Role], Guest]


@pytest.fixture
def console(world: World) -> Iterator[Console]:
    with serving_console(world) as console:
        yield console


@pytest.fixture
def guest(console: Console) -> Iterator[Guest]:
    with guest_of(console) as guest:
        yield guest


@pytest.fixture
def guest_as(world: World) -> Iterator[GuestAs]:
    """Return a function that opens a person's console."""
    with ExitStack() as stack:

        def opened(person: str, role: Role) -> Guest:
            console = stack.enter_context(serving_console(world, person, role))
            return stack.enter_context(guest_of(console))

        yield opened
