"""Wiring of signed calls: for the functions of the merchant API."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.call_counts import CallCountStore
from orderdesk.adapters.merchant_directory import CachedDirectory
from orderdesk.services.merchants.authenticate import AuthenticatePorts, RequestRates

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.settings.merchants import MerchantSettings


def authenticate_ports(
    directory: CachedDirectory, dynamodb: "DynamoDBClient", settings: "MerchantSettings"
) -> AuthenticatePorts:
    """Make the ports of authentication; a warm container keeps what it has seen of each rate."""
    rates = RequestRates(CallCountStore(dynamodb, settings.guards_table))
    return AuthenticatePorts(directory, rates)
