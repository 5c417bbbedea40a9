"""DynamoDB's limits: for each, the largest request that is accepted and a larger one that is not.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

TABLE = "Limits"
TABLE_DEFINITION: Mapping[str, Any] = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk", "i")],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_i",
            "KeySchema": [{"AttributeName": "i", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}
EXISTS = {"ConditionExpression": "attribute_exists(pk)"}
ONE, TEXT, NO_LIST = {"N": "1"}, {"S": "a"}, {"L": list[Any]()}
KEY_BYTES = len("pkpsk0")

type Request = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Limit:
    """A request of a size, the largest size that is accepted, and one that is refused."""

    operation: str
    request: Callable[[int], Request]
    accepted: int = 0
    refused: int = 1
    code: str = "ValidationException"

    def answers(self, client: Any) -> list[str]:
        """Return the answers of the two sizes: an error's code, or an empty text."""
        return [self._answer(client, size) for size in (self.accepted, self.refused)]

    def _answer(self, client: Any, size: int) -> str:
        try:
            getattr(client, self.operation)(**self.request(size))
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return ""


def key(number: object = 0) -> Request:
    return {"pk": {"S": "p"}, "sk": {"S": f"{number}"}}


def put(number: object = 0, **attributes: Any) -> Request:
    return {"TableName": TABLE, "Item": key(number) | attributes}


def values(**of: Request) -> Request:
    return {"ExpressionAttributeValues": {f":{n}": value for n, value in of.items() if value}}


def update(expression: str, **of: Request) -> Request:
    return {"TableName": TABLE, "Key": key(), "UpdateExpression": expression} | values(**of)


def when(condition: str, **of: Request) -> Request:
    return put() | {"ConditionExpression": condition} | (values(**of) if of else {})


def query(**more: Any) -> Request:
    of = values(p={"S": "p"})
    return {"TableName": TABLE, "KeyConditionExpression": "pk = :p"} | of | more


def transaction(*actions: Request, **more: Any) -> Request:
    return {"TransactItems": list(actions)} | more


def puts(number: int, size_bytes: int = 1) -> list[Request]:
    return [{"Put": put(n, a={"S": "a" * size_bytes})} for n in range(number)]


def batch(number: int) -> Request:
    return {"RequestItems": {TABLE: [{"PutRequest": {"Item": key(n)}} for n in range(number)]}}


def keys(number: int, different: int = 200) -> Request:
    return {"RequestItems": {TABLE: {"Keys": [key(n % different) for n in range(number)]}}}


def gets(number: int) -> Request:
    return transaction(*({"Get": {"TableName": TABLE, "Key": key(n)}} for n in range(number)))


def nested(depth: int) -> Request:
    value: Request = TEXT
    for _ in range(depth - 1):
        value = {"M": {"a": value}}
    return value


def filled(size_bytes: int) -> Request:
    """Return the attribute that makes an item so large."""
    return {"S": "a" * (size_bytes - KEY_BYTES - len("a"))}


def sums(number: int) -> str:
    return "SET " + ",".join(f"x{n}=:a+:a" for n in range(number))


