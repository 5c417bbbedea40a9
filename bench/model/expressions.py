"""DynamoDB's expressions, evaluated by moto's parsers.

Parsing costs far more than evaluating, and the project has few expressions. Each is parsed once
with placeholders instead of values; each request fills the placeholders.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

from moto.dynamodb.comparisons import AttributeValue, Func, Op, get_filter_expression
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.parsing.ast_nodes import DDBTypedValue, Node  # type: ignore[attr-defined]
from moto.dynamodb.parsing.executors import UpdateExpressionExecutor
from moto.dynamodb.parsing.expressions import UpdateExpressionParser  # type: ignore[attr-defined]
from moto.dynamodb.parsing.validators import UpdateExpressionValidator

type WireItem = Mapping[str, Any]
type Names = tuple[tuple[str, str], ...]
type Values = Mapping[str, Mapping[str, Any]]

_KEPT = 1_000  # a claim has eight forms, everything else one or two


class Attributes(dict[str, Any]):
    """An item for moto's evaluators; an attribute gets its type when it is read."""

    @property
    def attrs(self) -> "Attributes":
        """The item itself; moto reads an item's attributes here."""
        return self

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return DynamoType(value) if isinstance(value, dict) else value

    def wire(self) -> dict[str, Any]:
        """Return the item in wire format."""
        kept = self.items()
        return {n: v if isinstance(v, dict) else v.to_regular_json() for n, v in kept}


def holds(expression: str, item: WireItem | None, names: Names, values: Values) -> bool:
    """Return whether a condition or filter holds for an item; None is a missing item."""
    condition, marks = _condition(expression, names)
    for mark, name in marks:
        [(mark.type, mark.value)] = values[name].items()
    return bool(condition.expr(None if item is None else Attributes(item)))


def updated(expression: str, item: WireItem, names: Names, values: Values) -> dict[str, Any]:
    """Return an item after an update; SET supports values only, no paths and no arithmetic."""
    tree, marks = _update(expression, names)
    for mark, name in marks:
        mark.children[0] = DynamoType(dict(values[name]))
    attributes = Attributes({name: _own_set(value) for name, value in item.items()})
    UpdateExpressionExecutor(tree, cast("Any", attributes), dict(names)).execute()
    return attributes.wire()


def _own_set(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copy a set, because moto changes it in place and the index shares it."""
    return {"SS": list(value["SS"])} if "SS" in value else value


@lru_cache(_KEPT)
def _condition(expression: str, names: Names) -> tuple[Any, list[tuple[Any, str]]]:
    parsed = get_filter_expression(expression, dict(names), _Placeholders())
    return parsed, [(leaf, leaf.value) for leaf in _values_in(parsed)]


def _values_in(node: Any) -> Iterator[Any]:
    match node:
        case AttributeValue():
            yield node
        case Op():
            yield from _values_in(node.lhs)
            yield from _values_in(node.rhs)
        case Func():
            for argument in node.arguments:
                yield from _values_in(argument)


@lru_cache(_KEPT)
def _update(expression: str, names: Names) -> tuple[Any, list[tuple[Any, str]]]:
    parsed = UpdateExpressionParser.make(expression)
    # Validated for an empty item, so an operand that is a path is refused here.
    nothing: Any = Attributes({})
    # The project's updates never touch a key.
    table: Any = SimpleNamespace(table_key_attrs=(), attribute_keys=(), attr=())
    validator = UpdateExpressionValidator(parsed, dict(names), _Placeholders(), nothing, table)
    tree = validator.validate()
    return tree, [(leaf, leaf.children[0].value) for leaf in _typed_values_in(tree)]


def _typed_values_in(node: Any) -> Iterator[Any]:
    if isinstance(node, DDBTypedValue):
        yield node
        return
    for child in node.children:
        if isinstance(child, Node):
            yield from _typed_values_in(child)


class _Placeholders(dict[str, Any]):
    """Placeholders for the values while parsing: the value of each name is the name as a text."""

    def __missing__(self, name: str) -> dict[str, str]:
        return {"S": name}


class Write:
    """A put or an update of a transaction."""

    def __init__(self, statement: Mapping[str, Any]) -> None:
        [(kind, request)] = statement.items()
        if kind not in {"Put", "Update"}:
            raise NotImplementedError(f"{kind} in a transaction")
        self.table, self.puts = str(request["TableName"]), kind == "Put"
        self.key: WireItem = request["Item" if self.puts else "Key"]
        self.returns_old = request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        self._update = request.get("UpdateExpression", "")
        self._condition = request.get("ConditionExpression", "")
        self._names: Names = tuple(sorted(request.get("ExpressionAttributeNames", {}).items()))
        self._values = request.get("ExpressionAttributeValues", {})

    def may_change(self, item: WireItem | None) -> bool:
        """Return whether the condition holds; True if there is none."""
        return not self._condition or holds(self._condition, item, self._names, self._values)

    def applied_to(self, item: WireItem | None) -> WireItem:
        """Return the item after the write."""
        if self.puts:
            return self.key
        return updated(self._update, self.key if item is None else item, self._names, self._values)
