"""Puts both contestants' tables and rows on an endpoint, or into the stub transport's answers."""

import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from bench import floors
from bench.artifacts import BASELINE, BASELINE_AS_SHIPPED, OURS, Artifact
from bench.transport import DYNAMODB, TIME_AT_FIRST
from local.places import REPOSITORY
from local.templates import read_template, table_definitions, table_variable
from orderdesk.domain.traders.trader import Trader

# One page of either contestant's rotation query: what a match reads.
PAGE_OF_TRADERS = floors.traders_online(64)
PAGE_LIMITS = (64, 32, 16, 8)
HUNDRED_TRADERS = floors.traders_online(100, floors.MIXED_RANGES_FEN)


@dataclass(frozen=True, slots=True)
class Project:
    """A contestant's name, where its tables are declared, and how it stores the traders."""

    name: str
    template: Path
    rows: Callable[[Iterable[Trader]], floors.Rows]

    def table(self, logical_id: str) -> str:
        """Name a table so that both contestants fit on one endpoint."""
        return f"{self.name}-{logical_id}"

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        """What CreateTable needs, by logical id."""
        return table_definitions(read_template(self.template))

    @property
    def settings(self) -> dict[str, str]:
        """Tell a function its tables' names."""
        return {table_variable(logical_id): self.table(logical_id) for logical_id in self.tables}


_OURS = Project(OURS, REPOSITORY / "template.yaml", floors.orderdesk_rows)
_BASELINE = Project(BASELINE_AS_SHIPPED, BASELINE / "template.yaml", floors.baseline_rows)
PROJECTS = {project.name: project for project in (_OURS, _BASELINE)}


def seed_endpoint(endpoint_url: str, artifacts: Iterable[Artifact]) -> None:
    """Make the tables of the artifacts' projects on a fresh endpoint and fill them."""
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
    """Give what the transport answers: to a target, where the request's body holds some texts."""
    project = PROJECTS[artifact.contestant]
    rows = project.rows(PAGE_OF_TRADERS)
    others = _orderdesk_answers if project.name == OURS else _baseline_answers
    answers = [*_rotation_answers(rows["TradersTable"]), *others(rows["MerchantsTable"])]
    # Bytes as they go over the wire.
    written: _Answers = json.loads(
        json.dumps(answers, default=lambda raw: base64.b64encode(raw).decode())
    )
    return written


def _rotation_answers(traders: _Items) -> _Answers:
    """Give as many traders as a page asks for: all fit, so nobody turns the page."""
    # Times that the transport makes later with each answer (TIME_AT_FIRST).
    times = ({"N": str(TIME_AT_FIRST * 10**9 + number)} for number in range(len(traders)))
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
        ("TrentService.Decrypt", [], {"Plaintext": floors.SECRETS}),
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
