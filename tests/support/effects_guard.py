"""The guard of effects: each write of operators and of the portal had a permit of its powers.

It compares the items before and after each write with the permit: an operator's audit entry in the
same transaction, or a member's role and passkey, as the portal's gate has checked them. In
production `Operator.permit` and the gate are structural; here nothing is taken for granted.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import Mode
from orderdesk.web.pages.portal.gate import PortalGate, PortalScene
from orderdesk.web.pages.routing import Route
from tests.support import engine
from tests.support.accesses import SINGLE_WRITES
from tests.support.effects import EVERY, Change, Need, Powers, Row, Unknown, needs_of
from tests.support.template import table_definition
from tests.support.world import NAMES

type MemberRoute = Route[PortalScene]

OPERATORS, PORTAL = "operator_api", "merchant_portal"
_OF_ROLE: Mapping[MemberRole, Powers] = {
    MemberRole.ADMIN: EVERY,
    MemberRole.FINANCE: frozenset(
        {Power.MONEY, Power.DESTINATION, Power.ORDER, Power.CONTACT, Power.STOP}
    ),
    MemberRole.DEVELOPER: frozenset({Power.SECRET, Power.ENDPOINT, Power.CONTACT, Power.STOP}),
    MemberRole.VIEWER: frozenset(),
}
"""What a member's role may do to its own merchant."""
_FRESH = {Power.DESTINATION, Power.SECRET, Power.ADMISSION, Power.MONEY}
"""What needs a passkey that was just used."""


@dataclass(frozen=True)
class Permit:
    """What a request was permitted; `is_agreed`: two people agreed, or one acts alone."""

    who: str
    powers: Powers
    is_agreed: bool


@dataclass
class Guard:
    """What was written without a permit, in words; `writes` counts what was compared."""

    writes: int = 0
    found: list[str] = field(default_factory=list)

    def watch(self, operation: str, asked: Mapping[str, Any], perform: engine.Perform) -> Any:
        """Perform a request; compare the items that it wrote."""
        call = engine.current.get(engine.Call())
        is_theirs = call.function in {OPERATORS, PORTAL}
        if not is_theirs and operation != "TransactWriteItems":
            return perform()
        written = list(_written(operation, asked))
        if not is_theirs and not any(map(_is_audit, written)):
            return perform()
        before = [_stored(*each) for each in written]
        answer = perform()
        changes = [
            Change(table, " ".join(key.values()), old, _stored(table, key))
            for (table, key), old in zip(written, before, strict=True)
        ]
        self.compare([each for each in changes if each.names], call, hands=_hands_checked(asked))
        return answer

    def compare(self, changes: list[Change], call: engine.Call, *, hands: bool = False) -> None:
        """Note each change of a write that its call had no permit for."""
        if not changes or _is_clocks(changes):
            return
        self.writes += 1
        permit = _permit(changes, call)
        try:
            for what, need in needs_of(changes):
                if not _allows(permit, need, call):
                    self._note(f"{what} needs {_words(need)}", permit)
                elif _is_solo_move(what, need, permit, call) and not hands:
                    self._note(f"{what}: nobody's hands were checked", permit)
        except Unknown as unknown:
            self._note(str(unknown), permit)
        if "member" in call.seen:
            merchant_id = call.seen["member"].who.merchant_id
            for each in changes:
                if not _is_own(each, merchant_id):
                    self._note(f"{each.key} is not of {merchant_id}", permit)

    def _note(self, what: str, permit: Permit | None) -> None:
        had = "nobody" if permit is None else f"{permit.who} with {sorted(permit.powers)}"
        self.found.append(f"{what}; it was permitted to {had}")


@contextmanager
def guarding() -> Iterator[Guard]:
    """Compare all writes until the block ends."""
    guard, admit, check = Guard(), PortalGate.admit, PortalGate.check

    def checking(gate: PortalGate, route: MemberRoute, scene: PortalScene) -> None:
        engine.current.get(engine.Call()).seen["member"] = scene
        check(gate, route, scene)

    def admitting(gate: PortalGate, scene: PortalScene, route: MemberRoute) -> None:
        admit(gate, scene, route)
        engine.current.get(engine.Call()).seen.update(member=scene, is_fresh=route.fresh)

    with pytest.MonkeyPatch.context() as patch, engine.watched(guard.watch):
        patch.setattr(PortalGate, "check", checking)
        patch.setattr(PortalGate, "admit", admitting)
        token = engine.current.set(engine.Call())
        try:
            yield guard
        finally:
            engine.current.reset(token)


