"""DynamoDB's expressions, evaluated by moto's parsers.

Parsing costs far more than evaluating, and the project's expressions are few. So each is parsed
once, with marks instead of values, and the marks are filled anew for each request.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

from moto.dynamodb.comparisons import AttributeValue, Func, Op, get_filter_expression
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.parsing.ast_nodes import (  # type: ignore[attr-defined]
    DDBTypedValue,
    Node,
)
from moto.dynamodb.parsing.executors import UpdateExpressionExecutor
from moto.dynamodb.parsing.expressions import (  # type: ignore[attr-defined]
    UpdateExpressionParser,
)
from moto.dynamodb.parsing.validators import UpdateExpressionValidator

type WireItem = Mapping[str, Any]
type Names = tuple[tuple[str, str], ...]
type Values = Mapping[str, Mapping[str, Any]]

_KEPT = 1_000  # a claim has eight forms, everything else one or two


class Attributes(dict[str, Any]):
    """An item as moto's evaluators see it: an attribute is typed when it is looked at."""

    @property
    def attrs(self) -> "Attributes":
        """Where moto looks for an item's attributes."""
        return self

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return DynamoType(value) if isinstance(value, dict) else value

    def wire(self) -> dict[str, Any]:
        """Give the item as it is now."""
        kept = self.items()
        return {n: v if isinstance(v, dict) else v.to_regular_json() for n, v in kept}


def holds(expression: str, item: WireItem | None, names: Names, values: Values) -> bool:
    """Tell whether a condition or filter holds for an item; None is an item that does not exist."""
    condition, marks = _condition(expression, names)
    for mark, name in marks:
        [(mark.type, mark.value)] = values[name].items()
    return bool(condition.expr(None if item is None else Attributes(item)))


def updated(expression: str, item: WireItem, names: Names, values: Values) -> dict[str, Any]:
    """Give an item as an update leaves it; SET takes values only, no paths and no arithmetic."""
    tree, marks = _update(expression, names)
    for mark, name in marks:
        mark.children[0] = DynamoType(dict(values[name]))
    attributes = Attributes({name: _own_set(value) for name, value in item.items()})
    UpdateExpressionExecutor(tree, cast("Any", attributes), dict(names)).execute()
    return attributes.wire()


def _own_set(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a set as a copy, because moto changes it where it stands, and the index has it too."""
    return {"SS": list(value["SS"])} if "SS" in value else value


@lru_cache(_KEPT)
def _condition(expression: str, names: Names) -> tuple[Any, list[tuple[Any, str]]]:
    parsed = get_filter_expression(expression, dict(names), _Marks())
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
    # Against an empty item: an operand that is a path cannot be resolved, and is refused here.
    nothing: Any = Attributes({})
    # The project's updates never touch a key.
    table: Any = SimpleNamespace(table_key_attrs=(), attribute_keys=(), attr=())
    tree = UpdateExpressionValidator(parsed, dict(names), _Marks(), nothing, table).validate()
    return tree, [(leaf, leaf.children[0].value) for leaf in _typed_values_in(tree)]


def _typed_values_in(node: Any) -> Iterator[Any]:
    if isinstance(node, DDBTypedValue):
        yield node
        return
    for child in node.children:
        if isinstance(child, Node):
            yield from _typed_values_in(child)


class _Marks(dict[str, Any]):
    """Stands for the values while parsing: each name's value is a text, the name itself."""

    def __missing__(self, name: str) -> dict[str, str]:
        return {"S": name}
