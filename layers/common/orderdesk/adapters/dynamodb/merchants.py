"""Merchants and base rates: items of the Merchants table."""

from collections.abc import Mapping
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import RATES_KEY, merchant_key
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, MerchantTerms
from orderdesk.domain.pricing import FEE_TERMS, BaseRate, FeePolicy, OrderType

# The terms whose attribute has the field's name and value.
_PLAIN_TERMS = tuple(
    name for name in MerchantTerms.__slots__ if name not in {"fees", "allowed_cidrs", "events"}
)


def merchant_item(merchant: Merchant) -> Item:
    """Return the merchant's DynamoDB item; its terms are attributes of their own."""
    terms = merchant.terms
    return {
        "pk": merchant_key(merchant.merchant_id),
        "merchant_id": merchant.merchant_id,
        "name": merchant.name,
        "api_key": merchant.api_key,
        "status": merchant.status.value,
        "created_at": merchant.created_at,
        "sealed_secrets": merchant.sealed_secrets,
        "sealed_callback_secrets": merchant.sealed_callback_secrets,
        "test_api_key": merchant.test_api_key or None,
        "sealed_test_secrets": merchant.sealed_test_secrets or None,
        **{name: getattr(terms, name) for name in _PLAIN_TERMS},
        **{name: getattr(terms.fees, name) for name in FEE_TERMS},
        "allowed_cidrs": cast("list[Value]", list(terms.allowed_cidrs)),
        "events": None if terms.events is None else cast("list[Value]", list(terms.events)),
        "approved": cast("dict[str, Value]", dict(merchant.approved)) or None,
        "version": merchant.version,
    }


def merchant_of(item: Mapping[str, Value]) -> Merchant:
    """Parse a merchant's item. An attribute that an older item lacks has its default."""
    row = cast("Mapping[str, Any]", item)
    terms = MerchantTerms(
        **{name: row[name] for name in _PLAIN_TERMS if name in row},
        fees=FeePolicy(**{name: row[name] for name in FEE_TERMS if name in row}),
        allowed_cidrs=tuple(row["allowed_cidrs"]),
        events=None if row.get("events") is None else tuple(row["events"]),
    )
    return Merchant(
        merchant_id=row["merchant_id"],
        name=row["name"],
        api_key=row["api_key"],
        status=MerchantStatus(row["status"]),
        created_at=row["created_at"],
        sealed_secrets=row["sealed_secrets"],
        sealed_callback_secrets=row["sealed_callback_secrets"],
        terms=terms,
        approved=row.get("approved", {}),
        version=row["version"],
        test_api_key=row.get("test_api_key", ""),
        sealed_test_secrets=row.get("sealed_test_secrets", b""),
    )


def rate_attribute(side: OrderType) -> str:
    """Return the attribute name of a side's rate in the `rates` item."""
    return side.name.lower()


def rate_value(rate: BaseRate) -> dict[str, Value]:
    """Return the attribute of a base rate."""
    return {
        "rate_e4": rate.rate_e4,
        "source": rate.source,
        "set_at": rate.set_at,
        "approved_e4": rate.approved_e4,
    }


def rates_of(item: Mapping[str, Value]) -> dict[OrderType, BaseRate]:
    """Return the base rates in an item."""
    rates = {}
    for side in OrderType:
        row = cast("Mapping[str, Any] | None", item.get(rate_attribute(side)))
        if row is not None:
            rates[side] = BaseRate(
                row["rate_e4"], row["source"], row["set_at"], row.get("approved_e4")
            )
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
