"""Merchants and base rates: items of the Merchants table."""

from collections.abc import Mapping
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import RATES_KEY, merchant_key
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.domain.merchants.merchant import (
    DEFAULT_BALANCE_SHARDS,
    DEFAULT_MAX_OPEN_BUYS,
    DEFAULT_MAX_OPEN_CNY_FEN,
    Merchant,
    MerchantStatus,
)
from orderdesk.domain.merchants.request_rate import DEFAULT_MAX_RPS
from orderdesk.domain.pricing import FEE_TERMS, BaseRate, FeePolicy, OrderType


def merchant_item(merchant: Merchant) -> Item:
    """Return the merchant's DynamoDB item."""
    return {
        "pk": merchant_key(merchant.merchant_id),
        "merchant_id": merchant.merchant_id,
        "name": merchant.name,
        "api_key": merchant.api_key,
        "status": merchant.status.value,
        "created_at": merchant.created_at,
        "sealed_secrets": merchant.sealed_secrets,
        "sealed_callback_secrets": merchant.sealed_callback_secrets,
        "identity_required": merchant.identity_required,
        "callback_url": merchant.callback_url,
        **{name: getattr(merchant.fees, name) for name in FEE_TERMS},
        "min_cny_fen": merchant.min_cny_fen,
        "max_cny_fen": merchant.max_cny_fen,
        "max_open_buys": merchant.max_open_buys,
        "max_open_cny_fen": merchant.max_open_cny_fen,
        "require_receipt": merchant.require_receipt,
        "allowed_cidrs": cast("list[Value]", list(merchant.allowed_cidrs)),
        "events": None if merchant.events is None else cast("list[Value]", list(merchant.events)),
        "max_rps": merchant.max_rps,
        "balance_shards": merchant.balance_shards,
        "display_name": merchant.display_name,
        "support": merchant.support,
        "version": merchant.version,
    }


def merchant_of(item: Mapping[str, Value]) -> Merchant:
    """Return the merchant of an item."""
    row = cast("Mapping[str, Any]", item)
    return Merchant(
        merchant_id=row["merchant_id"],
        name=row["name"],
        api_key=row["api_key"],
        status=MerchantStatus(row["status"]),
        created_at=row["created_at"],
        sealed_secrets=row["sealed_secrets"],
        sealed_callback_secrets=row["sealed_callback_secrets"],
        identity_required=row["identity_required"],
        callback_url=row["callback_url"],
        # An item older than a fee term lacks the attribute; the term is then 0.
        fees=FeePolicy(**{name: row[name] for name in FEE_TERMS if name in row}),
        min_cny_fen=row["min_cny_fen"],
        max_cny_fen=row["max_cny_fen"],
        # An item older than these terms lacks their attributes.
        max_open_buys=row.get("max_open_buys", DEFAULT_MAX_OPEN_BUYS),
        max_open_cny_fen=row.get("max_open_cny_fen", DEFAULT_MAX_OPEN_CNY_FEN),
        require_receipt=row.get("require_receipt", False),
        allowed_cidrs=tuple(row["allowed_cidrs"]),
        events=None if row.get("events") is None else tuple(row["events"]),
        max_rps=row.get("max_rps", DEFAULT_MAX_RPS),
        balance_shards=row.get("balance_shards", DEFAULT_BALANCE_SHARDS),
        display_name=row.get("display_name", ""),
        support=row.get("support", ""),
        version=row["version"],
    )


def rate_attribute(side: OrderType) -> str:
    """Return the attribute name of a side's rate in the `rates` item."""
    return side.name.lower()


def rate_value(rate: BaseRate) -> dict[str, Value]:
    """Return the attribute of a base rate."""
    return {"rate_e4": rate.rate_e4, "source": rate.source, "set_at": rate.set_at}


def rates_of(item: Mapping[str, Value]) -> dict[OrderType, BaseRate]:
    """Return the base rates in an item."""
    rates = {}
    for side in OrderType:
        row = cast("Mapping[str, Any] | None", item.get(rate_attribute(side)))
        if row is not None:
            rates[side] = BaseRate(row["rate_e4"], row["source"], row["set_at"])
    return rates


class MerchantStore(TableStore):
    """Read the Merchants table."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Return a merchant, or None. Raises: TryAgain."""
        item = self._get(merchant_key(merchant_id))
        return None if item is None else merchant_of(item)

    def rates(self) -> dict[OrderType, BaseRate]:
        """Return the stored base rates. Raises: TryAgain."""
        item = self._get(RATES_KEY)
        return {} if item is None else rates_of(item)

    def _get(self, key: str) -> Item | None:
        return get_item(self._client, self._table, {"pk": key})
