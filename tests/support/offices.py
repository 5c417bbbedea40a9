"""An operator's office on moto, and the operators' command on it."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from botocore.session import Session
from typer.testing import CliRunner, Result

from orderdesk.services.operator.actions import Operator
from orderdesk_cli.api import Api, Reply
from orderdesk_cli.installation import Installation
from orderdesk_cli.invocation import Invocation
from orderdesk_cli.main import app
from orderdesk_cli.stacks import Stack
from orderdesk_cli.wiring import Office
from tests.support.operator_api import OperatorApi, arn_of_user
from tests.support.world import ENVIRONMENT, World

PERSON = "finance-1"


def office_on(world: World, **parameters: str) -> Office:
    """Return an office on a world, as if it were a stack with these parameters."""
    tables = world.tables
    outputs = {
        "MerchantsTableName": tables.merchants,
        "TradersTableName": tables.traders,
        "OrdersTableName": tables.orders,
        "LedgerTableName": tables.ledger,
        "GuardsTableName": tables.guards,
        "CallbacksTableName": tables.callbacks,
        "AuditTableName": tables.audit,
        "CallbacksQueueUrl": ENVIRONMENT["CALLBACKS_QUEUE_URL"],
        "CallbacksDeadLetterQueueUrl": ENVIRONMENT["CALLBACKS_DEAD_LETTER_QUEUE_URL"],
        "SecretsKeyArn": world.kms._key_id,
        "ReceiptsBucketName": ENVIRONMENT["RECEIPTS_BUCKET"],
        "BaseUrl": "https://pay.example.com",
    }
    return Office(Session(), lambda: Stack("orderdesk", outputs, parameters))


def api_on(world: World, person: str = PERSON) -> Api:
    """Return a client of a world's operators' API, whose function runs in this process."""
    with redirect_stdout(io.StringIO()):  # where the function's logger writes from then on
        function = OperatorApi(world)

    def send(path: str, body: bytes) -> Reply:
        status, _, envelope = function.send(arn_of_user(person), f"/{path}", body)
        return Reply(status, json.dumps(envelope).encode())

    return Api(send, pause=lambda _: None, fetch=lambda url: _file(world, url))


def _file(world: World, url: str) -> Reply:
    """Read what a signed link names; moto's S3 does not answer HTTP of its own."""
    key = urlsplit(url).path.lstrip("/").removeprefix(f"{ENVIRONMENT['RECEIPTS_BUCKET']}/")
    content = world.files().get(key)
    return Reply(404, b"") if content is None else Reply(200, content)


class Terminal:
    """Runs `orderdesk` in this process: on the operators' API, and on an office."""

    def __init__(self, office: Office, world: World | None = None) -> None:
        self.office = office
        self.world = world
        self.opened: list[str] = []
        self._api = cache(self._new_api)

    def run(self, *words: str, typed: str | None = None, person: str = PERSON) -> Result:
        """Run a command as a person, with `typed` on its stdin; raise what it raises."""
        obj = Invocation(
            open_office=self._open,
            open_api=lambda stack_name: self._open_api(stack_name, person),
            open_installation=self._open_installation,
        )
        return CliRunner().invoke(app, words, input=typed, obj=obj, catch_exceptions=False)

    def json(self, *words: str, person: str = PERSON) -> Any:
        """Run a command that must succeed; return its JSON document."""
        result = self.run(*words, "--json", person=person)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def _open_installation(self, _: str, open_api: Callable[[], Api]) -> Installation:
        office = self.office
        return Installation(office._session, lambda: office.stack, open_api)

    def _open_api(self, stack_name: str, person: str) -> Api:
        self.opened.append(stack_name)
        return self._api(person)

    def _new_api(self, person: str) -> Api:
        assert self.world is not None
        return api_on(self.world, person)

    def _open(self, _: str) -> Office:
        return self.office


def as_person(operator: Operator, person: str, *, alone: bool | None = None) -> Operator:
    """Return the operator as another person."""
    caller = replace(operator.caller, person=person, arn=f"arn:aws:iam::123456789012:user/{person}")
    return replace(operator, caller=caller if alone is None else replace(caller, alone=alone))


def add_trader(terminal: Terminal, *options: str, person: str = PERSON) -> str:
    words = ("trader", "add", "甲", "--min", "100", "--max", "5000.00", *options)
    added = terminal.json(*words, person=person)
    return str(added["trader_id"])
