"""An operator's office on moto, and the operators' command on it."""

import json
from dataclasses import replace
from typing import Any

from botocore.session import Session
from typer.testing import CliRunner, Result

from orderdesk.services.operator.actions import Operator
from orderdesk_cli.invocation import Invocation
from orderdesk_cli.main import app
from orderdesk_cli.stacks import Stack
from orderdesk_cli.wiring import Office
from tests.support.world import ENVIRONMENT, World


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


class Terminal:
    """Runs `orderdesk` on an office, in this process."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.opened: list[str] = []

    def run(self, *words: str, typed: str | None = None) -> Result:
        """Run a command with `typed` on its stdin; raise what it raises."""
        obj = Invocation(open_office=self._open)
        return CliRunner().invoke(app, words, input=typed, obj=obj, catch_exceptions=False)

    def json(self, *words: str) -> Any:
        """Run a command that must succeed; return its JSON document."""
        result = self.run(*words, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def _open(self, stack_name: str) -> Office:
        self.opened.append(stack_name)
        return self.office


def as_person(operator: Operator, person: str, *, alone: bool | None = None) -> Operator:
    """Return the operator as another person."""
    caller = replace(operator.caller, person=person, arn=f"arn:aws:iam::123456789012:user/{person}")
    return replace(operator, caller=caller if alone is None else replace(caller, alone=alone))


def add_trader(terminal: Terminal, *options: str) -> str:
    added = terminal.json("trader", "add", "甲", "--min", "100", "--max", "5000.00", *options)
    return str(added["trader_id"])
