"""Tries each condition of each write: with an item that only it refuses, and one at its edge.

Before a store's request with conditions goes out, each of its conditions is tried on the same
items: its row (tests/integration/conditions/rows.py) says which values of the stored item it must
refuse, and which it must allow. A trial writes nothing, because one more action always fails.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb import transactions
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.dynamodb.transactions import CONDITION_FAILED, Write
from tests.support.accesses import SINGLE_WRITES, Accesses

type Changes = Mapping[str, Any] | None
"""New values of a stored item's attributes, None removes one; None instead deletes the item."""
_HASHED = re.compile(r"(\b|_)([sd])_\w+")
_NUMBERED = re.compile(r"\b(lane|place|until|answer)_([0-9a-f]{24}|\d+)\b")
_BETWEEN = re.compile(r"BETWEEN :\w+$")
_OF_AN_ACTION = (
    *("TableName", "Key", "Item", "UpdateExpression", "ConditionExpression"),
    *("ExpressionAttributeNames", "ExpressionAttributeValues"),
)
_ADAPTERS = re.compile(r"orderdesk\.adapters\.(dynamodb\.)?")
_FORWARDING = {"_maker", "keep", "_made", "put", "update", "set", "delete", "check", "put_next"}
_FORWARDING |= {"add", "balance"}
_EVENT = "before-parameter-build.dynamodb"
_ADDED = re.compile(r"(\w+) (:\w+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition of a request: the stored item, what the request adds to it, and the time."""

    term: str
    item: Mapping[str, Any]
    action: Mapping[str, Any]
    now_us: int

    @property
    def now(self) -> int:
        return self.now_us // 10**6

    def added(self, name: str) -> int:
        """Return what the request adds to a number of the item."""
        _, _, adds = self.action["UpdateExpression"].partition("ADD ")
        [value] = [value for each, value in _ADDED.findall(adds) if each == name]
        return int(self.action["ExpressionAttributeValues"][value]["N"])

    def name(self, compared: str = "<>=") -> str:
        """Return the first attribute that the condition compares, or else requires or excludes."""
        found = re.search(rf"([\w.:#]+) [{compared}]", self.term)
        found = found or re.search(r"\((\w+)\)", self.term)
        assert found is not None, self.term
        return found[1]


@dataclass(frozen=True, slots=True)
class Edge:
    """What a condition refuses, and what it allows."""

    refused: Sequence[Changes]
    allowed: Sequence[Changes] = ()


type Rule = Callable[[Asked], Edge]


@dataclass(frozen=True, slots=True)
class Row:
    """What a condition refuses, and its errors; NoneType if a store's method raises it."""

    rule: Rule
    errors: Sequence[type[Any]]


def terms_of(condition: str) -> Iterator[str]:
    """Yield the conditions that a condition joins with AND."""
    depth, begun = 0, 0
    if " OR " not in _outer(condition):
        for word in re.finditer(r"[()]| AND ", condition):
            depth += {"(": 1, ")": -1}.get(word[0], 0)
            is_bound = _BETWEEN.search(condition[begun : word.start()])
            if depth == 0 and word[0] == " AND " and not is_bound:
                yield condition[begun : word.start()]
                begun = word.end()
    yield condition[begun:]


def _outer(condition: str) -> str:
    """Return a condition without what is in parentheses."""
    while (outer := re.sub(r"\([^()]*\)", "", condition)) != condition:
        condition = outer
    return condition


def named(term: str, action: Mapping[str, Any]) -> str:
    """Return a condition with the names of its attributes; hashed ones are s_ and d_."""
    names = action.get("ExpressionAttributeNames", {})
    return re.sub(r"#\w+", lambda mark: names[mark[0]], term)


def _general(term: str) -> str:
    term = _NUMBERED.sub(r"\1_", re.sub(r"addresses\.\S+\.", "address.", term))
    return _HASHED.sub(r"\1\2_", term)


def _maker(write: Write) -> str:
    """Return what names a write's error: its own function, or who made the write."""
    if write.lost is not transactions.changed:
        return _name_of(write.lost.__module__, write.lost.__qualname__)
    frame = sys._getframe(1)
    while frame.f_code.co_name in _FORWARDING:
        frame = frame.f_back  # type: ignore[assignment]
    return _name_of(frame.f_globals["__name__"], frame.f_code.co_qualname)


def _name_of(module: str, function: str) -> str:
    name = f"{_ADAPTERS.sub('', module)}.{function}"
    return name.replace(".<locals>", "").replace(".<lambda>", "")


@dataclass(frozen=True, slots=True)
class _Place:
    """One action of a transaction: its place, its kind, and what names its error."""

    writes: Sequence[Write]
    place: int
    kind: str
    maker: str

    @property
    def asked(self) -> Mapping[str, Any]:
        asked: Mapping[str, Any] = self.writes[self.place].action[self.kind]
        return asked


class Prober:
    """Tries the conditions of a client's requests; `tried` has those that kept to their rows."""

    def __init__(
        self,
        client: Any,
        patch: pytest.MonkeyPatch,
        rows_of: Callable[[str, str], Sequence[Row]],
        now_us: Callable[[], int],
    ) -> None:
        self._client, self._rows_of, self._now_us = client, rows_of, now_us
        self._accesses = Accesses(client)
        self._writes: dict[int, Write] = {}
        self._makers: dict[int, str] = {}
        self._is_busy = False
        self.tried: set[tuple[str, str]] = set()
        self.functions: set[str] = set()  # the stores' functions that made a write
        create = Write.__init__

        def keep(write: Write, *parts: Any, **named: Any) -> None:
            create(write, *parts, **named)
            self._note_functions()
            self._writes[id(write.action)] = write
            self._makers[id(write.action)] = _maker(write)

        patch.setattr(Write, "__init__", keep)
        for name in (*SINGLE_WRITES, "TransactWriteItems"):
            client.meta.events.register(f"{_EVENT}.{name}", self._before)

    def _note_functions(self) -> None:
        frame = sys._getframe(1)
        while frame is not None:
            if _ADAPTERS.match(frame.f_globals["__name__"]):
                self.functions.add(_name_of(frame.f_globals["__name__"], frame.f_code.co_qualname))
            frame = frame.f_back  # type: ignore[assignment]

    def stop(self) -> None:
        """Try nothing more."""
        for name in (*SINGLE_WRITES, "TransactWriteItems"):
            self._client.meta.events.unregister(f"{_EVENT}.{name}", self._before)

    def _before(self, params: Mapping[str, Any], model: Any, **_: Any) -> None:
        if self._is_busy:
            return
        self._is_busy = True
        try:
            self._try_all(params, model.name)
        finally:
            self._is_busy = False

    def _try_all(self, params: Mapping[str, Any], operation: str) -> None:
        self._note_functions()
        if operation in SINGLE_WRITES:
            return self._try_single(params, operation)
        actions = params["TransactItems"]
        if set(self._reasons(actions)) != {None}:
            return None  # it is refused anyway
        writes = [self._writes[id(action)] for action in actions]
        for place, action in enumerate(actions):
            ((kind, asked),) = action.items()
            of = _Place(writes, place, kind, f"{self._makers[id(action)]} of {asked['TableName']}")
            for term in terms_of(asked.get("ConditionExpression", "")):
                if term:
                    self._try(of, term)
        return None

    def _try_single(self, params: Mapping[str, Any], operation: str) -> None:
        asked = {name: params[name] for name in _OF_AN_ACTION if name in params}
        if "ConditionExpression" not in asked:
            return
        kind = operation.removesuffix("Item")
        write = Write({kind: asked}, transactions.never(operation))
        if self._reasons([write.action]) == [None]:
            for term in terms_of(asked["ConditionExpression"]):
                self._try(_Place([write], 0, kind, f"{operation} of {asked['TableName']}"), term)

    def _try(self, of: "_Place", term: str) -> None:
        asked, whole = of.asked, named(term, of.asked)
        rows = self._rows_of(of.maker, _general(whole))
        table = asked["TableName"]
        key = asked.get("Key") or {
            name: asked["Item"][name] for name in self._accesses.names(table)
        }
        stored = self._client.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
        item = {} if stored is None else from_item(stored)
        for row in rows:
            edge = row.rule(Asked(whole, item, asked, self._now_us()))
            tries = [(each, row.errors) for each in edge.refused]
            for changes, errors in [*tries, *((each, ()) for each in edge.allowed)]:
                try:
                    self._store(table, key, item, changes)
                    self._check(of, term, changes, errors)
                finally:
                    if stored is None:
                        self._client.delete_item(TableName=table, Key=key)
                    else:
                        self._client.put_item(TableName=table, Item=stored)
        self.tried.add((of.maker, _general(whole)))

    def _check(
        self, of: "_Place", term: str, changes: Changes, errors: Sequence[type[Any]]
    ) -> None:
        """Check what one condition does with changes of the item; no `errors` if it allows them."""
        failed = self._failure([write.action for write in of.writes])
        codes = _codes(failed)[:-1]
        where = f"{of.maker}: {term}, with {changes}"
        if not errors:
            assert codes[of.place] is None, f"refused: {where}"
            return
        assert codes[of.place] == CONDITION_FAILED, f"allowed: {where}"
        assert [code for code in codes if code] == [CONDITION_FAILED], f"{codes}: {where}"
        failed.response["CancellationReasons"].pop()
        lost = transactions._meaning(failed, of.writes)
        assert type(None) in errors or type(lost) in errors, f"{lost!r}: {where}"
        others = _without(of.asked, term)
        if changes is not None and others:
            assert self._reasons([{of.kind: others}]) == [None], f"refused by another, too: {where}"

    def _store(self, table: str, key: Any, item: Item, changes: Changes) -> None:
        if changes is None:
            self._client.delete_item(TableName=table, Key=key)
            return
        new = {**from_item(key), **item, **changes}
        for name in [name for name in new if "." in name]:
            parts, value = name.split(".", 2), new.pop(name)
            outer: Any = json.loads(json.dumps(new[parts[0]]))
            outer[parts[1]][parts[2]] = value
            new[parts[0]] = outer
        self._client.put_item(
            TableName=table, Item=to_item({n: v for n, v in new.items() if v is not None})
        )

    def _reasons(self, actions: Sequence[Mapping[str, Any]]) -> list[str | None]:
        return _codes(self._failure(actions))[:-1]

    def _failure(self, actions: Sequence[Mapping[str, Any]]) -> ClientError:
        """Return how a transaction fails to which an action is added that always fails."""
        never = {
            "TableName": "Guards",
            "Key": to_item({"pk": "never"}),
            "ConditionExpression": "attribute_exists(pk)",
        }
        with pytest.raises(ClientError) as failed:
            self._client.transact_write_items(TransactItems=[*actions, {"ConditionCheck": never}])
        assert "CancellationReasons" in failed.value.response, failed.value
        return failed.value


def _codes(error: ClientError) -> list[str | None]:
    reasons: Any = error.response["CancellationReasons"]
    return [None if reason["Code"] == "None" else reason["Code"] for reason in reasons]


def _without(asked: Mapping[str, Any], term: str) -> dict[str, Any]:
    """Return an action without one of its conditions; {} if it has no other one."""
    others = [each for each in terms_of(asked["ConditionExpression"]) if each != term]
    if not others:
        return {}
    new = {**asked, "ConditionExpression": " AND ".join(others)}
    used = set(re.findall(r"[#:]\w+", " ".join((*others, new.get("UpdateExpression", "")))))
    for part in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        left = {name: value for name, value in new.pop(part, {}).items() if name in used}
        if left:
            new[part] = left
    return new
