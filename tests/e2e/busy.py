"""Calls with retries while DynamoDB is busy."""

from typing import Any

from tests.support.merchant_client import MerchantClient, Reply

TRY_AGAIN = 5001


def create(client: MerchantClient, params: dict[str, Any]) -> Reply:
    """Create an order with a merchant_order_no; retry while DynamoDB is busy.

    A lost answer may have created the order: then the retry gets 2001, and the order is queried.
    """
    while True:
        reply = client.create(params)
        if reply.code == 2001:
            return client.query(merchant_order_no=params["merchant_order_no"])
        if reply.code != TRY_AGAIN:
            return reply
