"""The DynamoDB client, reads by key, and the base classes of the stores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import batched, chain
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast, override

from botocore.config import Config
from botocore.parsers import JSONParser, ResponseParserFactory
from botocore.session import Session

from orderdesk.adapters.dynamodb.keys import IndexKeys, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Value, WireItem, expressed, from_item, to_item
from orderdesk.adapters.sending import CLIENT_CONFIG, SENDS, call, pause
from orderdesk.domain.errors import TryAgain

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


type DynamoDB = DynamoDBClient
"""The client; its type is known to the type checker only."""


def dynamodb_client(session: Session, connections: int = 10) -> DynamoDB:
    """Create the client; region, credentials and endpoint come from the environment.

    It keeps up to `connections` connections open.
    """
    unparsed_items(session)
    config = CLIENT_CONFIG.merge(Config(max_pool_connections=connections))
    return cast("DynamoDB", session.create_client("dynamodb", config=config))


def unparsed_items(session: Session) -> None:
    """Leave items unparsed in all clients that the session creates from now on."""
    session.register_component("response_parser_factory", _Parsers())


class _UnparsedItems(JSONParser):
    """Leave items unparsed; `from_item` parses only the items that are used.

    botocore compares each attribute with the ten types that it may have. For a page of traders,
    that took two thirds of the CPU time of a buy (docs/benchmarks.md).
    """

    def _handle_map(self, shape: Any, value: Any) -> Any:
        is_item = shape.value.name == "AttributeValue"
        return value if is_item else super()._handle_map(shape, value)  # type: ignore[misc]


class _Parsers(ResponseParserFactory):
    @override
    def create_parser(self, protocol_name: str) -> Any:
        is_dynamodb = protocol_name == "json"
        return _UnparsedItems() if is_dynamodb else super().create_parser(protocol_name)


def get_item(client: DynamoDB, table: str, key: Mapping[str, Value]) -> Item | None:
    """Return one item, read consistently, or None. Raises: TryAgain."""
    answer = call(lambda: client.get_item(TableName=table, Key=to_item(key), ConsistentRead=True))
    item = answer.get("Item")
    return None if item is None else from_item(item)


def put_whole(client: DynamoDB, table: str, item: Item) -> None:
    """Write a whole item, whatever is stored; it may be sent twice. Raises: TryAgain."""
    call(lambda: client.put_item(TableName=table, Item=to_item(item)))


KEYS_MAX = 100  # keys in one BatchGetItem


def get_items(
    client: DynamoDB, table: str, keys: Sequence[Mapping[str, Value]], *, consistent: bool = True
) -> Sequence[Item]:
    """Return at most KEYS_MAX items in the order of the keys; {} for a missing item.

    The read is not a transaction. If not `consistent`, an item may lack its latest change.
    Raises: TryAgain.
    """
    return get_items_of(client, [(table, key) for key in keys], consistent=consistent)


def get_items_of(
    client: DynamoDB, keys: Sequence[tuple[str, Mapping[str, Value]]], *, consistent: bool = True
) -> Sequence[Item]:
    """Return at most KEYS_MAX items, each of a table; otherwise the same as `get_items`."""
    names = {table: tuple(key) for table, key in keys}
    found = {
        (table, tuple(row[name] for name in names[table])): row
        for table, item in _batch(client, keys, consistent=consistent)
        for row in (from_item(item),)
    }
    return [found.get((table, tuple(key.values())), {}) for table, key in keys]


def wire_items(
    client: DynamoDB, table: str, keys: Sequence[Mapping[str, Value]]
) -> Iterator[WireItem]:
    """Yield the unparsed items of any number of keys, read consistently. Raises: TryAgain."""
    for some in batched(keys, KEYS_MAX, strict=False):
        for _, item in _batch(client, [(table, key) for key in some], consistent=True):
            yield item


def _batch(
    client: DynamoDB, keys: Sequence[tuple[str, Mapping[str, Value]]], *, consistent: bool
) -> Iterator[tuple[str, WireItem]]:
    """Yield the tables and unparsed items of at most KEYS_MAX keys. Raises: TryAgain."""
    left: Any = {table: {"Keys": [], "ConsistentRead": consistent} for table, _ in keys}
    for table, key in keys:
        left[table]["Keys"].append(to_item(key))
    for tries in range(SENDS):
        if not left:
            return
        if tries:
            pause(tries - 1)
        answer = call(lambda: client.batch_get_item(RequestItems=left))  # noqa: B023 called at once
        for table, rows in answer["Responses"].items():
            yield from ((table, row) for row in rows)
        left = answer.get("UnprocessedKeys", {})
    if left:
        raise TryAgain


type Bound = tuple[str, *tuple[Value, ...]]
"""A comparison of the sort key: `<=` and the like or BETWEEN, and values; None does not limit."""


class QueryParts(TypedDict, total=False):
    """Further parts of a query.

    `filtered` and `projected` are its filter, with `values`, and its projection, `after` the key
    before its items.
    """

    filtered: str
    values: Mapping[str, Value]
    projected: str
    newest_first: bool
    consistent: bool
    limit: int | None
    after: Mapping[str, Value] | None


class Query:
    """A Query of a partition; `#name` is the attribute `name` in its expressions.

    Each method that reads raises TryAgain.
    """

    def __init__(
        self,
        client: DynamoDB,
        table: str,
        index: IndexKeys,
        key: str,
        bound: Bound = ("",),
        **parts: Unpack[QueryParts],
    ) -> None:
        sign, *ends = bound
        marks = {f":bound{n}": end for n, end in enumerate(ends) if end is not None}
        condition = f"{index.key} = :key"
        if marks:
            condition += f" AND {index.sort} {sign} {' AND '.join(marks)}"
        values = {":key": key, **marks, **parts.get("values", {})}
        filtered, projected = parts.get("filtered", ""), parts.get("projected", "")
        more = {
            "IndexName": index.name,
            "FilterExpression": filtered,
            "ProjectionExpression": projected,
            "ConsistentRead": parts.get("consistent"),
            "Limit": parts.get("limit"),
            "ExclusiveStartKey": to_item(parts.get("after") or {}),
        }
        self._client = client
        self._asked: dict[str, Any] = {
            "TableName": table,
            "KeyConditionExpression": condition,
            **expressed(values, condition, filtered, projected),
            **{name: value for name, value in more.items() if value},
            **({"ScanIndexForward": False} if parts.get("newest_first") else {}),
        }

    def answer(self, **other: Any) -> Any:
        """Return the answer to one request; `other` are its other parameters."""
        return call(lambda: self._client.query(**{**self._asked, **other}))

    def page(self) -> Sequence[WireItem]:
        """Return the first page."""
        return self.answer()["Items"]  # type: ignore[no-any-return]

    def rows(self) -> list[Any]:
        """Return the parsed items of the first page."""
        return [*map(from_item, self.page())]

    def pages(self, first_limit: int | None = None) -> Iterator[Sequence[WireItem]]:
        """Yield all pages; `first_limit` applies to the first one only."""
        first = {} if first_limit is None else {"Limit": first_limit}
        return (each["Items"] for each in _answers(self._client.query, self._asked, first))

    def answers(self) -> Iterator[Any]:
        """Yield the answers of all pages, which have the place of the last item that was read."""
        return _answers(self._client.query, self._asked, {})

    def items(self) -> Iterator[WireItem]:
        """Yield the items of all pages."""
        return chain.from_iterable(self.pages())


class _Store:
    """Base of the stores; each read raises TryAgain."""

    _client: DynamoDB

    def _query(
        self,
        table: str,
        index: IndexKeys,
        key: str,
        bound: Bound = ("",),
        **parts: Unpack[QueryParts],
    ) -> Query:
        return Query(self._client, table, index, key, bound, **parts)

    def _get_item(self, table: str, key: Mapping[str, Value]) -> Item | None:
        return get_item(self._client, table, key)

    def _get_items(
        self, table: str, keys: Sequence[Mapping[str, Value]], *, consistent: bool = True
    ) -> Sequence[Item]:
        return get_items(self._client, table, keys, consistent=consistent)

    def _find[T](
        self, table: str, key: Mapping[str, Value], parse: Callable[[Item], T]
    ) -> T | None:
        """Return what an item is parsed to, or None; read consistently."""
        item = self._get_item(table, key)
        return None if item is None else parse(item)


class TableStore(_Store):
    """Base of the stores that use one table."""

    def __init__(self, client: DynamoDB, table: str) -> None:
        self._client = client
        self._table = table


class TablesStore(_Store):
    """Base of the stores that use several tables."""

    def __init__(self, client: DynamoDB, tables: TableNames) -> None:
        self._client = client
        self._tables = tables


def scan_pages(client: DynamoDB, scan: Mapping[str, Any]) -> Iterator[Sequence[WireItem]]:
    """Yield the pages of a Scan; for operators only. Raises: TryAgain."""
    return (each["Items"] for each in _answers(client.scan, scan, {}))


def _answers(send: Any, asked: Mapping[str, Any], place: Mapping[str, Any]) -> Iterator[Any]:
    while True:
        answer = call(lambda: send(**{**asked, **place}))  # noqa: B023 called at once
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        place = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
