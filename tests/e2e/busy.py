"""Calls with retries while DynamoDB is busy."""

from collections.abc import Collection
from typing import Any

from tests.support.merchant_client import MerchantClient, Reply

TRY_AGAIN = 5001


def create(
    client: MerchantClient, params: dict[str, Any], again: Collection[int] = (TRY_AGAIN,)
) -> Reply:
    """Create an order with a merchant_order_no; retry while its code is in `again`.

    A lost answer may have created the order: then the retry gets 2001, and the order is queried.
    """
    while True:
        reply = client.create(params)
        if reply.code == 2001:
            return client.query(merchant_order_no=params["merchant_order_no"])
        if reply.code not in again:
            return reply