def _permit(changes: list[Change], call: engine.Call) -> Permit | None:
    """Return the permit of a write: its entry's, else the call's."""
    entry = next((each.after for each in changes if each.key.startswith("audit#")), None)
    if entry is not None:
        powers = frozenset(map(Power, entry.get("powers", ())))
        is_agreed = entry.get("alone", False) or _is_agreed(entry, changes)
        call.seen["permit"] = Permit(entry["who"], powers, is_agreed)
    elif "member" in call.seen:
        member = call.seen["member"].who.member
        return Permit(member.member_id, _OF_ROLE[member.role], call.seen.get("is_fresh", False))
    return call.seen.get("permit")


def _is_agreed(entry: Row, changes: list[Change]) -> bool:
    """Return whether two people decided what is written: now, or the list whose part it is."""
    key = {"pk": "proposals", "sk": entry.get("proposal_no", "")}
    decided = next((each for each in changes if each.key == " ".join(key.values())), None)
    if decided is None:
        proposal = _stored("Ledger", key) if key["sk"] else {}
        is_decided = proposal.get("status") == "begun"
    else:
        proposal = decided.after
        is_open = decided.before.get("status") == "open"
        is_decided = is_open and proposal.get("decided_by") == entry["who"]
    proposed_by, decided_by = (
        str(proposal.get(name, "")).casefold() for name in ("proposed_by", "decided_by")
    )
    is_accepted = proposal.get("status") in {"executed", "approved", "begun"}
    return is_decided and is_accepted and decided_by not in {"", proposed_by}


def _allows(permit: Permit | None, need: Need, call: engine.Call) -> bool:
    if not need.powers:
        return True
    if permit is None:
        return False
    had = permit.powers & need.powers
    if "member" in call.seen:
        return need.own == permit.who or any(permit.is_agreed or p not in _FRESH for p in had)
    return permit.is_agreed or any(
        not Effect(power, need.mode, is_grave=need.is_grave).needs_two for power in had
    )


def _is_solo_move(what: str, need: Need, permit: Permit | None, call: engine.Call) -> bool:
    """Return whether one operator alone moves live USDT from one party to another."""
    is_sum = what.startswith("the sum of") and need.mode is Mode.LIVE
    is_operators = permit is not None and not permit.is_agreed and "member" not in call.seen
    return is_sum and is_operators


def _is_clocks(changes: list[Change]) -> bool:
    """Return whether the write expires an order whose time is over, as the sweep does."""
    orders = [each.after for each in changes if each.table == "Orders" and "timeline" in each.names]
    return bool(orders) and all(
        order["timeline"][-1]["by"] == Actor.CLOCK.value
        and order["expire_time"] <= order["timeline"][-1]["time"]
        for order in orders
    )


def _is_own(change: Change, merchant_id: str) -> bool:
    """Return whether an item is the merchant's own; those of the Guards table move nothing."""
    of = re.match(r"(merchant|team|requests|addresses|portal)#(\w+)", change.key)
    return of is None or of[2] == merchant_id


def _words(need: Need) -> str:
    if need.powers == EVERY:
        return "a permit"
    return " or ".join(sorted(need.powers)) + (", by two people" if need.is_grave else "")


@cache
def _key_names(table: str) -> tuple[str, ...]:
    return tuple(each["AttributeName"] for each in table_definition(f"{table}Table")["KeySchema"])


def _written(operation: str, asked: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield table and key of each item that a request writes."""
    if operation == "TransactWriteItems":
        parts = [
            part
            for action in asked["TransactItems"]
            for kind, part in action.items()
            if kind != "ConditionCheck"
        ]
    else:
        assert operation not in {"BatchWriteItem", "ExecuteStatement"}, operation
        parts = [asked] if operation in SINGLE_WRITES else []
    for part in parts:
        if part["TableName"] not in NAMES:
            continue  # a test's own table
        key = part.get("Key") or part["Item"]
        yield part["TableName"], {name: key[name]["S"] for name in _key_names(part["TableName"])}


def _is_audit(written: tuple[str, dict[str, str]]) -> bool:
    table, key = written
    return table == "Audit" and key["pk"].startswith("audit#")


def _hands_checked(asked: Mapping[str, Any]) -> bool:
    checks = [each.get("ConditionCheck", {}) for each in asked.get("TransactItems", ())]
    return any(
        each["Key"].get("pk", {}).get("S", "").startswith("hands#") for each in checks if each
    )


def _stored(table: str, key: Mapping[str, str]) -> Row:
    asked = {"TableName": table, "Key": to_item(dict(key)), "ConsistentRead": True}
    answer = engine.answered("GetItem", asked)
    return from_item(answer.get("Item", {}))
