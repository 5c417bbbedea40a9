"""The requests to DynamoDB, one a function."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from models import CreateOrder
from pricing import Quote

NONCE_RETENTION_SECONDS = 600
PAGE_LIMIT = 64

dynamodb = boto3.resource("dynamodb")
merchants = dynamodb.Table(os.environ["MERCHANTS_TABLE"])
nonces = dynamodb.Table(os.environ["NONCES_TABLE"])
traders = dynamodb.Table(os.environ["TRADERS_TABLE"])
balances = dynamodb.Table(os.environ["BALANCES_TABLE"])
orders = dynamodb.Table(os.environ["ORDERS_TABLE"])

type Row = Mapping[str, Any]


def merchant_by_key(api_key: str) -> Row | None:
    """Read a merchant: its API secret, terms and fees."""
    return merchants.get_item(Key={"api_key": api_key}).get("Item")


def consume_nonce(api_key: str, nonce: str, now: int) -> bool:
    """Store a nonce until it may be used again; False if it is stored already."""
    return _if_condition_holds(
        lambda: nonces.put_item(
            Item={"nonce": f"{api_key}#{nonce}", "expires_at": now + NONCE_RETENTION_SECONDS},
            ConditionExpression=Attr("nonce").not_exists(),
        )
    )


def number_of(merchant_id: str, merchant_order_no: str) -> str | None:
    """Return the order with a merchant's number, if there is one."""
    found = orders.query(
        IndexName="by_merchant_order_no",
        KeyConditionExpression=Key("merchant_id").eq(merchant_id)
        & Key("merchant_order_no").eq(merchant_order_no),
        Limit=1,
    )
    return next((str(item["number"]) for item in found["Items"]), None)


def traders_in_rotation(pool: str, request: CreateOrder) -> Iterator[Row]:
    """Yield the online traders who accept amount and method, longest waiting first."""
    query: dict[str, Any] = {
        "IndexName": "rotation",
        "KeyConditionExpression": Key("pool").eq(pool),
        "FilterExpression": Attr("min_cny").lte(request.cny_amount)
        & Attr("max_cny").gte(request.cny_amount)
        & Attr(f"methods.{request.method_type}").exists(),
        "Limit": PAGE_LIMIT,
    }
    while True:
        page = traders.query(**query)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        query["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def claim_trader(trader: Row, now_us: int) -> bool:
    """Move a trader to the rotation's end; False if another order did so or it is offline."""
    return _if_condition_holds(
        lambda: traders.update_item(
            Key={"trader_id": trader["trader_id"]},
            UpdateExpression="SET last_accepted_at = :now ADD accepted_orders :one",
            ConditionExpression=Attr("last_accepted_at").eq(trader["last_accepted_at"])
            & Attr("pool").exists(),
            ExpressionAttributeValues={":now": now_us, ":one": 1},
        )
    )


def hold_usdt(trader: Row, quote: Quote) -> bool:
    """Reserve the order's USDT on its trader's balance; False if that is too low."""
    return _if_condition_holds(
        lambda: balances.update_item(
            Key={"trader_id": trader["trader_id"]},
            UpdateExpression="SET available = available - :usdt, held = held + :usdt",
            ConditionExpression=Attr("available").gte(quote.usdt_amount),
            ExpressionAttributeValues={":usdt": quote.usdt_amount},
        )
    )


def put_order(item: dict[str, Any]) -> None:
    """Store a new order without its None values."""
    orders.put_item(
        Item={name: value for name, value in item.items() if value is not None},
        ConditionExpression=Attr("number").not_exists(),
    )


def _if_condition_holds(write: Callable[[], object]) -> bool:
    try:
        write()
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True
