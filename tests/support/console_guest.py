"""The operators' console, served by a thread, and an HTTP client that has opened it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

import httpx

from orderdesk.web.operator.declare import Role
from orderdesk.web.operator.endpoint import COMMANDS
from orderdesk_cli.console.server import Console, opened
from tests.support.offices import PERSON, api_on
from tests.support.visitors import hidden_fields
from tests.support.world import World


def commands_of(role: Role) -> list[str]:
    """Return the commands that a role may call."""
    roles = list(Role)
    within = roles[: roles.index(role) + 1]
    return [name for name, command in COMMANDS.items() if command.role in within]


@contextmanager
def serving_console(
    world: World, person: str = PERSON, role: Role = Role.FINANCE
) -> Iterator[Console]:
    """Serve a person's console on a free port until the block ends."""
    console = opened(api_on(world, person, commands_of(role)), 0)
    thread = threading.Thread(target=console.serve)
    thread.start()
    try:
        yield console
    finally:
        console._server.should_exit = True
        thread.join()


@dataclass(frozen=True, slots=True)
class Guest:
    """A client with the console's cookie; `root` is the prefix of its pages."""

    client: httpx.Client
    root: str
    origin: str

    def get(self, path: str, **query: str) -> httpx.Response:
        return self.client.get(f"{self.root}/{path}", params=query)

    def text(self, path: str, **query: str) -> str:
        """Return the HTML of a page that must exist, without character references."""
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        return unescape(answer.text)

    def submit(self, path: str, **typed: str) -> httpx.Response:
        """Open a form, fill it in, and send it with its hidden fields."""
        return self.post(path, **{**hidden_fields(self.get(path).text), **typed})

    def post(self, path: str, **form: str) -> httpx.Response:
        """Send a form as the console's own page does."""
        return self.client.post(f"{self.root}/{path}", data=form, headers={"Origin": self.origin})


@contextmanager
def guest_of(console: Console) -> Iterator[Guest]:
    """Open a console by its address."""
    with httpx.Client(trust_env=False, follow_redirects=True, timeout=None) as client:
        assert client.get(console.url).status_code == 200
        address = urlsplit(console.url)
        origin = f"http://{address.netloc}"
        yield Guest(client, f"{origin}/{address.path.split('/')[1]}", origin)
