"""A write outside of a transaction can be sent twice, so each is listed with why that is safe."""

import ast
from collections.abc import Iterator

from tests.support.template import ROOT

PACKAGE = ROOT / "layers/common/orderdesk"
ADAPTERS = PACKAGE / "adapters"
WRITES = {
    "update_item",
    "put_item",
    "delete_item",
    "batch_write_item",
    "execute_statement",
    "batch_execute_statement",
}
SENDERS = {"write_alone", "put_whole"}  # who calls them is listed instead
SAFE = {
    "callback_endpoints.EndpointStore.remove": "deletes what has a version",
    "callback_lanes.LaneStore._set": "its condition is the lease that it changes",
    "callbacks.save_next": "its condition is the version that it changes",
    "client.put_whole": "its callers are listed",
    "portal.MerchantDayStore._put": "puts a whole item",
    "guards.AttemptCounter.count": "counts twice at worst: refuses earlier, until its window ends",
    "nonces.CallCountStore._set": "counts twice at worst: refuses earlier, for at most 2 s",
    "nonces.NonceStore.consume": "its own item is no failure",
    "portal.ChallengeStore.keep": "puts a whole item under a random key",
    "portal.ChallengeStore.take": "deletes; the second finds nothing",
    "refused_calls.RefusedCallStore._write": "its condition is the number that it changes",
    "seals.SealPlaces.put_checkpoint": "puts a whole item that every run puts alike",
    "traders.desk.SessionStore.end": "deletes",
    "traders.desk.SessionStore.open": "puts a whole item under a random key",
}
"""Why a second sending of each single write is safe. What adds to a number or a list is not, unless
the number only limits: it goes into a transaction with a token (`transactions.transact`)."""


def single_writes() -> Iterator[str]:
    """Yield the name of each function that names one of DynamoDB's single writes."""
    for path in (*PACKAGE.rglob("*.py"), *(ROOT / "functions").rglob("*.py")):
        place = path.relative_to(ADAPTERS if path.is_relative_to(ADAPTERS) else ROOT)
        name = ".".join(place.with_suffix("").parts).removeprefix("dynamodb.")
        yield from _named(ast.parse(path.read_text(encoding="utf-8")), name)


def _named(node: ast.AST, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Attribute(attr=sent) if sent in WRITES:
                yield name
            case ast.Call(func=ast.Name(id=sender)) if sender in SENDERS:
                yield name
        is_scope = isinstance(child, ast.ClassDef | ast.FunctionDef)
        yield from _named(child, f"{name}.{child.name}" if is_scope else name)  # type: ignore[attr-defined]


def test_each_single_write_is_safe_to_send_twice() -> None:
    assert sorted(single_writes()) == sorted(SAFE)
