"""The operators' services in this process, and the operators' command."""

import io
import json
import os
from collections.abc import Collection
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache, cached_property
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from botocore.session import Session
from click.testing import CliRunner, Result

from orderdesk.domain.operators import Caller
from orderdesk.services.operator.actions import Operator
from orderdesk.wiring.operators import AwsClients, OperatorAdapters, OperatorSettings
from orderdesk_cli.api import Api, Reply
from orderdesk_cli.commands import Invocation
from orderdesk_cli.main import app
from orderdesk_cli.stacks import Installation, Stack, session_from_environment
from tests.support.operator_api import OperatorApi, arn_of_user
from tests.support.world import ENVIRONMENT, World

PERSON = "finance-1"


class Office(OperatorAdapters):
    """The ports of an operator's commands, with the names that tests of the services use."""

    @property
    def proposer(self) -> Operator:
        """The same person, whose commands need a second one."""
        return replace(self.operator, caller=replace(self.operator.caller, alone=False))

    def now(self) -> int:
        return self.operator.now()


def office_on(world: World) -> Office:
    """Return an office on a world, of a person who acts alone."""
    caller = Caller(PERSON, arn_of_user(PERSON), "198.51.100.9", "request-1", alone=True)
    settings = OperatorSettings.read(os.environ)
    return Office(AwsClients(Session(), emulated=False), settings, caller, None, "")


def installation_of(api: Api) -> Installation:
    """Return an installation with an API, whose stack has no output; moto has no stacks."""
    found = Installation(Session(), "orderdesk")
    found.stack, found.api = Stack("orderdesk", {}), api
    return found


def api_on(world: World, person: str = PERSON, allowed: Collection[str] | None = None) -> Api:
    """Return a client of a world's operators' API, whose function runs in this process.

    It answers one request at a time. `allowed` is what IAM allows the person.
    """
    with redirect_stdout(io.StringIO()):  # where the function's logger writes from then on
        function = OperatorApi(world)
    function.allowed = allowed
    in_turn = Lock()

    def send(path: str, body: bytes) -> Reply:
        with in_turn:
            status, _, envelope = function.send(arn_of_user(person), f"/{path}", body)
        return Reply(status, json.dumps(envelope).encode())

    return Api(send, pause=lambda _: None, fetch=lambda url: _file(world, url))


NO_FILE = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


def _file(world: World, url: str) -> Reply:
    """Read what a signed link names; moto's S3 does not answer HTTP of its own.

    As S3 does it for a signer without s3:ListBucket (GetObject), a missing file is a 403.
    """
    parts = urlsplit(url)
    buckets = (ENVIRONMENT[name] for name in ("RECEIPTS_BUCKET", "SEALS_BUCKET"))
    bucket = next(each for each in buckets if each in url)
    content = world.files(bucket).get(parts.path.lstrip("/").removeprefix(f"{bucket}/"))
    return Reply(403, NO_FILE) if content is None else Reply(200, content)


class Terminal:
    """Runs `orderdesk` in this process."""

    def __init__(
        self, world: World | None = None, api: Api | None = None, endpoint_url: str = ""
    ) -> None:
        """Use the API of a world as any person, or else a deployed API."""
        self.world = world
        self.deployed = api
        self.endpoint_url = endpoint_url
        self.opened: list[str] = []
        self._api = cache(self._new_api)

    @cached_property
    def office(self) -> Office:
        """The services of the same world."""
        assert self.world is not None
        return office_on(self.world)

    def run(self, *words: str, typed: str | None = None, person: str = PERSON) -> Result:
        """Run a command as a person, with `typed` on its stdin; raise what it raises."""
        obj = Invocation(lambda stack_name: self._installation(stack_name, person))
        env = {"AWS_ENDPOINT_URL": self.endpoint_url} if self.deployed else {}
        return CliRunner(env=env).invoke(app, words, input=typed, obj=obj, catch_exceptions=False)

    def json(self, *words: str, person: str = PERSON) -> Any:
        """Run a command that must succeed; return its JSON document."""
        result = self.run(*words, "--json", person=person)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def approve(self, number: str, person: str) -> Any:
        """Approve a proposal as a person who has seen it; return the command's JSON document."""
        seen = self.json("proposal", "show", number, person=person)["digest"]
        return self.json("approve", number, "--digest", seen, person=person)

    def _installation(self, stack_name: str, person: str) -> Installation:
        self.opened.append(stack_name)
        if self.deployed is None:
            return installation_of(self._api(person))
        found = Installation(session_from_environment(), stack_name)
        found.api = self.deployed
        return found

    def _new_api(self, person: str) -> Api:
        assert self.world is not None
        return api_on(self.world, person)


def add_trader(terminal: Terminal, *options: str, person: str = PERSON) -> str:
    words = ("trader", "add", "甲", "--min", "100", "--max", "5000.00", *options)
    alone = () if "--test" in options else ("--alone",)
    added = terminal.json(*words, *alone, person=person)
    return str(added["trader_id"])
