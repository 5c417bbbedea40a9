"""Wiring of moves: for every function that moves orders."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.system import SystemChance, pause_ms
from orderdesk.services.orders.move import MovePorts

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.adapters.dynamodb.keys import TableNames


def move_ports(dynamodb: "DynamoDBClient", tables: "TableNames") -> MovePorts:
    """Make the ports of a move."""
    return MovePorts(OrderMoveStore(dynamodb, tables), SystemChance(), pause_ms)
