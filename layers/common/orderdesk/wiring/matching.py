"""Wiring of placing orders: for createOrder, and for the identity page."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.merchant_directory import CachedDirectory
from orderdesk.adapters.system import SystemChance, pause_ms
from orderdesk.services.orders.match import Contention
from orderdesk.services.orders.place_buy import MatchingPorts, Terms

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.settings.merchants import IdentityPageSettings


def order_book(dynamodb: "DynamoDBClient", settings: "IdentityPageSettings") -> NewOrderStore:
    """Make the store that writes new orders."""
    return NewOrderStore(dynamodb, settings.tables, settings.rotation_shards, SystemChance())


def matching_ports(
    book: NewOrderStore, directory: CachedDirectory, settings: "IdentityPageSettings"
) -> MatchingPorts:
    """Make the ports of pricing and matching."""
    return MatchingPorts(
        rotation=book,
        directory=directory,
        contention=Contention(),
        chance=SystemChance(),
        pause_ms=pause_ms,
        terms=Terms(
            pay_window_seconds=settings.pay_window_seconds,
            draft_life_seconds=settings.draft_life_seconds,
            rate_max_age_seconds=settings.rate_max_age_seconds,
        ),
    )
