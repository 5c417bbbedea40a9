"""Stores both contestants' rows on an endpoint, or in the answers of the stub transport."""

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from bench import seed_rows
from bench.artifacts import BASELINE, BASELINE_AS_SHIPPED, OURS, Artifact
from bench.transport import DYNAMODB, INITIAL_TIME
from local.places import REPOSITORY
from local.templates import read_template, table_definitions, table_variable
from orderdesk.domain.traders.trader import Trader

# One page of a contestant's rotation query: the traders that a match reads.
PAGE_OF_TRADERS = seed_rows.traders_online(64)
PAGE_LIMITS = (64, 32, 16, 8)
HUNDRED_TRADERS = seed_rows.traders_online(100, seed_rows.MIXED_RANGES_FEN)


@dataclass(frozen=True, slots=True)
class Project:
    """A contestant: its name, the template with its tables, and how it stores the traders."""

    name: str
    template: Path
    rows: Callable[[Iterable[Trader]], seed_rows.Rows]

    def table(self, logical_id: str) -> str:
        """Return a table name with the contestant as a prefix, because both share an endpoint."""
        return f"{self.name}-{logical_id}"

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        """The parameters of CreateTable by logical id."""
        return table_definitions(read_template(self.template))

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables with the tables' names."""
        return {table_variable(logical_id): self.table(logical_id) for logical_id in self.tables}


_OURS = Project(OURS, REPOSITORY / "template.yaml", seed_rows.orderdesk_rows)
_BASELINE = Project(BASELINE_AS_SHIPPED, BASELINE / "template.yaml", seed_rows.baseline_rows)
PROJECTS = {project.name: project for project in (_OURS, _BASELINE)}


def seed_endpoint(endpoint_url: str, artifacts: Iterable[Artifact]) -> None:
    """Create and fill the tables of the artifacts' projects on a fresh endpoint."""
    session = boto3.Session("nobody", "nothing", region_name="us-east-1")
    client = session.client("dynamodb", endpoint_url=endpoint_url)
    for project in dict.fromkeys(PROJECTS[each.contestant] for each in artifacts):
        rows = project.rows(HUNDRED_TRADERS)
        for logical_id, definition in project.tables.items():
            table = project.table(logical_id)
            client.create_table(TableName=table, **definition)
            client.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
            for row in rows.get(logical_id, []):
                client.put_item(TableName=table, Item=row)


type _Items = list[dict[str, Any]]
type _Answers = list[tuple[str, list[str], dict[str, Any]]]


def answers_for(artifact: Artifact) -> _Answers:
    """Return the transport's answers, each with its target and texts of the request's body."""
    project = PROJECTS[artifact.contestant]
    rows = project.rows(PAGE_OF_TRADERS)
    others = _orderdesk_answers if project.name == OURS else _baseline_answers
    answers = [*_rotation_answers(rows["TradersTable"]), *others(rows["MerchantsTable"])]
    # Bytes are base64 on the wire.
    written: _Answers = json.loads(
        json.dumps(answers, default=lambda raw: base64.b64encode(raw).decode())
    )
    return written


def _rotation_answers(traders: _Items) -> _Answers:
    """Return answers with as many traders as a page asks for; all fit, so one page is enough."""
    # The transport replaces these times by later ones in each answer (INITIAL_TIME).
    times = ({"N": str(INITIAL_TIME * 10**9 + number)} for number in range(len(traders)))
    at = [{**one, "last_accepted_at": time} for one, time in zip(traders, times, strict=True)]
    query = f"{DYNAMODB}.Query"
    return [(query, ['"rotation"', f'"Limit": {n}'], _page(at[:n])) for n in PAGE_LIMITS]


def _orderdesk_answers(rows: _Items) -> _Answers:
    merchant, rates = rows
    return [
        (f"{DYNAMODB}.GetItem", ['"rates"'], {"Item": rates}),
        (f"{DYNAMODB}.GetItem", ['"merchant#'], {"Item": merchant}),
        (f"{DYNAMODB}.TransactWriteItems", [], {}),
        (f"{DYNAMODB}.UpdateItem", ["calls#"], {}),
        ("TrentService.Decrypt", [], {"Plaintext": seed_rows.SECRETS}),
    ]


def _baseline_answers(rows: _Items) -> _Answers:
    return [
        (f"{DYNAMODB}.GetItem", [], {"Item": rows[0]}),
        (f"{DYNAMODB}.Query", ['"by_merchant_order_no"'], _page([])),
        (f"{DYNAMODB}.UpdateItem", [], {}),
        (f"{DYNAMODB}.PutItem", [], {}),
    ]


def _page(items: _Items) -> dict[str, Any]:
    page: dict[str, Any] = {"Count": len(items), "Items": items, "ScannedCount": len(items)}
    if items:
        names = items[-1].keys() & {"trader_id", "rotation_key", "pool", "last_accepted_at"}
        page["LastEvaluatedKey"] = {name: items[-1][name] for name in sorted(names)}
    return page