_COMPARED, _IS_NEW = " OR ".join, "attribute_not_exists(a)"
LIMITS: Mapping[str, Limit] = {
    "bytes of a condition": Limit("put_item", lambda n: when(_IS_NEW.ljust(n)), 4096, 4097),
    "bytes of an update": Limit(
        "update_item", lambda n: update("SET b = :a".ljust(n), a=ONE), 4096, 4097
    ),
    "bytes of a filter": Limit(
        "query", lambda n: query(FilterExpression="b = :p".ljust(n)), 4096, 4097
    ),
    "bytes of a transaction's expression": Limit(
        "transact_write_items",
        lambda n: transaction({"Update": update("SET b = :a".ljust(n), a=ONE)}),
        4096,
        4097,
    ),
    "operators of a condition": Limit(
        "put_item", lambda n: when(_COMPARED(["c<>:a"] * n), a=ONE), 150, 151
    ),
    "functions of a condition": Limit(
        "put_item", lambda n: when(_COMPARED([_IS_NEW] * n)), 150, 151
    ),
    "ranges of a condition": Limit(
        "put_item", lambda n: when(_COMPARED([*["c between d and e"] * n, _IS_NEW])), 149, 150
    ),
    "lists of a condition": Limit(
        "put_item", lambda n: when(_COMPARED([*["c in (d)"] * n, _IS_NEW])), 149, 150
    ),
    "operators of a filter": Limit(
        "query", lambda n: query(FilterExpression=_COMPARED(["b=:p"] * n)), 150, 151
    ),
    "operators of an update": Limit("update_item", lambda n: update(sums(n), a=ONE), 300, 301),
    "assignments of an update": Limit(
        "update_item",
        lambda n: update("SET " + ",".join(f"x{i}=:a" for i in range(n)), a=ONE),
        400,
        600,
    ),
    "operators of a transaction's expression": Limit(
        "transact_write_items", lambda n: transaction({"Update": update(sums(n), a=ONE)}), 300, 301
    ),
    "values of a list": Limit(
        "put_item", lambda n: when(f"NOT a IN ({','.join([':a'] * n)})", a=ONE), 100, 101
    ),
    "bytes of an item": Limit("put_item", lambda n: put(a=filled(n)), 400 * 1024, 400 * 1024 + 1),
    "bytes of an updated item": Limit(
        "update_item", lambda n: update("SET a = :a", a=filled(n)), 390 * 1024, 400 * 1024 + 1
    ),
    "bytes of a transaction's item": Limit(
        "transact_write_items",
        lambda n: transaction({"Put": put(a=filled(n))}),
        400 * 1024,
        400 * 1024 + 1,
    ),
    "levels of an item": Limit("put_item", lambda n: put(a=nested(n)), 32, 33),
    "digits of a number": Limit("put_item", lambda n: put(a={"N": "1" * n}), 38, 39),
    "actions of a transaction": Limit(
        "transact_write_items", lambda n: transaction(*puts(n)), 100, 101
    ),
    "bytes of a transaction": Limit(
        "transact_write_items", lambda n: transaction(*puts(11, n)), 380_000, 382_000
    ),
    "writes of an item in a transaction": Limit(
        "transact_write_items", lambda n: transaction(*puts(1) * n), 1, 2
    ),
    "checks of a written item": Limit(
        "transact_write_items",
        lambda n: transaction(
            *puts(1), *[{"ConditionCheck": {"TableName": TABLE, "Key": key()} | EXISTS}] * n
        ),
    ),
    "length of a token": Limit(
        "transact_write_items", lambda n: transaction(*puts(1), ClientRequestToken="t" * n), 36, 37
    ),
    "parameters of a token": Limit(
        "transact_write_items",
        lambda n: transaction(*puts(n), ClientRequestToken="once"),
        1,
        2,
        "IdempotentParameterMismatchException",
    ),
    "reads of a transaction": Limit("transact_get_items", gets, 100, 101),
    "reads of a batch": Limit("batch_get_item", keys, 100, 101),
    "reads of an item in a batch": Limit("batch_get_item", lambda n: keys(n, 1), 1, 2),
    "writes of a batch": Limit("batch_write_item", batch, 25, 26),
    "bytes of a partition key": Limit("put_item", lambda n: put(pk={"S": "p" * n}), 2048, 2049),
    "bytes of a sort key": Limit("put_item", lambda n: put("s" * n), 1024, 1025),
    "an empty partition key": Limit("put_item", lambda n: put(pk={"S": "p" * n}), 1, 0),
    "an empty sort key": Limit("put_item", lambda n: put("s" * n), 1, 0),
    "an index's empty key": Limit("put_item", lambda n: put(i={"S": "i" * n}), 1, 0),
    "an index's empty key by an update": Limit(
        "update_item", lambda n: update("SET i = :i", i={"S": "i" * n}), 1, 0
    ),
    "an index's key of another type": Limit("put_item", lambda n: put(i=(TEXT, ONE)[n])),
    "an empty set": Limit("put_item", lambda n: put(a={"SS": ["a"] * n}), 1, 0),
    "a text to add": Limit("update_item", lambda n: update("ADD y :a", a=(ONE, TEXT)[n])),
    "a text in a sum": Limit(
        "update_item", lambda n: update("SET c = :a + :b", a=ONE, b=(ONE, TEXT)[n])
    ),
    "a number to append": Limit(
        "update_item",
        lambda n: update("SET d = list_append(:a, :b)", a=NO_LIST, b=(NO_LIST, ONE)[n]),
    ),
    "a number as a beginning": Limit(
        "put_item", lambda n: when("NOT begins_with(b, :a)", a=(TEXT, ONE)[n])
    ),
    "a range of two types": Limit(
        "put_item", lambda n: when("NOT b BETWEEN :a AND :b", a=ONE, b=(ONE, TEXT)[n])
    ),
    "less than true": Limit("put_item", lambda n: when("NOT b < :a", a=(ONE, {"BOOL": True})[n])),
    "an attribute that is set twice": Limit(
        "update_item", lambda n: update(f"SET {'cb'[n]} = :a, b = :a", a=ONE)
    ),
    "an attribute that is set and removed": Limit(
        "update_item", lambda n: update(f"SET b = :a REMOVE {'cb'[n]}", a=ONE)
    ),
    "a clause that is there twice": Limit(
        "update_item", lambda n: update("SET b = :a" + " SET c = :a" * n, a=ONE)
    ),
    "a reserved word": Limit(
        "update_item", lambda n: update(f"SET {('b', 'status')[n]} = :a", a=ONE)
    ),
    "a value that is not used": Limit(
        "update_item", lambda n: update("SET b = :a", a=ONE, b=ONE if n else {})
    ),
    "a key that is changed": Limit(
        "update_item", lambda n: update(f"SET {('b', 'sk')[n]} = :a", a=TEXT)
    ),
}
