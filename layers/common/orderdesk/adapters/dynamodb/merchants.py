"""Merchants and base rates: items of the Merchants table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, Value, attributes_of, named
from orderdesk.domain.merchants.merchant import (
    CallbackAddress,
    Merchant,
    MerchantKey,
    MerchantStatus,
    MerchantTerms,
    Scope,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.pricing import FEE_TERMS, BaseRate, FeePolicy, OrderType

if TYPE_CHECKING:
    from orderdesk.domain.orders.blocks import Block

# The places of a block's hash and end in its attribute.
_DIGEST, _UNTIL = 2, 7
# The terms whose attribute has the field's name and value.
_PLAIN_TERMS = tuple(
    name for name in MerchantTerms.__slots__ if name not in {"fees", "allowed_cidrs", "events"}
)


_NEEDED = "merchant_id name api_key created_at sealed_secrets sealed_callback_secrets version"
_UNLESS_EMPTY = "test_api_key sealed_test_secrets addresses more_keys approved"


def merchant_item(merchant: Merchant) -> Item:
    """Return the merchant's DynamoDB item; its terms are attributes of their own."""
    terms = merchant.terms
    return {
        "pk": Key.merchant(merchant.merchant_id),
        **attributes_of(merchant, _NEEDED),
        "status": merchant.status.value,
        **{name: value or None for name, value in attributes_of(merchant, _UNLESS_EMPTY).items()},
        **attributes_of(terms, *_PLAIN_TERMS, "allowed_cidrs events"),
        **attributes_of(terms.fees, *FEE_TERMS),
    }


def merchant_of(row: Mapping[str, Any]) -> Merchant:
    """Return the merchant of a row."""
    terms = MerchantTerms(
        **{name: row[name] for name in _PLAIN_TERMS if name in row},
        fees=FeePolicy(**{name: row[name] for name in FEE_TERMS if name in row}),
        allowed_cidrs=tuple(row["allowed_cidrs"]),
        events=None if row.get("events") is None else tuple(row["events"]),
    )
    return Merchant(
        **named(row, _NEEDED, "approved test_api_key sealed_test_secrets"),
        status=MerchantStatus(row["status"]),
        terms=terms,
        more_keys=tuple(map(_key_of, row.get("more_keys", ()))),
        addresses=tuple(map(_address_of, row.get("addresses", ()))),
    )


def _key_of(row: Mapping[str, Any]) -> MerchantKey:
    return MerchantKey(**{**row, "mode": Mode(row["mode"]), "scope": Scope(row["scope"])})


def _address_of(row: Mapping[str, Any]) -> CallbackAddress:
    events = None if row.get("events") is None else tuple(row["events"])
    return CallbackAddress(**{**row, "events": events})


def rate_attribute(side: OrderType) -> str:
    """Return the attribute name of a side's rate in the `rates` item."""
    return side.name.lower()


def rates_of(item: Mapping[str, Value]) -> dict[OrderType, BaseRate]:
    """Return the base rates in an item."""
    rates = {}
    for side in OrderType:
        row = cast("Mapping[str, Any] | None", item.get(rate_attribute(side)))
        if row is not None:
            rates[side] = BaseRate(**row)
    return rates


class MerchantStore(TableStore):
    """Read the Merchants table."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Return a merchant, or None. Raises: TryAgain."""
        return self._find(self._table, {"pk": Key.merchant(merchant_id)}, merchant_of)

    def rates(self) -> dict[OrderType, BaseRate]:
        """Return the stored base rates. Raises: TryAgain."""
        return rates_of(self._get(Key.RATES))

    def desk(self) -> tuple[Mapping[OrderType, BaseRate], Mapping[str, int], Mapping[str, int]]:
        """Return the rates, the hashes and ends of blocks, and the limits of a day.

        Raises: TryAgain.
        """
        item = self._get(Key.RATES)
        rows = cast("list[list[Any]]", item.get("blocks", []))
        blocks = {row[_DIGEST]: row[_UNTIL] for row in rows}
        return rates_of(item), blocks, cast("Mapping[str, int]", item.get("day_limits", {}))

    def day_limits(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the limits of a day, and those that two people last approved. Raises: TryAgain."""
        row: Mapping[str, Any] = self._get(Key.RATES)
        return row.get("day_limits", {}), row.get("day_approved", {})

    def blocks(self) -> tuple[int, "Sequence[Block]"]:
        """Return the version of the block list, and its entries. Raises: TryAgain."""
        # Only operators read the entries.
        from orderdesk.domain.orders.blocks import Block, BlockKind  # noqa: PLC0415

        row: Mapping[str, Any] = self._get(Key.RATES)
        found = [Block(r[0], BlockKind(r[1]), *r[2:]) for r in row.get("blocks", ())]
        return row.get("blocks_version", 0), found

    def _get(self, key: str) -> Item:
        return self._get_item(self._table, {"pk": key}) or {}
